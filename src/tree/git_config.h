// Just enough of git's configuration to find core.excludesFile.
//
// Files, later ones win: the system's, the user's two (or GIT_CONFIG_GLOBAL),
// the repository's. [include] is followed; [includeIf] and ~user are not.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "os/file.h"

namespace forge {

// What of the process environment matters to ignore rules. Read once, in
// OfProcess(); tests make their own.
struct GitEnvironment {
  std::string home;                  // for "~/"; may be empty
  std::string config_home;           // $XDG_CONFIG_HOME, else ~/.config; may be empty
  std::vector<std::string> configs;  // system and user files, in order

  static const GitEnvironment& OfProcess();
};

// One "key = value". Section and key are in lower case. No value: the key
// stands alone, which means true.
struct GitConfigEntry {
  std::string section;
  std::string subsection;
  std::string key;
  std::optional<std::string> value;
};

// Calls `use` for every entry up to the first syntax error; false if there was
// one.
bool ParseGitConfig(std::string_view text, const std::function<void(const GitConfigEntry&)>& use);

// Reads a small file at an absolute path; who owns the configuration decides
// which files it may name (see git_excludes.h).
using ReadFile = std::function<os::OsResult<std::string>(const std::string& path, std::uint64_t limit)>;

// The value of core.excludesFile as `file` and what it includes have it, with
// "~/" expanded. `looked_at` gets the paths of all files that were asked for.
std::optional<std::string> ReadExcludesFileSetting(const std::string& file, const GitEnvironment& environment,
                                                   const ReadFile& read, std::vector<std::string>* looked_at = nullptr);

}  // namespace forge
