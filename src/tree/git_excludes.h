// The ignore rules of a repository outside its own folders: the user's global
// excludes and .git/info/exclude.
//
// The user's own git configuration may name any file. A repository's may not:
// it lies in the searched tree, and an attacker may have written it. We read a
// file that .git, commondir, .git/config or its includes name only if it is not
// denied and lies inside the sandbox, or inside that repository if its top lies
// above the sandbox. Otherwise we treat it as missing, so that no answer
// depends on it. The exception is a linked work tree: if a repository outside
// names this work tree as its own, as `git worktree add` does, it belongs to
// the user.
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

  // Absolute paths of all files that it tried to read so far, also missing
  // ones.
  std::vector<std::string> inputs() const;
  void AddInput(std::string path);

 private:
  std::optional<std::string> Setting(const std::string& file, const ReadFile& read);
  struct GitFolder {
    std::string path;
    ReadFile read;         // reads the files that it names
    bool of_user = false;  // the user wrote it, not the tree
  };
  GitFolder FindGitFolder(const std::string& folder) const;
  // How to read files that a repository with its top at `folder` names.
  ReadFile ReaderFor(const std::string& folder) const;
  // Reads the user's own file, at an absolute path.
  RulesPtr Global(const std::string& path, std::vector<IgnoreFileError>& errors);
  std::string DefaultGlobal() const;

  const GitEnvironment& environment_;
  const Sandbox& sandbox_;
  std::optional<std::string> user_setting_;

  mutable Mutex mutex_;
  std::set<std::string> inputs_ GUARDED_BY(mutex_);
  // The repositories of one user nearly always share one file of global
  // excludes.
  std::string last_path_ GUARDED_BY(mutex_);
  RulesPtr last_rules_ GUARDED_BY(mutex_);
};

}  // namespace forge
