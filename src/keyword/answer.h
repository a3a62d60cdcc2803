// A model's answer, checked against what was found.
//
// A line counts if it names a file with a hit, absolute or relative to the root,
// with or without the decoration that models like (bullets, numbers, backticks,
// a line number after the path):
//
//   2. `src/a.c:12` - closes it     ->  /home/me/src/a.c: closes it
//
// We drop a path that is not among the hits, whether it lies elsewhere or does
// not exist: the model made it up, or the text of a file told it to. We also drop
// all other lines. So the answer holds only files that the search found, each
// with one sentence.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "forge/keyword.h"

namespace forge::keyword {

using Paths = std::set<std::string, std::less<>>;

inline constexpr std::size_t kMaxListedFiles = 200;
inline constexpr std::size_t kMaxReasonBytes = 500;

struct CheckedAnswer {
  std::vector<RelevantFile> files;   // each file once
  std::vector<std::string> dropped;  // paths that are not among the hits
  std::uint64_t other_lines = 0;     // lines that name no file
  std::uint64_t beyond = 0;          // files after kMaxListedFiles
  bool says_none = false;            // "No relevant files found"
};

// `hits` are relative to `root`.
CheckedAnswer CheckAnswer(std::string_view text, const std::string& root, const Paths& hits);

}  // namespace forge::keyword
