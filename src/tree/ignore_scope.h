// All ignore rules that hold in one folder.
//
// Precedence: .ignore files, deepest first; then .gitignore files, deepest
// first; then the repository's info/exclude; then the global excludes. The
// first source that says anything decides.
//
// A scope is immutable and shared by pointer: a folder without ignore files
// uses its parent's. Paths are absolute; each list of rules knows how many
// bytes of a path lead to its own folder.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "scope/search_root.h"
#include "tree/git_excludes.h"

namespace forge {

class IgnoreScope;
using ScopePtr = std::shared_ptr<const IgnoreScope>;

// What a folder holds that may change the rules below it.
struct IgnoreSources {
  bool ignore = false;      // .ignore
  bool gitignore = false;   // .gitignore
  bool repository = false;  // .git
  bool any() const { return ignore || gitignore || repository; }
};

class IgnoreScope {
 public:
  // The rules that reach the folder `root` from above: from its parents up to
  // the root of its repository, or the global excludes alone if it is in none.
  // Opens parents where they physically are, through no link.
  static ScopePtr Above(const SearchRoot& root, GitExcludes& excludes, std::vector<IgnoreFileError>& errors);

  // The scope inside `folder` (absolute, and open as `fd`), which has `sources`.
  static ScopePtr Enter(const ScopePtr& parent, int fd, const std::string& folder, IgnoreSources sources,
                        GitExcludes& excludes, std::vector<IgnoreFileError>& errors);

  // `path` is absolute, `name` its last component.
  bool Ignores(std::string_view path, std::string_view name, bool is_folder) const;

 private:
  // Rules with the place they are anchored at.
  struct Anchored {
    RulesPtr rules;
    std::size_t base = 0;  // bytes of an absolute path, with the slash

    Verdict Decide(std::string_view path, std::string_view name, bool is_folder) const;
  };
  struct Link {
    Anchored own;
    std::shared_ptr<const Link> parent;
  };
  using LinkPtr = std::shared_ptr<const Link>;

  static Verdict Decide(const LinkPtr& chain, std::string_view path, std::string_view name, bool is_folder);

  LinkPtr ignore_;
  LinkPtr gitignore_;
  Anchored exclude_;
  Anchored global_;
};

}  // namespace forge
