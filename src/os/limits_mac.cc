#include "os/limits.h"

namespace forge::os {

std::optional<std::uint64_t> MaxWatches() { return std::nullopt; }

std::optional<std::uint64_t> OwnMemory() { return std::nullopt; }

}  // namespace forge::os
