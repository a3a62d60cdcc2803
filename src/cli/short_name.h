// The short name for people.
//
//   frg TODO src    ->   forge-search search TODO src
//   frg             ->   forge-search live           (on a terminal)
//
// By this name the program only searches, so that every word may be a pattern:
// `frg index` looks for "index". No package of Debian 12 has a program of this
// name (its lists of contents were searched).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace forge::cli {

inline constexpr std::string_view kShortName = "frg";

// The words after `invoked_as`, the name by which the program was started, as
// forge-search takes them. `terminal`: its input and output are one.
std::vector<std::string> Unabbreviated(std::string_view invoked_as, std::vector<std::string> words, bool terminal);

}  // namespace forge::cli
