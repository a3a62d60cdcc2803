// Long lines, for readers.
#pragma once

#include <cstddef>
#include <string>

#include "forge/search.h"

namespace forge {

inline constexpr std::size_t kMaxShownLine = 400;  // bytes

// A window of the line that shows the match, a third of the room before it.
std::string ClipLine(const Event& event, std::size_t width);

}  // namespace forge
