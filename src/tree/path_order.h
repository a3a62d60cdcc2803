// The order of the eligible files: sort key of the whole path, then raw bytes.
#pragma once

#include <compare>
#include <string_view>

namespace forge {

// Paths are relative to one root, raw bytes. Negative, zero or positive.
int ComparePaths(std::string_view a, std::string_view b);

inline bool PathBefore(std::string_view a, std::string_view b) { return ComparePaths(a, b) < 0; }

}  // namespace forge
