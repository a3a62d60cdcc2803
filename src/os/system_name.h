// What this machine is, for a report that a person sends; and a link, for a test of the
// machine.
#pragma once

#include <string>

namespace forge::os {

// "Linux 6.1.0 x86_64", "Darwin 23.4.0 arm64", "Windows 10.0.19045 x86_64".
std::string SystemName();

// Makes a symbolic link to a folder. False if the system or the user may not.
bool MakeFolderLink(const std::string& target, const std::string& path);

}  // namespace forge::os
