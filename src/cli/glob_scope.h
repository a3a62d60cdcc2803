// Globs of the command line count from the working folder, as ripgrep's do. Those
// of a request count from the folder that it searches. So for `-g 'src/cli/*' x src`
// the request gets "/cli/*".
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "forge/search.h"

namespace forge::cli {

// What is left of the globs of `request` below `folder`, which is relative to the
// folder that they count from. A glob without '/' stays: it counts at any depth.
// False if no file there can satisfy them; the request is then of no use.
bool MoveGlobs(std::string_view folder, SearchRequest& request);

}  // namespace forge::cli
