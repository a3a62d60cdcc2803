// Prints what a search finds as it comes, and ends the search when the reader has
// closed the pipe or has seen enough.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/cli.h"
#include "cli/printer.h"
#include "cli/progress_line.h"
#include "cli/search_flags.h"
#include "os/file.h"
#include "tool/lines.h"

namespace forge::cli {

class SearchOutput {
 public:
  // `progress` may be null.
  SearchOutput(const SearchFlags& flags, Style style, bool json, Host& host, ProgressLine* progress);

  void OnEvent(const Event& event);
  void OnFile(const FileReport& file);  // after its events
  // After the last search.
  void Finish(std::uint64_t files, std::uint64_t bytes, std::chrono::nanoseconds elapsed);

  // With --stats, -q goes on to the end, as it does in ripgrep: the numbers are the
  // answer.
  bool enough() const { return closed_ || (found_ && flags_.quiet && !flags_.stats); }
  bool closed() const { return closed_; }
  bool found() const { return found_; }
  std::uint64_t matched_lines() const { return matched_lines_; }

  // Whether this is the file that the output goes to. What is printed there must not be
  // found there; as in ripgrep, such a file is left out unless it is named.
  bool IsOwnOutput(std::string_view path);
  // Of the search that comes: whether it is for one file that the user named.
  void SetNamedFile(bool named) { named_file_ = named; }

 private:
  // What one file contributed, for an order that is known only at the end.
  struct Group {
    std::string path;
    std::vector<Event> events;
    std::vector<FileReport> reports;
    std::int64_t time = 0;
  };

  bool holds() const;
  Group& GroupOf(std::string_view path);
  void PrintGroups();
  void PrintEvent(const Event& event);
  void PrintFile(const FileReport& file);
  void PrintStats(std::uint64_t files, std::uint64_t bytes, std::chrono::nanoseconds elapsed);
  void Write(const std::string& text);
  void Send(const std::string& text);

  const SearchFlags& flags_;
  Host& host_;
  ProgressLine* const progress_;
  Printer printer_;
  tool::JsonLines lines_;
  const bool json_;
  std::vector<Group> groups_;
  std::string text_;                    // of the event that is printed; kept for its memory
  std::optional<os::FileInfo> output_;  // a regular file
  std::string asked_;                   // what IsOwnOutput() was asked last, and its answer
  bool is_own_ = false;
  bool named_file_ = false;
  std::uint64_t matched_lines_ = 0;
  std::uint64_t matches_ = 0;
  std::uint64_t files_with_match_ = 0;
  std::uint64_t bytes_printed_ = 0;
  bool closed_ = false;
  bool found_ = false;
};

}  // namespace forge::cli
