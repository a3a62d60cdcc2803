// What the system allows this process.
#pragma once

#include <cstdint>
#include <optional>

namespace forge::os {

// How many files may be open at once; absent: no limit, or not known.
std::optional<std::uint64_t> MaxOpenFiles();

// How many folders one user may watch for changes.
std::optional<std::uint64_t> MaxWatches();

}  // namespace forge::os
