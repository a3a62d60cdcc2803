// Whether the server would answer: a short conversation with itself, in memory.
#pragma once

#include <string>

#include "tool/registry.h"

namespace forge::mcp {

// A handshake of each era, the list of tools, and one call of `tool` with
// `arguments`. "" if all went well, else what did not.
std::string SelfCheck(const tool::Registry& registry, const std::string& tool, const std::string& arguments);

}  // namespace forge::mcp
