// The tools by name.
//
// A tool takes JSON and answers JSON; what it does in between is its own
// business. The command line and the MCP server only know this interface, so a
// second tool is one more Add().
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "forge/cancel.h"
#include "forge/progress.h"
#include "forge/result.h"
#include "tool/schema.h"
#include "tool/write.h"

namespace forge::tool {

struct CallOptions {
  CancelToken cancel = {};
  ProgressSink progress = {};
};

class Tool {
 public:
  virtual ~Tool() = default;
  virtual const Definition& definition() const = 0;

  // Thread-safe. `arguments` is untrusted JSON.
  virtual Result<Document> Call(std::string_view arguments, const CancelToken& cancel) = 0;

  // The same, and says how far it has come. A tool that is quick need not.
  virtual Result<Document> Run(std::string_view arguments, const CallOptions& options) {
    return Call(arguments, options.cancel);
  }

  // One line each, for a reader whose call got `answer` after `elapsed`: what
  // would have been found, say. They may depend on time, so they are no part of
  // the answer.
  virtual std::vector<std::string> Hints(std::string_view /*arguments*/, const Document& /*answer*/,
                                         std::chrono::milliseconds /*elapsed*/, const CancelToken& /*cancel*/) {
    return {};
  }
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
