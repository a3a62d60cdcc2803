// The checksum of stored bytes: XXH3, 64 bits. It finds accidents, not forgers:
// whoever may write to the cache may also write a fitting checksum, so readers
// check every bound as well.
#pragma once

#include <cstdint>
#include <string_view>

namespace forge::index {

// A seed ties bytes to their place: the same bytes elsewhere do not pass.
std::uint64_t Checksum(std::string_view bytes, std::uint64_t seed);

}  // namespace forge::index
