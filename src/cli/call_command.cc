// forge-search call

#include <istream>
#include <ostream>

#include "cli/common.h"
#include "cli/lazy_engine.h"
#include "tool/parse.h"
#include "tool/registry.h"

namespace forge::cli {
namespace {

constexpr const char* kFooter = R"(Examples:
  forge-search call Search '{"pattern":"TODO","max_results":5}'
  echo '{"pattern":"TODO"}' | forge-search call Search -
  forge-search schema Search                    which arguments there are

Prints exactly one JSON document: the response (exit status 0), or
{"error":{"kind":...,"message":...}} (exit status 2).)";

// One byte more than allowed is enough for the parser to refuse it.
std::string ReadBounded(std::istream& in) {
  std::string text;
  char buffer[64 * 1024];
  while (text.size() <= tool::kMaxJsonBytes && in) {
    in.read(buffer, sizeof buffer);
    text.append(buffer, static_cast<std::size_t>(in.gcount()));
  }
  return text;
}

Result<tool::Document> RunTool(tool::Tool& tool, std::string_view text, const CancelToken& cancel) {
  auto arguments = tool::ParseArguments(tool.definition().fields, text, tool::Leniency::kStrict);
  if (!arguments) return arguments.error();
  const auto invocation = tool.Prepare(*std::move(arguments));
  if (!invocation) return invocation.error();
  const auto answer = (*invocation)->Run({.cancel = cancel});
  if (!answer) return answer.error();
  return answer->take_document();
}

int Print(const Result<tool::Document>& answer, Host& host) {
  const tool::Document document = answer ? *answer : tool::ToDocument(answer.error());
  document.Write(host.out);
  host.out << '\n';
  if (answer) return 0;
  return answer.error().kind == ErrorKind::kCancelled ? kExitInterrupted : kExitError;
}

struct CallCommand : Command {
  std::string tool_name;
  std::string json = "-";

  void Define(Options& options) override {
    options.Required("TOOL", tool_name, "The name of the tool, such as Search");
    options.Optional("JSON", json, "Its arguments; '-' or nothing: read standard input");
  }

  int Run(const GlobalOptions& global, Host& host) override { return Print(Call(global, host), host); }

  // A program reads the answer, so a usage error is a document too.
  int Refuse(const UsageError& error, Host& host) const override {
    return Print(BadArgs(error.message + (error.hint.empty() ? "" : "; " + error.hint)), host);
  }

 private:
  Result<tool::Document> Call(const GlobalOptions& global, Host& host) const {
    const auto loaded = LoadConfigAndWarn(global, host, config::Profile::kSpecification);
    if (!loaded) return loaded.error();
    LazyEngine engine([&] {
      auto created = CreateEngine(global, *loaded, host);
      if (created) Warn(**created, host);
      return created;
    });
    tool::Registry registry;
    const auto provider = [&engine] { return engine.Get(); };
    if (Status added = AddTools(*loaded, provider, registry); !added) return added.error();
    const auto found = registry.Find(tool_name);
    if (!found) return found.error();
    const std::string arguments = json == "-" ? ReadBounded(host.in) : json;
    if (host.stop.token().cancelled()) return Cancelled();
    if (arguments.find_first_not_of(" \t\r\n") == std::string::npos) {
      return BadArgs(
          "the request is empty; give the arguments as JSON, such as {\"pattern\": \"TODO\"}, after the name "
          "of the tool or on standard input");
    }
    return RunTool(**found, arguments, host.stop.token());
  }
};

}  // namespace

CommandEntry CallEntry() { return {"call", "Call a tool with JSON, as an agent does", kFooter, Make<CallCommand>}; }

}  // namespace forge::cli
