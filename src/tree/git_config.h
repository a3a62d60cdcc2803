// Just enough of git's configuration to find core.excludesFile.
//
// Files, later ones win: the system's, the user's two (or GIT_CONFIG_GLOBAL),
// the repository's. [include] is followed; [includeIf] and ~user are not.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

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

// The value of core.excludesFile as `file` and what it includes have it, with
// "~/" expanded. `read` gets the paths of all files that were looked at.
std::optional<std::string> ReadExcludesFileSetting(const std::string& file, const GitEnvironment& environment,
                                                   std::vector<std::string>* read = nullptr);

}  // namespace forge
