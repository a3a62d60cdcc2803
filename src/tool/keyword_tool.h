// The keyword_search tool: JSON around forge::Engine (REQ-KWS-004).
#pragma once

#include <memory>
#include <string_view>

#include "forge/keyword.h"
#include "tool/tool.h"

namespace forge::tool {

const Definition& KeywordDefinition();

// The request in `json`, read strictly; BadArgs names the field at fault.
Result<KeywordSearchRequest> ParseKeywordRequest(std::string_view json);

std::unique_ptr<Tool> MakeKeywordTool(EngineProvider engine);

}  // namespace forge::tool
