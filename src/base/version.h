#pragma once

#include <string_view>

namespace forge {

// "0.1.0", from the project() line of CMakeLists.txt.
std::string_view Version();

}  // namespace forge
