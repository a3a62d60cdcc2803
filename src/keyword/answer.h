// A model's answer, checked against the tree (REQ-KWS-003).
//
// We ask for a list, one line for each file, and take it with the decoration
// that models like (bullets, numbers, backticks, a line number after the path):
//
//   2. `src/a.c:12` - closes it     ->  /home/me/src/a.c: closes it
//
// Each path that the answer names is one of three kinds:
//   with a hit     it goes into `files`
//   without        the file exists in the searched folder, but no term was found
//                  in it: it goes into a list of its own
//   nothing        it lies elsewhere, is denied, is no file, or does not exist,
//                  and nothing tells which: dropped, and counted
// So a model, or a file that gives orders to it, cannot put anything into the
// lists that is not there.
//
// Lines that are no entries come back as text, which is not checked. An
// answer without a list is all text; the paths in it are checked in the same way.
//
// What is left out for its length is counted. So nothing that a model said
// disappears without a trace.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/secrets.h"
#include "forge/keyword.h"

namespace forge::keyword {

using Paths = std::set<std::string, std::less<>>;

inline constexpr std::size_t kMaxAnswerBytes = 256 * 1024;  // more is not read
inline constexpr std::size_t kMaxListedFiles = 200;         // in each list
inline constexpr std::size_t kMaxReasonBytes = 500;
inline constexpr std::size_t kMaxTextBytes = 8 * 1024;
inline constexpr std::size_t kMaxLookups = 200;  // paths without a hit that we look for
inline constexpr std::size_t kMaxDroppedNames = 5;

// What answers are checked against. Refers to its arguments.
struct AnswerWorld {
  const std::string& root;
  const Paths& hits;  // relative to `root`
  // The file of that name, relative to the root, if there is one in the searched
  // folder; see scope_files.h.
  std::function<std::optional<std::string>(std::string_view)> find_file;
  const Secrets& secrets;
};

struct CheckedAnswer {
  std::vector<RelevantFile> files;  // each file once
  std::vector<RelevantFile> without_hits;
  std::string text;
  bool is_prose = false;  // there is no list, so `text` is all of the answer

  // What is not in the above.
  std::vector<std::string> dropped;    // names that lead to no file; the first ones
  std::uint64_t dropped_count = 0;     // all of them
  std::uint64_t not_looked_up = 0;     // names after kMaxLookups
  std::uint64_t repeated = 0;          // lines about a file that was listed before
  std::uint64_t beyond = 0;            // files after kMaxListedFiles
  std::uint64_t clipped_reasons = 0;   // after kMaxReasonBytes
  std::uint64_t text_bytes_cut = 0;    // after kMaxTextBytes
  std::uint64_t answer_bytes_cut = 0;  // after kMaxAnswerBytes
};

CheckedAnswer CheckAnswer(std::string_view text, const AnswerWorld& world);

// Text of a model for a reader: without control characters, without characters
// that are invisible or change the order of others, without secrets.
std::string Readable(std::string_view text, const Secrets& secrets);

}  // namespace forge::keyword
