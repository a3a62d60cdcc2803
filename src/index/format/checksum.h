// The checksum of stored bytes: XXH3, 64 bits. It finds accidents, not forgeries: a
// process that can write to the cache can also write a fitting checksum. So readers
// check every bound as well.
#pragma once

#include <cstdint>
#include <string_view>

namespace forge::index {

// A seed that says where the bytes belong makes the same bytes fail elsewhere.
std::uint64_t Checksum(std::string_view bytes, std::uint64_t seed);

}  // namespace forge::index
