// Long lines, for readers.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "forge/search.h"

namespace forge {

inline constexpr std::size_t kMaxShownLine = 400;  // bytes

// Where the match begins in the shown line, from 0. Columns count bytes of the file, and
// the shown line is longer where bad UTF-8 was replaced.
std::size_t ShownPlace(const Event& event);

// A window of the line that shows the match, a third of the room before it.
std::string ClipLine(std::string_view line, std::size_t match, std::size_t width);  // where the match begins, from 0
std::string ClipLine(const Event& event, std::size_t width);
void AppendClipped(const Event& event, std::size_t width, std::string& out);

}  // namespace forge
