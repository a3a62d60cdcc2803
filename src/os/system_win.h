// What the files for Windows share: text and paths in the system's form, errors as
// our codes, handles as descriptors, waiting.
//
// Names on disk are 16-bit words, mostly UTF-16 but not always: a lone surrogate is
// allowed. We keep such a word as the three bytes that UTF-8 would have for it
// (WTF-8), so every name survives the way there and back. Showing it replaces it,
// as any bytes that are not UTF-8.
#pragma once

#include <windows.h>

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "os/file.h"

#undef ReplaceFile  // a macro of windows.h; we have a function of that name

namespace forge::os {

inline HANDLE HandleOf(int descriptor) { return reinterpret_cast<HANDLE>(static_cast<std::intptr_t>(descriptor)); }
inline int DescriptorOf(HANDLE handle) { return static_cast<int>(reinterpret_cast<std::intptr_t>(handle)); }

std::wstring Wide(std::string_view bytes);
std::string Bytes(std::wstring_view wide);

// The path as the wide functions take it, at any length and with reserved names
// (\\?\C:\a\nul). A relative path starts at the current folder.
std::wstring ExtendedPath(std::string_view path);

// The nearest code of errno.
OsError ErrorOf(DWORD code);
OsError LastError();

// Nanoseconds since 1970 of a stamp in units of 100 ns since 1601, and back.
std::int64_t UnixNs(std::int64_t stamp);
std::int64_t StampOf(std::int64_t unix_ns);

// Waits for one of the descriptors; -1 is passed over. The place in the list of the
// first that is ready; -1 after `timeout_ms` (-1: never).
int WaitAny(std::initializer_list<int> descriptors, int timeout_ms);

// Opens by name. Follows a link in the last component, unless `flags` say
// otherwise.
OsResult<Fd> OpenNamed(const std::string& path, DWORD access, DWORD disposition, DWORD flags);

// Whether the open entry stands for another name: a symbolic link, a junction, a
// mounted volume. A file that the cloud, compression or deduplication keep
// elsewhere is none.
bool IsLink(int fd);

}  // namespace forge::os
