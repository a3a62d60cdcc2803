// When a file was changed, read or made, for people who sort by it.
#pragma once

#include <cstdint>
#include <string>

namespace forge::os {

enum class FileTime { kModified, kAccessed, kCreated };

// In nanoseconds; 0 if it is not known.
std::int64_t TimeOf(const std::string& path, FileTime which);

}  // namespace forge::os
