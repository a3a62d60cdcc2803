// A request as the arguments of the tool.
#pragma once

#include <string>

#include "forge/search.h"

namespace forge::testing {

// With ten minutes of time: a busy machine must not meet a limit. Bytes that are
// not UTF-8 become U+FFFD.
std::string RequestJson(const SearchRequest& request);

}  // namespace forge::testing
