// The Search tool: JSON around forge::Engine.
#pragma once

#include <functional>
#include <memory>
#include <string_view>

#include "forge/engine.h"
#include "forge/search.h"
#include "tool/registry.h"

namespace forge::tool {

// FR-LS-01 and FR-LS-02a.
const Definition& SearchDefinition();

// The request in `json`; BadArgs names the field at fault.
Result<SearchRequest> ParseSearchRequest(std::string_view json);

// Gives the engine, or says why there is none. Called only for a request that
// is well-formed, so that a bad request is never blamed on the machine. The
// engine stays valid as long as the tool. Must be thread-safe if the tool is to
// be called from several threads.
using EngineProvider = std::function<Result<Engine*>()>;

std::unique_ptr<Tool> MakeSearchTool(EngineProvider engine);

}  // namespace forge::tool
