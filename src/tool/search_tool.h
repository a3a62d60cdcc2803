// The Search tool: JSON around forge::Engine.
#pragma once

#include <memory>
#include <string_view>

#include "forge/search.h"
#include "tool/tool.h"

namespace forge::tool {

// FR-LS-01 and FR-LS-02a.
const Definition& SearchDefinition();

// The request in `json`, read strictly; BadArgs names the field at fault.
Result<SearchRequest> ParseSearchRequest(std::string_view json);

// The fields of the definition, moved out of `arguments`. Checks nothing more.
SearchRequest TakeSearchRequest(Arguments& arguments);

std::unique_ptr<Tool> MakeSearchTool(EngineProvider engine);

}  // namespace forge::tool
