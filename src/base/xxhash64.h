// xxHash64, the hash that Appendix F prescribes for n-grams.
#pragma once

#include <cstdint>
#include <string_view>

namespace forge {

std::uint64_t XxHash64(std::string_view bytes, std::uint64_t seed);

}  // namespace forge
