// A search as JSON Lines, as ripgrep prints them: begin, match and context, end
// for each file, then one summary. For programs that read `search --json`.
//
//   {"type":"begin","data":{"path":{"text":"a.c"}}}
//   {"type":"match","data":{"path":{"text":"a.c"},"lines":{"text":"a foo\n"},"line_number":2,
//     "absolute_offset":4,"submatches":[{"match":{"text":"foo"},"start":2,"end":5}]}}
//   {"type":"end","data":{"path":{"text":"a.c"},"binary_offset":null,"stats":{...}}}
//   {"type":"summary","data":{"elapsed_total":{...},"stats":{...}}}
//
// Text that is not UTF-8 is {"bytes":"..."} in base64. Events must have exact
// bytes and every match (SearchRequest).
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "base/spill.h"
#include "forge/search.h"

namespace forge::tool {

// Makes text; the caller writes it.
class JsonLines {
 public:
  // One line may have millions of matches, so there is a spill.
  void OnEvent(const Event& event, std::string& out, const Spill& spill = {});
  // After the file's events.
  void OnFile(const FileReport& file, std::string& out);
  // After the last file; files and bytes that were searched.
  void Finish(std::uint64_t files, std::uint64_t bytes, std::chrono::nanoseconds elapsed, std::string& out);

 private:
  struct Stats {
    std::uint64_t searches_with_match = 0;
    std::uint64_t bytes_printed = 0;
    std::uint64_t matched_lines = 0;
    std::uint64_t matches = 0;
  };

  std::optional<std::string> path_;  // of the file whose events come
  std::uint64_t printed_ = 0;        // bytes of that file
  Stats all_;
};

}  // namespace forge::tool
