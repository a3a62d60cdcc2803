// The ignore rules of a repository that stand in no folder of it: the global
// excludes of the user and .git/info/exclude.
//
// The user's own git configuration may name any file. A repository's may not: it
// lies in the searched tree, which an attacker may have written. What .git,
// commondir, .git/config and its includes name is read only if it lies inside
// the sandbox, or inside that repository where its top lies above the sandbox,
// and is not denied. Else it counts as not there, so that no answer depends on
// it. The exception is a linked work tree: a repository outside that names this
// work tree as its own, as `git worktree add` lets it, is the user's.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "scope/sandbox.h"
#include "tree/git_config.h"
#include "tree/ignore_rules.h"

namespace forge {

using RulesPtr = std::shared_ptr<const IgnoreRules>;

// An ignore file that exists but could not be used.
struct IgnoreFileError {
  std::string file;  // its name, without the folder
  std::string error;
};

inline constexpr std::uint64_t kMaxIgnoreFileSize = 1 << 20;

// Thread-safe.
class GitExcludes {
 public:
  // Both must outlive this.
  GitExcludes(const GitEnvironment& environment, const Sandbox& sandbox);

  struct OfRepository {
    RulesPtr exclude;  // null if there are none
    RulesPtr global;
  };
  // `folder` is an absolute path with a ".git" in it.
  OfRepository ForRepository(const std::string& folder, std::vector<IgnoreFileError>& errors);

  // For a tree that belongs to no repository.
  RulesPtr WithoutRepository(std::vector<IgnoreFileError>& errors);

  // Absolute paths of everything that was looked at so far, there or not.
  std::vector<std::string> inputs() const;
  void AddInput(std::string path);

 private:
  std::optional<std::string> Setting(const std::string& file, const ReadFile& read);
  struct GitFolder {
    std::string path;
    ReadFile read;         // for what it names
    bool of_user = false;  // not the tree's word
  };
  GitFolder FindGitFolder(const std::string& folder) const;
  // How files are read that a repository with its top at `folder` names.
  ReadFile ReaderFor(const std::string& folder) const;
  // The user's own, at an absolute path.
  RulesPtr Global(const std::string& path, std::vector<IgnoreFileError>& errors);
  std::string DefaultGlobal() const;

  const GitEnvironment& environment_;
  const Sandbox& sandbox_;
  std::optional<std::string> user_setting_;

  mutable Mutex mutex_;
  std::set<std::string> inputs_ GUARDED_BY(mutex_);
  // Repositories of one user nearly always share one file of global excludes.
  std::string last_path_ GUARDED_BY(mutex_);
  RulesPtr last_rules_ GUARDED_BY(mutex_);
};

}  // namespace forge
