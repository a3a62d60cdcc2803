// From outcomes in order to an answer.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "backend/backend.h"
#include "base/text_room.h"
#include "scope/sandbox.h"
#include "search/content.h"
#include "search/request.h"

namespace forge {

// Counts, cuts and remembers. Takes one event more than max_results to know
// whether there are more (FR-LS-06a).
class Collector final : public OutcomeSink {
 public:
  // `folder` is the search root; `named_file`: the request names a file in it.
  Collector(const CheckedRequest& request, const Sandbox& sandbox, std::string folder, const SearchOptions& options,
            bool named_file = false);

  bool Take(FileOutcome&& outcome) override;
  bool TakeEvent(const FileItem& file, Event&& event) override;

  // How many files have been taken; the last of them may hold the event that
  // proved that the answer is cut.
  std::uint64_t taken() const { return taken_; }
  std::uint64_t reported() const { return reported_; }  // outcomes; the others up to taken() were excluded
  std::uint64_t events() const { return count_; }       // also those that are not kept
  // Why it took no more: kFull, kTooMuchText or kStopped. Nothing if it took all.
  std::optional<SearchEnd> cut() const { return cut_; }

  // Also takes what stood after the last file, if the run reached the end.
  void TakeAsides(Asides asides);

  // Moves the events and errors into the response.
  void Finish(SearchResponse& response);
  const LeftOut& left_out() const { return left_out_; }
  // How the answer calls a path that is relative to the search root.
  std::string Shown(const std::string& path) const;

 private:
  struct RawError {
    std::string key;   // sort key
    std::string path;  // relative to the search root, raw
    std::string error;
  };

  std::string Display(const std::string& path) const;
  SharedText SharedName(const std::string& path);
  void AddError(const std::string& path, std::string error);
  // The events that follow are of this file.
  void Enter(std::uint64_t position, const std::string& path);
  bool Add(Event&& event);
  bool HasRoomFor(const Event& event);
  void AddFile(const FileOutcome& outcome);
  void NoteLeftOut(const FileOutcome& outcome);
  bool StopIfEnough();

  const CheckedRequest& request_;
  const Sandbox& sandbox_;
  const std::string folder_;
  const bool named_file_;
  std::optional<std::string> shown_folder_;  // "src/", or "" for the working folder
  const SearchOptions& options_;
  std::vector<Event> events_;
  std::size_t whole_ = 0;  // how many of them are of files that were searched to the end
  std::vector<RawError> errors_;
  LeftOut left_out_;
  std::uint64_t taken_ = 0;
  std::uint64_t reported_ = 0;
  std::uint64_t count_ = 0;
  std::uint64_t matches_ = 0;
  std::uint64_t bytes_ = 0;       // of files
  std::uint64_t position_ = 0;    // of the file whose events are added
  SharedText shown_;              // what the answer calls it
  TextRoom names_;                // for that
  std::uint64_t last_match_ = 0;  // its line in that file
  std::uint64_t text_bytes_ = 0;  // of events_
  std::optional<SearchEnd> cut_;
};

}  // namespace forge
