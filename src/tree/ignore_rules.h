// The rules of one ignore file, as git reads them.
//
//   # comment        \#name  \!name       !kept-after-all
//   *.o              at any depth below the folder of the file
//   /build  a/b      anchored at that folder
//   cache/           folders only
//
// The last rule that matches decides. Malformed patterns match nothing. A `**`
// that is not a whole component is a `*`, as in git since 2.52: "foo**/bar" does
// not match "foobar".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "glob/path_table.h"

namespace forge {

enum class Verdict { kNone, kIgnore, kInclude };

// Immutable, so thread-safe.
class IgnoreRules {
 public:
  // kFold is git's core.ignoreCase.
  explicit IgnoreRules(std::string_view text, LetterCase letters = LetterCase::kExact);

  // `path` is relative to the folder of the rules; `name` is its last component.
  // kNone when `pace` is over; the caller must look at it.
  Verdict Decide(std::string_view path, std::string_view name, bool is_folder, Pace* pace = nullptr) const;

  bool empty() const { return negated_.empty(); }
  // How many rules are tried one by one (see path_table.h).
  std::size_t slow_rules() const { return table_.slow_patterns(); }
  std::size_t bytes() const { return bytes_; }

 private:
  std::vector<PathPattern> Read(std::string_view text, LetterCase letters);
  void AddLine(std::string_view line, LetterCase letters, std::vector<PathPattern>& out);

  std::vector<bool> negated_;  // for each rule
  std::size_t bytes_;
  PathTable table_;
};

}  // namespace forge
