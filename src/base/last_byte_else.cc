#include "base/last_byte.h"

namespace forge {

const char* LastByte(std::string_view text, char byte) {
  const std::size_t at = text.rfind(byte);
  return at == std::string_view::npos ? nullptr : text.data() + at;
}

}  // namespace forge
