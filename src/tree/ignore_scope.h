// All ignore rules that hold in one folder.
//
// Precedence: .ignore files, deepest first; then .gitignore files, deepest
// first; then the repository's info/exclude; then the global excludes. The
// first source that says anything decides.
//
// A scope is immutable and shared by pointer: a folder without ignore files
// uses its parent's. Paths are absolute; each list of rules knows how many
// bytes of a path lead to its own folder.
//
// A scope holds at most so many rules that are tried one by one, and so many
// bytes of rules (kMostSlowRules, kMostRuleBytes). A file that would bring more
// is not applied, and is an error. These bounds are for the rules in force in one
// folder, not for those of a walk: so what is applied does not depend on the order
// in which folders are listed.
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

inline constexpr std::size_t kMostSlowRules = 10'000;
inline constexpr std::size_t kMostRuleBytes = 8 << 20;

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
  // False when `pace` is over; the caller must look at it.
  bool Ignores(std::string_view path, std::string_view name, bool is_folder, Pace* pace = nullptr) const;

  // The repository that the folder belongs to: its top, an absolute path. Empty:
  // none.
  const std::string& repository() const { return repository_; }

 private:
  // Rules with the place they are anchored at.
  struct Anchored {
    RulesPtr rules;
    std::size_t base = 0;  // bytes of an absolute path, with the slash

    Verdict Decide(std::string_view path, std::string_view name, bool is_folder, Pace* pace) const;
  };
  struct Weight {
    std::size_t slow_rules = 0;
    std::size_t bytes = 0;

    void Add(const RulesPtr& rules);
    bool TooMuch() const { return slow_rules > kMostSlowRules || bytes > kMostRuleBytes; }
  };
  struct Link {
    Anchored own;
    std::shared_ptr<const Link> parent;
  };
  using LinkPtr = std::shared_ptr<const Link>;

  // Without rules yet.
  static ScopePtr InRepository(const std::string& top);
  static Verdict Decide(const LinkPtr& chain, std::string_view path, std::string_view name, bool is_folder, Pace* pace);
  Weight WeightInForce() const;
  // `rules`, or null with an error if they are too many beside the others.
  RulesPtr Admitted(RulesPtr rules, const char* file, std::vector<IgnoreFileError>& errors) const;
  void UseExcludes(const GitExcludes::Excludes& excludes, std::size_t base, std::vector<IgnoreFileError>& errors);

  LinkPtr ignore_;
  LinkPtr gitignore_;
  Anchored exclude_;
  Anchored global_;
  LetterCase letters_ = LetterCase::kExact;  // for .gitignore
  std::string repository_;
};

}  // namespace forge
