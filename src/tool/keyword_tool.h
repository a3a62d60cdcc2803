// The keyword_search tool: JSON around forge::Engine (REQ-KWS-004).
#pragma once

#include <memory>
#include <string_view>

#include "forge/keyword.h"
#include "tool/registry.h"
#include "tool/search_tool.h"

namespace forge::tool {

const Definition& KeywordDefinition();

// The request in `json`; BadArgs names the field at fault.
Result<KeywordSearchRequest> ParseKeywordRequest(std::string_view json);

std::unique_ptr<Tool> MakeKeywordTool(EngineProvider engine);

// The response as the tool answers it.
Document ToDocument(KeywordSearchResponse response);

}  // namespace forge::tool
