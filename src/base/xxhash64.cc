#include "base/xxhash64.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace forge {

std::uint64_t XxHash64(std::string_view bytes, std::uint64_t seed) { return XXH64(bytes.data(), bytes.size(), seed); }

}  // namespace forge
