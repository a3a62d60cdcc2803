// The user's home folder: too much to search by accident.
#pragma once

#include <string>

namespace forge::os {

// Whether the folder, a canonical path, is a home folder of the user of this
// process or holds it. Home is `variable`, the value of HOME ("" if it is not
// set), and also what the user database says: a host may start us without HOME.
bool HoldsHome(const std::string& folder, const std::string& variable);

}  // namespace forge::os
