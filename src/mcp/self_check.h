// Checks whether the server would answer: it talks to itself, in memory.
#pragma once

#include <string>

#include "tool/registry.h"

namespace forge::mcp {

// A handshake of each era, the list of tools, and one call of `tool` with
// `arguments`. "" if everything worked, else what did not.
std::string SelfCheck(const tool::Registry& registry, const std::string& tool, const std::string& arguments);

}  // namespace forge::mcp
