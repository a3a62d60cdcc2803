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
  std::string file;  // its name, without the folder; empty: it is not in this folder, and `error` names it
  std::string error;
};

inline constexpr std::uint64_t kMaxIgnoreFileSize = 1 << 20;

// Thread-safe.
class GitExcludes {
 public:
  // Both must outlive this.
  GitExcludes(const GitEnvironment& environment, const Sandbox& sandbox);

  struct Excludes {
    RulesPtr exclude;  // null if there are none
    RulesPtr global;
    LetterCase letters = LetterCase::kExact;  // core.ignoreCase, also for .gitignore
  };

  // Whether the ".git" of `folder`, an absolute path, makes it a repository: it
  // has a HEAD. As for git, an empty folder of that name does not. (git also looks
  // for objects and refs.) A file ".git" does if it names a folder; we do not look
  // there, because it may lie outside. What cannot be read is an error, and makes
  // none.
  bool IsRepository(const std::string& folder, std::vector<IgnoreFileError>& errors);

  // `folder` is a repository.
  Excludes ForRepository(const std::string& folder, std::vector<IgnoreFileError>& errors);

  // For a tree that belongs to no repository.
  Excludes WithoutRepository(std::vector<IgnoreFileError>& errors);

  // Absolute paths of all files that it tried to read so far, also missing
  // ones.
  std::vector<std::string> inputs() const;
  void AddInput(std::string path);
  // The same for ignore files in the folders themselves, whose changes a watch reports.
  std::vector<std::string> files() const;
  void AddFile(std::string path);

 private:
  struct GitFolder {
    std::string path;    // what ".git" is or names
    std::string common;  // with config and info/; another one for a linked work tree
    ReadFile read;       // reads the files that it names
    ConfigWriter writer = ConfigWriter::kTree;
  };
  GitSettings SettingsOf(const GitFolder& git, std::vector<IgnoreFileError>& errors);
  void ReadUserFiles(GitConfigReader& reader) const;
  // What was left out of the configuration, by this reader and of the user's files.
  void AddErrors(const GitConfigReader& reader, const std::string& shown, std::vector<IgnoreFileError>& errors) const;
  void AddInputs(const GitConfigReader& reader);
  GitFolder FindGitFolder(const std::string& folder, std::vector<IgnoreFileError>& errors) const;
  // How to read files that a repository with its top at `folder` names.
  ReadFile ReaderFor(const std::string& folder) const;
  // Reads the user's own file, at an absolute path.
  RulesPtr Global(const std::string& path, LetterCase letters, std::vector<IgnoreFileError>& errors);
  std::string DefaultGlobal() const;

  const GitEnvironment& environment_;
  const Sandbox& sandbox_;
  // What the user's own files say where no condition holds.
  GitSettings user_;
  bool user_conditional_ = false;  // other places may have other settings
  bool user_cut_ = false;
  std::optional<os::OsError> user_failed_;

  mutable Mutex mutex_;
  std::set<std::string> inputs_ GUARDED_BY(mutex_);
  std::set<std::string> files_ GUARDED_BY(mutex_);
  // The repositories of one user nearly always share one file of global
  // excludes.
  std::string last_path_ GUARDED_BY(mutex_);
  LetterCase last_letters_ GUARDED_BY(mutex_) = LetterCase::kExact;
  RulesPtr last_rules_ GUARDED_BY(mutex_);
  std::vector<IgnoreFileError> last_errors_ GUARDED_BY(mutex_);
};

}  // namespace forge
