// The checksum of stored bytes: XXH3, 64 bits. It finds accidents, not
// forgeries: a process that can write to the cache can also write a matching
// checksum. So readers check every bound as well.
#pragma once

#include <cstdint>
#include <string_view>

namespace forge::index {

// The seed says where the bytes belong, so the same bytes fail in another
// place.
std::uint64_t Checksum(std::string_view bytes, std::uint64_t seed);

}  // namespace forge::index
