// Folders that the system sets aside for a user: the home folder, which is too much
// to search by accident, and those for what programs keep.
#pragma once

#include <string>

#include "base/environment.h"

namespace forge::os {

// Whether the folder, a canonical path, is a home folder of the user of this
// process or holds it. Home is `variable`, the value of HOME ("" if it is not
// set), and also what the user database says: a host may start us without HOME.
bool HoldsHome(const std::string& folder, const std::string& variable);

// Where programs keep what they can make anew: $XDG_CACHE_HOME or ~/.cache,
// ~/Library/Caches, %LOCALAPPDATA%. "" if the environment does not say.
std::string UserCacheFolder(const Environment& environment);

// For temporary files.
std::string TemporaryFolder(const Environment& environment);

// Where git looks for the configuration of all users.
std::string SystemConfigFolder(const Environment& environment);

}  // namespace forge::os
