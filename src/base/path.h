// Paths as text: bytes, with '/' between names on every system.
//
// An absolute path begins with its root, which no folder holds: "/", or on
// Windows "C:/" or "//server/share/". Where nothing else is said, paths are
// absolute and normalized: no "." or "..", no double slash, and none at the end
// (except in the root itself).
#pragma once

#include <string>
#include <string_view>

namespace forge {

// The root of an absolute path; "" of a relative one.
std::string_view PathRoot(std::string_view path);
inline bool IsAbsolutePath(std::string_view path) { return !PathRoot(path).empty(); }

// A path as a person or another program writes it, in our form: on Windows '/'
// for '\' and a capital drive letter. Elsewhere '\' is a letter like others.
std::string OwnForm(std::string_view path);

// `path` from its root on: "a/b" of "/a/b".
std::string_view BelowRoot(std::string_view path);

// True if `path` is `folder` or lies below it.
bool IsWithin(std::string_view path, std::string_view folder);

// "a" + "b" with exactly one slash; an empty side is left out.
std::string JoinPath(std::string_view folder, std::string_view name);
// The same, but `path` alone if it is absolute.
std::string PathFrom(std::string_view folder, std::string_view path);

// "/a" of "/a/b", "/" of "/a" and of "/". "" of a name without a folder.
std::string_view ParentPath(std::string_view path);

// "b" of "/a/b".
std::string_view LastName(std::string_view path);

// `path` below `folder`, without its slash; empty if they are the same.
std::string_view RelativeTo(std::string_view path, std::string_view folder);

// Without ".", "..", double slashes and a slash at the end, as far as the text
// alone tells. ".." at the root is the root. A relative path may become "".
std::string NormalPath(std::string_view path);

}  // namespace forge
