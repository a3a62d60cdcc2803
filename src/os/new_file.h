// Writes new files and new versions of old ones. A file appears complete or not
// at all.
#pragma once

#include <string>
#include <string_view>

#include "os/file.h"

namespace forge::os {

// Creates `path` and missing parents with `text`; only the owner can read it.
// Never replaces an existing file: that is EEXIST.
OsResult<bool> WriteNewFile(const std::string& path, std::string_view text);

// Replaces the content of the file at `path`, which must exist; keeps its mode.
// If `path` is a link, replaces the content of its target.
OsResult<bool> ReplaceFile(const std::string& path, std::string_view text);

}  // namespace forge::os
