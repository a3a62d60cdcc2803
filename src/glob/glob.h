// Path globs, in two dialects over one matcher.
//
//   git     patterns of .gitignore lines: * ? [..] [!..] \x, and ** as a whole
//           component. Anything malformed simply matches nothing, as in git.
//   filter  include_glob, exclude_glob and deny patterns: the same, plus
//           {a,b} with nesting, and malformed patterns are errors (B13).
//
// A pattern without '/' (other than a trailing one) matches the last component
// at any depth; a pattern with '/' is anchored at the base folder. `*`, `?` and
// classes never match '/'. Bytes, and case-sensitive unless told otherwise.
//
// This header is the filter dialect; src/tree/ignore_rules.h is git's.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "forge/result.h"
#include "glob/path_table.h"

namespace forge {

// One include, exclude or deny pattern, checked.
class Glob {
 public:
  // An error text (without the field name) if the pattern is empty, has an
  // unclosed [ or {, a range that is backwards, a trailing backslash, a leading
  // !, a NUL or too many alternatives.
  static Result<Glob> Parse(std::string_view pattern, LetterCase letters = LetterCase::kExact);

  // No alternative is anchored: only the last component counts.
  bool any_depth() const;

  std::size_t size() const { return alternatives_.size(); }

 private:
  friend class GlobSet;
  static std::optional<PathPattern> ToAlternative(std::string_view pattern, LetterCase letters);

  std::vector<PathPattern> alternatives_;
};

// Globs that are asked together. Immutable, so thread-safe; copies share it all.
class GlobSet {
 public:
  GlobSet() = default;
  // All globs were parsed with `letters`.
  explicit GlobSet(const std::vector<Glob>& globs, LetterCase letters = LetterCase::kExact);

  bool empty() const { return tables_ == nullptr; }

  // Whether a glob matches. `path` is relative to the base folder, with '/' and
  // without "./". A pattern that ends in '/' matches folders only. False when
  // `pace` is over; the caller must look at it.
  bool Matches(std::string_view path, bool is_folder, Pace* pace = nullptr) const;

  // Whether the folder `path` matches an alternative that ends in '/'. In an
  // include pattern, such an alternative stands for every file below the
  // folder.
  bool MatchesWholeFolder(std::string_view path, Pace* pace = nullptr) const;

 private:
  struct Tables {
    Tables(std::vector<PathPattern> every, std::vector<PathPattern> for_folders, LetterCase letters)
        : all(std::move(every), letters), folders(std::move(for_folders), letters) {}
    PathTable all;
    PathTable folders;  // those that end in '/'
  };
  std::shared_ptr<const Tables> tables_;  // null: no globs
};

}  // namespace forge
