#include "base/text_room.h"

#include <algorithm>
#include <cstring>

namespace forge {

void TextRoom::Reserve(std::size_t bytes) {
  if (bytes <= size_ - used_) return;
  const std::size_t size = std::max(bytes, std::min(2 * size_, kLargestPiece));
  piece_ = std::make_shared_for_overwrite<char[]>(size);  // NOLINT(modernize-avoid-c-arrays)
  size_ = size;
  used_ = 0;
}

SharedText TextRoom::Copy(std::string_view text) {
  if (text.empty() || text.size() > size_ - used_) return text;
  char* const place = piece_.get() + used_;
  std::memcpy(place, text.data(), text.size());
  used_ += text.size();
  return {piece_, {place, text.size()}};
}

}  // namespace forge
