// The tools by name.
//
// The command line and the MCP server know a tool only by tool.h, so a new tool
// is one more Add().
//
// A registry may put a prefix before each name, for a host where another tool has
// that name. A text for models writes the name of a tool in backticks, `Search`, so
// that Spelled() can put the name in force there.
//
// Thread-safe once all tools are added.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "forge/result.h"
#include "tool/schema.h"
#include "tool/tool.h"

namespace forge::tool {

class Registry {
 public:
  explicit Registry(std::string prefix = "") : prefix_(std::move(prefix)) {}

  // DuplicateTool if the name or an alias is taken. A tool with `disabled_by`,
  // the setting that switched it off, is known but neither advertised nor run.
  Status Add(std::unique_ptr<Tool> tool, std::string disabled_by = "");

  // By name or alias, with the prefix or without, case-sensitive (B16). UnknownTool,
  // or SandboxViolation with reason Disabled (B17).
  Result<Tool*> Find(std::string_view name) const;

  // The tools that may be called, sorted by name.
  std::vector<const Definition*> Definitions() const;

  // The name by which a model calls it.
  std::string NameOf(const Definition& definition) const;

  // `text` with the names in force.
  std::string Spelled(std::string text) const;

 private:
  struct Entry {
    std::unique_ptr<Tool> tool;
    std::string disabled_by;
  };

  const std::string prefix_;
  std::map<std::string_view, std::unique_ptr<Entry>> tools_;       // by name
  std::map<std::string_view, const Entry*, std::less<>> by_word_;  // names and aliases
};

}  // namespace forge::tool
