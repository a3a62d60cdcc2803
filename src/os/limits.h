// What the system allows this process.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace forge::os {

// How many files may be open at once; absent: no limit, or not known.
std::optional<std::uint64_t> MaxOpenFiles();

// How many folders one user may watch for changes.
std::optional<std::uint64_t> MaxWatches();

// How many threads can run at once.
std::uint64_t Processors();

// The number of this process.
std::int64_t OwnProcess();

// How much memory this process has, its part of shared pages included (PSS), in
// bytes.
std::optional<std::uint64_t> OwnMemory();

}  // namespace forge::os
