// The ignore rules of a repository that stand in no folder of it: the global
// excludes of the user and .git/info/exclude.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

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

// The folder holds a repository or a linked work tree of one.
bool HasGitEntry(const std::string& folder);

// Thread-safe.
class GitExcludes {
 public:
  explicit GitExcludes(const GitEnvironment& environment);

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
  std::optional<std::string> Setting(const std::string& file);
  RulesPtr Global(const std::optional<std::string>& setting, const std::string& folder,
                  std::vector<IgnoreFileError>& errors);

  const GitEnvironment& environment_;
  std::optional<std::string> user_setting_;

  // Repositories of one user nearly always share one file of global excludes.
  mutable std::mutex mu_;
  std::set<std::string> inputs_;
  std::string last_path_;
  RulesPtr last_rules_;
};

}  // namespace forge
