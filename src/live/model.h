// The state of `live`: what was typed, what was found, what is chosen. Keys and
// findings go in; what to do comes out. It knows no terminal, no thread and no
// engine, so a test drives it by itself; Draw() (live/view.h) shows it.
//
//   Model model(query, size);
//   model.Take({Key::Type::kCharacter, 'x'});   // Action::kSearch
//   model.BeginSearch();
//   model.AddMatches(...);                      // the old ones go now, not earlier
//   model.EndSearch(...);
//
// Old findings stay until the first new one, or the end of the search, is there:
// the screen never shows an empty list in between.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "live/grid.h"
#include "live/key.h"
#include "live/layout.h"
#include "live/query.h"
#include "live/results.h"

namespace forge::live {

// What a key asks of the program.
enum class Action {
  kNone,     // beside showing the new state
  kSearch,   // the query has changed
  kPreview,  // another match is chosen
  kOpen,     // the chosen match, in an editor
  kSuspend,
  kQuit,
};

// How a search ended.
struct Ending {
  std::string error = {};  // the rest is then empty
  bool more = false;       // than are shown
  std::chrono::milliseconds elapsed{};
  std::vector<std::string> notes = {};
};

class Model {
 public:
  Model(Query query, Size size) : query_(std::move(query)), size_(size) {}

  Action Take(const Key& key);
  void Resize(Size size);

  // Or clears everything, if the pattern is empty. With `keep_choice` the match
  // at the same place of the list will be chosen, else the first one.
  void BeginSearch(bool keep_choice = false);
  void AddMatches(std::vector<Match> matches);
  void EndSearch(Ending ending);
  // Lines of one file, the chosen one among them.
  void ShowPreview(std::vector<Match> lines, std::uint64_t chosen_line);
  void SetNote(std::string note) { note_ = std::move(note); }  // until the next search

  const Query& query() const { return query_; }
  Size size() const { return size_; }
  Layout layout() const;
  bool in_globs() const { return in_globs_; }
  bool help() const { return help_; }
  bool searching() const { return searching_; }
  const Ending& ending() const { return ending_; }
  std::string note() const;  // "": none
  const Results& results() const { return results_; }
  const Match* chosen() const { return results_.empty() ? nullptr : &results_.matches()[chosen_]; }
  std::size_t chosen_row() const { return results_.RowOf(chosen_); }
  std::size_t top() const { return top_; }  // the first row of the list that is shown
  const std::vector<Match>& preview() const { return preview_; }
  std::uint64_t preview_line() const { return preview_line_; }
  std::size_t preview_top() const { return preview_top_; }

 private:
  Action TakeControl(char32_t letter, const Key& key);
  Action TakeOption(char32_t letter);
  Action TakeFunction(char32_t number);
  Action TakePasted(const Key& key);
  Action Edit(const Key& key);
  Action Move(std::ptrdiff_t by);
  Action SwitchField();
  Action Escape();
  void ScrollPreview(std::ptrdiff_t by);
  void Replace();  // the old findings go
  void KeepChosenVisible();
  void CentrePreview();

  Query query_;
  Size size_;
  bool in_globs_ = false;
  bool help_ = false;
  bool pasting_ = false;
  bool pasted_line_ = false;  // the rest of what is pasted is left out

  bool searching_ = false;
  bool stale_ = false;  // the findings are those of the search before
  Ending ending_;
  std::string note_;
  Results results_;
  std::size_t chosen_ = 0;
  std::size_t wanted_ = 0;  // to be chosen once it is there
  std::size_t top_ = 0;
  std::vector<Match> preview_;
  std::uint64_t preview_line_ = 0;
  std::size_t preview_top_ = 0;
};

}  // namespace forge::live
