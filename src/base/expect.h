// Tells the processor which memory will be read soon, so that it fetches several places
// at once instead of waiting for each. Has no other effect: the bytes need not be there.
#pragma once

#include <cstddef>

namespace forge {

inline void ExpectBytes(const void* begin, std::size_t size) {
  constexpr std::size_t kLine = 64;  // of the processor's cache
  if (size == 0) return;
  const char* const at = static_cast<const char*>(begin);
  for (std::size_t i = 0; i < size; i += kLine) __builtin_prefetch(at + i);
  __builtin_prefetch(at + size - 1);  // the first byte may be in the middle of a line
}

}  // namespace forge
