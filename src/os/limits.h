// What the system allows this process.
#pragma once

#include <cstdint>
#include <optional>

namespace forge::os {

// How many files may be open at once; absent: no limit, or not known.
std::optional<std::uint64_t> MaxOpenFiles();

// How many folders one user may watch for changes.
std::optional<std::uint64_t> MaxWatches();

// The number of this process.
std::int64_t OwnProcess();

// How much memory this process has, its part of shared pages included (PSS), in
// bytes.
std::optional<std::uint64_t> OwnMemory();

// Gives memory that was freed back to the system. An allocator keeps what a large
// piece of work has used, in case that comes again; it takes some milliseconds.
void ReturnFreeMemory();

}  // namespace forge::os
