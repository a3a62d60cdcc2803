// Absolute, normalized paths as text: no "." or "..", no double or trailing
// slash (except in "/" itself).
#pragma once

#include <string>
#include <string_view>

namespace forge {

// True if `path` is `folder` or lies below it. Both absolute, normalized.
bool IsWithin(std::string_view path, std::string_view folder);

// "a" + "b" with exactly one slash; an empty side is left out.
std::string JoinPath(std::string_view folder, std::string_view name);

// "/a" of "/a/b", "/" of "/a" and of "/".
std::string_view ParentPath(std::string_view path);

// `path` below `folder`, without its slash; empty if they are the same.
std::string_view RelativeTo(std::string_view path, std::string_view folder);

}  // namespace forge
