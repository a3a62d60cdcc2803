// Opens files by name, as open(2) does: follows links wherever they lead.
//
// For paths that the user, the configuration or the system gave: configuration
// files, keys, the cache folder, git's files in the home folder. Never for a path
// from a request, or from the searched tree; scripts/check-includes keeps the
// layers that see such paths from including this.
#pragma once

#include <cstdint>
#include <string>

#include "os/file.h"

namespace forge::os {

OsResult<Fd> OpenFolder(const std::string& path);
OsResult<FileInfo> StatPath(const std::string& path);

// The absolute path without links; an error if there is nothing.
OsResult<std::string> CanonicalPath(const std::string& path);
// The same as far as folders exist, and the rest as text, normalized. `path` itself
// if the system does not tell.
std::string ResolvedPath(const std::string& path);

bool IsFolder(const std::string& path);

// Where relative paths start; "" if that folder is gone.
std::string CurrentFolder();

// The canonical absolute path of an open file, as the kernel knows it.
OsResult<std::string> RealPath(int fd);

// A whole small file; EFBIG if it has more bytes than `limit`.
OsResult<std::string> ReadSmallFile(const std::string& path, std::uint64_t limit);

}  // namespace forge::os
