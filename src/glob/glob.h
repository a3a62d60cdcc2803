// Path globs, in two dialects over one matcher.
//
//   git     patterns of .gitignore lines: * ? [..] [!..] \x, and ** as a whole
//           component. Anything malformed simply matches nothing, as in git.
//   filter  include_glob, exclude_glob and deny patterns: the same, plus
//           {a,b} with nesting, and malformed patterns are errors (B13).
//
// A pattern without '/' (other than a trailing one) matches the last component
// at any depth; a pattern with '/' is anchored at the base folder. `*`, `?` and
// classes never match '/'. Bytes, case-sensitive.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "forge/result.h"
#include "glob/wildcard.h"

namespace forge {

// Whether `text` matches the wildcard `pattern` as a whole, with git's
// wildmatch rules (WM_PATHNAME).
bool WildMatch(std::string_view pattern, std::string_view text);

// One include, exclude or deny pattern, checked and ready.
class Glob {
 public:
  // An error text (without the field name) if the pattern is empty, has an
  // unclosed [ or {, a trailing backslash, a leading !, a NUL or too many
  // alternatives.
  static Result<Glob> Parse(std::string_view pattern);

  // `path` is relative to the base folder, with '/' and without "./".
  // A pattern that ends in '/' matches folders only.
  bool Matches(std::string_view path, bool is_folder) const;

  // Whether the folder `path` matches an alternative that ends in '/'. In an
  // include pattern, such an alternative stands for every file below the
  // folder.
  bool MatchesWholeFolder(std::string_view path) const;

  // No alternative is anchored: only the last component counts.
  bool any_depth() const;

  const std::string& text() const { return text_; }

 private:
  struct Alternative {
    Wildcard wildcard;
    bool basename = false;     // no '/': compare with the last component
    bool folder_only = false;  // ended in '/'

    bool Matches(std::string_view path, std::string_view name) const {
      return wildcard.Matches(basename ? name : path);
    }
  };
  static std::optional<Alternative> ToAlternative(std::string_view pattern);

  std::string text_;
  std::vector<Alternative> alternatives_;
};

}  // namespace forge
