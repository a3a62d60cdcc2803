// Just enough of git's configuration to know its ignore rules: which file is
// core.excludesFile, and whether core.ignoreCase is set.
//
// Later ones win: the system's file, the user's two (or GIT_CONFIG_GLOBAL), the
// repository's, its config.worktree if extensions.worktreeConfig is set, and the
// variables GIT_CONFIG_COUNT, GIT_CONFIG_KEY_<n> and GIT_CONFIG_VALUE_<n>.
// [include] is followed, and [includeIf] with gitdir:, gitdir/i: and onbranch:;
// hasconfig: and ~user are not.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/environment.h"
#include "os/file.h"

namespace forge {

// One "key = value". Section and key are in lower case. No value: the key
// stands alone, which means true.
struct GitConfigEntry {
  std::string section;
  std::optional<std::string> subsection;  // [core ""] has one, [core] has none
  std::string key;
  std::optional<std::string> value;
};

// The part of the environment that matters to ignore rules.
struct GitEnvironment {
  std::string home;                       // for "~/"; may be empty
  std::string config_home;                // $XDG_CONFIG_HOME, else ~/.config; may be empty
  std::vector<std::string> configs;       // system and user files, in order
  std::vector<GitConfigEntry> overrides;  // GIT_CONFIG_COUNT; they win over all files

  // Ignores relative paths: they would lead into the folder that we are started
  // in, and that may be the searched tree (R9).
  static GitEnvironment From(const Environment& environment);
  // Read once.
  static const GitEnvironment& OfProcess();
};

// Calls `use` for every entry up to the first syntax error; false if there was
// one.
bool ParseGitConfig(std::string_view text, const std::function<void(const GitConfigEntry&)>& use);

// Reads a small file at an absolute path. The owner of the configuration
// decides which files it may name (see git_excludes.h).
using ReadFile = std::function<os::OsResult<std::string>(const std::string& path, std::uint64_t limit)>;

// Whether an error of reading says that there is no such file, as opposed to one
// that is there and cannot be read: a folder in its place counts as none.
bool MeansNoFile(const os::OsError& error);

struct GitSettings {
  std::optional<std::string> excludes_file;  // with "~/" expanded
  bool excludes_by_tree = false;             // a file of the tree named it
  bool ignore_case = false;
  bool worktree_config = false;
};

// Who wrote a configuration file.
enum class ConfigWriter {
  kUser,            // the user, for all repositories
  kUserRepository,  // a repository of the user's that lies outside the tree
  kTree,            // a repository in the tree
};

// What the conditions of [includeIf] look at.
struct GitPlace {
  std::string folder;                   // the .git folder, absolute; empty: there is no repository
  std::function<std::string()> branch;  // that is checked out, "" if none; may be null
};

// Reads configuration files one after the other.
class GitConfigReader {
 public:
  // A file may include others, also itself. All together may be this much; the
  // rest is not read.
  static constexpr std::size_t kMostFiles = 100;
  static constexpr std::uint64_t kMostBytes = 4 << 20;

  // `environment` must outlive this. `settings` are from files read before.
  GitConfigReader(const GitEnvironment& environment, GitPlace place, GitSettings settings = {});

  void Read(const std::string& file, const ReadFile& read, ConfigWriter writer);
  // Those of the environment; `read` is for absolute paths that they include.
  void UseOverrides(const ReadFile& read);

  const GitSettings& settings() const { return settings_; }
  // Paths of all files that it tried to read.
  const std::vector<std::string>& looked_at() const { return looked_at_; }
  // There was a condition, so the settings hold for this place only.
  bool conditional() const { return conditional_; }
  // Files were not read because there are too many.
  bool cut() const { return cut_; }
  // The first error of a file that is there and could not be read. As for git, a
  // user's own file that the user may not read counts as none.
  const std::optional<os::OsError>& failed() const { return failed_; }

 private:
  // The file that is being read; no name: the environment.
  struct Source {
    std::string file;
    const ReadFile& read;
    ConfigWriter writer = ConfigWriter::kUser;
    int depth = 0;
  };

  void ReadOne(const Source& source);
  void Use(const GitConfigEntry& entry, const Source& source);
  void Include(const std::string& named, const Source& source);
  bool Holds(std::string_view condition, const Source& source);
  bool HoldsForFolder(std::string_view pattern, const Source& source, bool fold) const;
  std::string ExpandHome(const std::string& path) const;

  const GitEnvironment& environment_;
  const GitPlace place_;
  GitSettings settings_;
  std::vector<std::string> looked_at_;
  std::uint64_t bytes_ = 0;
  bool conditional_ = false;
  bool cut_ = false;
  std::optional<os::OsError> failed_;
};

}  // namespace forge
