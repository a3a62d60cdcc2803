// The Search tool for models: the MCP server offers it.
//
// It is the tool of tool/search_tool.h with more fields, and it meets a model
// halfway. It understands the words of other tools (foreign_fields.h), repairs
// paths and patterns that cannot be meant as they are written (paths.h,
// readings.h) and says so, counts what it does not show (find.h), and spares
// tokens (text.h). It only asks the library for what any caller may ask;
// `forge-search call` and the printed schema have the specified tool.
#pragma once

#include <memory>

#include "tool/tool.h"

namespace forge::agent {

// One tool is one session: a note about the project is said once.
std::unique_ptr<tool::Tool> MakeSearchTool(tool::EngineProvider engine);

}  // namespace forge::agent
