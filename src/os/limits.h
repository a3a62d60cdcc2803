// What the system allows this process.
#pragma once

#include <cstdint>
#include <optional>

namespace forge::os {

// Files that may be open at once; absent: no limit, or not known.
std::optional<std::uint64_t> MaxOpenFiles();

// Folders that one user may watch for changes.
std::optional<std::uint64_t> MaxWatches();

}  // namespace forge::os
