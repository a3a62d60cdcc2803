// Which system this program was made for, for the few rules that are other programs'
// and not ours: where each of them keeps its files.
#pragma once

namespace forge::os {

enum class System { kLinux, kMac, kWindows };

System ThisSystem();

}  // namespace forge::os
