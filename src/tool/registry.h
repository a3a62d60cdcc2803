// The tools by name.
//
// A tool takes JSON and answers JSON; what it does in between is its own
// business. The command line and the MCP server only know this interface, so a
// second tool is one more Add().
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "forge/cancel.h"
#include "forge/result.h"
#include "tool/schema.h"
#include "tool/write.h"

namespace forge::tool {

class Tool {
 public:
  virtual ~Tool() = default;
  virtual const Definition& definition() const = 0;

  // Thread-safe. `arguments` is untrusted JSON.
  virtual Result<Document> Call(std::string_view arguments, const CancelToken& cancel) = 0;
};

class Registry {
 public:
  // DuplicateTool if the name or an alias is taken. A tool with `disabled_by`,
  // the setting that switched it off, is known but neither advertised nor run.
  Status Add(std::unique_ptr<Tool> tool, std::string disabled_by = "");

  // By name or alias, case-sensitive (B16). UnknownTool, or SandboxViolation
  // with reason Disabled (B17).
  Result<Tool*> Find(std::string_view name) const;

  // Of the tools that may be called, sorted by name.
  std::vector<const Definition*> Definitions() const;

 private:
  struct Entry {
    std::unique_ptr<Tool> tool;
    std::string disabled_by;
  };

  std::map<std::string_view, std::unique_ptr<Entry>> tools_;       // by name
  std::map<std::string_view, const Entry*, std::less<>> by_word_;  // names and aliases
};

}  // namespace forge::tool
