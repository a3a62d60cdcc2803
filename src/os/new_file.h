// Writing a file that must not exist yet.
#pragma once

#include <string>
#include <string_view>

#include "os/file.h"

namespace forge::os {

// Creates `path` and missing parents with `text`, readable by the owner only.
// The file appears complete or not at all, and an existing one is never
// replaced: that is EEXIST.
OsResult<bool> WriteNewFile(const std::string& path, std::string_view text);

}  // namespace forge::os
