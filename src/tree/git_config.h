// Just enough of git's configuration to find core.excludesFile.
//
// It reads these files, and later ones win: the system's, the user's two (or
// GIT_CONFIG_GLOBAL), the repository's. It follows [include], but not
// [includeIf] and ~user.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "os/file.h"

namespace forge {

// The part of the process environment that matters to ignore rules. OfProcess()
// reads it once; tests make their own.
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

// Reads a small file at an absolute path. The owner of the configuration
// decides which files it may name (see git_excludes.h).
using ReadFile = std::function<os::OsResult<std::string>(const std::string& path, std::uint64_t limit)>;

// The value of core.excludesFile in `file` and the files it includes, with "~/"
// expanded. `looked_at` gets the paths of all files that it tried to read.
std::optional<std::string> ReadExcludesFileSetting(const std::string& file, const GitEnvironment& environment,
                                                   const ReadFile& read, std::vector<std::string>* looked_at = nullptr);

}  // namespace forge
