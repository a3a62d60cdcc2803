// Finds the last place of a byte in a text: what rfind does, at the speed of the
// system's own search where it has one.
#pragma once

#include <string_view>

namespace forge {

// Null if there is none.
const char* LastByte(std::string_view text, char byte);

}  // namespace forge
