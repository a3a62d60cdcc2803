// forge-search schema

#include <ostream>

#include "cli/common.h"
#include "tool/registry.h"
#include "tool/write.h"

namespace forge::cli {
namespace {

struct SchemaCommand : Command {
  std::string tool_name;  // "": all of them
  tool::SchemaFormat format = tool::SchemaFormat::kMcp;

  void Define(Options& options) override {
    using Format = tool::SchemaFormat;
    options.Optional("TOOL", tool_name, "One tool (default: a list of all)");
    options.Choice<Format>("--format", format,
                           {{"mcp", Format::kMcp}, {"openai", Format::kOpenAi}, {"anthropic", Format::kAnthropic}},
                           "NAME", "mcp (default), openai or anthropic");
  }

  int Run(const GlobalOptions& global, Host& host) override {
    const auto loaded = LoadConfigAndWarn(global, host, config::Profile::kSpecification);
    if (!loaded) return Fail(host, loaded.error());
    tool::Registry registry;
    const auto no_engine = []() -> Result<std::shared_ptr<Engine>> {
      return ExecutionFailed("a schema needs no engine");
    };
    if (Status added = AddTools(*loaded, no_engine, registry); !added) return Fail(host, added.error());
    if (tool_name.empty()) {
      tool::WritePretty(tool::ToDocument(registry.Definitions(), format), host.out);
      return 0;
    }
    const auto found = registry.Find(tool_name);
    if (!found) return Fail(host, found.error());
    tool::WritePretty(tool::ToDocument((*found)->definition(), format), host.out);
    return 0;
  }
};

}  // namespace

CommandEntry SchemaEntry() {
  return {"schema", "Print what a tool is for and which arguments it takes",
          "Example:\n  forge-search schema Search --format openai", Make<SchemaCommand>};
}

}  // namespace forge::cli
