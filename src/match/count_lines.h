// Counts the line feeds of a text, 32 bytes at a time where the machine can.
#pragma once

#include <cstdint>
#include <string_view>

namespace forge {

std::uint64_t CountLineFeeds(std::string_view text);

}  // namespace forge
