// The rules of one ignore file, as git reads them.
//
//   # comment        \#name  \!name       !kept-after-all
//   *.o              at any depth below the folder of the file
//   /build  a/b      anchored at that folder
//   cache/           folders only
//
// The last rule that matches decides. Malformed patterns match nothing.
//
// The rules of a file are tried on every entry of a tree, and there may be a
// hundred. So rules that are a name or `*.ext` are found by hash. The others
// are tried one by one, the last one first, as long as they could still win.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "glob/wildcard.h"

namespace forge {

enum class Verdict { kNone, kIgnore, kInclude };

// Immutable, so thread-safe.
class IgnoreRules {
 public:
  explicit IgnoreRules(std::string_view text);
  IgnoreRules(const IgnoreRules&) = delete;
  IgnoreRules& operator=(const IgnoreRules&) = delete;

  // `path` is relative to the folder of the rules; `name` is its last component.
  Verdict Decide(std::string_view path, std::string_view name, bool is_folder) const;

  bool empty() const { return rules_.empty(); }

 private:
  struct Rule {
    // A path must start with `prefix`, and the rest must match `rest`.
    std::string prefix;
    Wildcard rest;
    bool negated = false;
    bool folder_only = false;
    bool basename = false;

    bool Matches(std::string_view path, std::string_view name, bool is_folder) const;
  };
  using Index = std::int32_t;  // number of a rule; -1 for none
  using Table = std::unordered_map<std::string_view, std::vector<Index>>;

  void AddLine(std::string_view line);
  void FileRule(Index index);
  Index LastMatch(const std::vector<Index>& rules, Index above, std::string_view path, std::string_view name,
                  bool is_folder) const;

  std::vector<Rule> rules_;
  Table by_name_;       // rules for exactly one name
  Table by_extension_;  // *.ext, by what follows the last dot
  std::vector<Index> others_;
};

}  // namespace forge
