// What models write when they mean well.
//
// Models and hosts send "50" for 50, "true" for true, null for a field that they
// leave out, "*.cc" or "[\"*.cc\"]" for a list of one. Each of these can be read
// in one way only, and an error costs the model another round. So the MCP server
// rewrites them before the strict check (FR-LS-02a), which then judges as ever.
// The library and `forge-search call` stay strict: programs should learn of
// their mistakes.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "tool/schema.h"

namespace forge::tool {

// `arguments` is an object. What is not understood stays as it is.
void RewriteLenient(const std::vector<Field>& fields, nlohmann::json& arguments);

}  // namespace forge::tool
