#include <cstring>

#include "base/last_byte.h"

namespace forge {

const char* LastByte(std::string_view text, char byte) {
  return static_cast<const char*>(memrchr(text.data(), byte, text.size()));
}

}  // namespace forge
