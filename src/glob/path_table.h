// Many path patterns as one: which is the last that matches a path?
//
// Tables like these are asked about every entry of a tree, and may hold thousands
// of patterns. So most patterns are found by hash, with the last component of the
// path: those that end in a name ("build", "/a/b", "src/**/x.c") or in `*.ext`.
// The others are tried one by one, the last one first, as long as they could
// still win; most of them fail at once, because the name lacks one of their
// bytes.
//
// Immutable, so thread-safe.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/pace.h"
#include "glob/wildcard.h"

namespace forge {

struct PathPattern {
  Wildcard wildcard;
  std::string last;          // the last component of the pattern, as it is written
  bool basename = false;     // compare with the last component of a path, else with all of it
  bool folder_only = false;  // matches folders only
};

// Makes a pattern from its text, without marks at its ends.
PathPattern MakePathPattern(std::string_view text, LetterCase letters);

class PathTable {
 public:
  using Index = std::int32_t;  // number of a pattern; -1 for none

  PathTable() = default;
  PathTable(std::vector<PathPattern> patterns, LetterCase letters);
  PathTable(const PathTable&) = delete;
  PathTable& operator=(const PathTable&) = delete;

  // `name` is the last component of `path`. -1 if nothing matches, and when
  // `pace` says that the time is over: then the caller must give up. A null
  // `pace` is for texts and tables of which the caller knows that they are small.
  Index LastMatch(std::string_view path, std::string_view name, bool is_folder, Pace* pace) const;

  std::size_t size() const { return patterns_.size(); }
  // How many patterns are tried one by one.
  std::size_t slow_patterns() const { return others_.size(); }

 private:
  class Query;
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };
  // Patterns by a part of the name. Nearly all names are in no table; a bit for
  // each key tells most of them without a hash.
  class Groups {
   public:
    void Add(std::string_view key, Index index);
    const std::vector<Index>* Find(std::string_view key) const;  // null if there are none

   private:
    static std::uint64_t Bit(std::string_view key);

    std::uint64_t bits_ = 0;
    std::unordered_map<std::string, std::vector<Index>, Hash, std::equal_to<>> groups_;
  };
  struct Other {
    std::uint64_t letters = 0;  // the name must have them (LetterMask)
    Index index = 0;
  };

  void Add(Index index);

  LetterCase letters_ = LetterCase::kExact;
  std::vector<PathPattern> patterns_;
  Groups by_name_;       // the last component is exactly this
  Groups by_extension_;  // it is `*.ext`; by what follows its last dot
  std::vector<Other> others_;
};

}  // namespace forge
