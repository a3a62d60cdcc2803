// Writing files: new ones, and new versions of old ones. Both appear complete or
// not at all.
#pragma once

#include <string>
#include <string_view>

#include "os/file.h"

namespace forge::os {

// Creates `path` and missing parents with `text`, readable by the owner only. An
// existing file is never replaced: that is EEXIST.
OsResult<bool> WriteNewFile(const std::string& path, std::string_view text);

// Puts `text` into the file at `path`, which must exist; its mode stays. If
// `path` is a link, what it leads to is replaced.
OsResult<bool> ReplaceFile(const std::string& path, std::string_view text);

}  // namespace forge::os
