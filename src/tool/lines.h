// A search as JSON Lines, in ripgrep's shape: begin, match and context, end for
// each file, then one summary. For programs that read `search --json`.
//
// It differs from ripgrep where the answer of a search lacks the information:
// lines.text has no line ending, and there is no absolute_offset.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>

#include "forge/search.h"

namespace forge::tool {

class JsonLines {
 public:
  explicit JsonLines(std::ostream& out) : out_(out) {}

  void OnEvent(const Event& event);
  void Finish(const SearchResponse& response);  // after the last event

 private:
  void EndFile();

  std::ostream& out_;
  bool in_file_ = false;
  std::string path_;
  std::uint64_t matches_in_file_ = 0;
  std::uint64_t matches_ = 0;
  std::uint64_t files_ = 0;
};

}  // namespace forge::tool
