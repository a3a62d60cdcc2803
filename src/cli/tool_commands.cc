// forge-search call, forge-search schema

#include <istream>
#include <ostream>
#include <utility>

#include "cli/commands.h"
#include "cli/lazy_engine.h"
#include "tool/keyword_tool.h"
#include "tool/parse.h"
#include "tool/registry.h"
#include "tool/search_tool.h"

namespace forge::cli {
namespace {

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

Result<tool::Document> Call(const CommandLine& line, Host& host) {
  if (line.error) return BadArgs(line.error->message + (line.error->hint.empty() ? "" : "; " + line.error->hint));
  const auto loaded = LoadConfigAndWarn(line, host);
  if (!loaded) return loaded.error();
  LazyEngine engine([&] { return CreateEngine(line, *loaded, host); });
  tool::Registry registry;
  if (Status added = AddTools(
          *loaded, [&engine] { return engine.Get(); }, registry);
      !added)
    return added.error();
  const auto found = registry.Find(line.tool);
  if (!found) return found.error();
  const std::string arguments = line.arguments == "-" ? ReadBounded(host.in) : line.arguments;
  if (host.stop.token().cancelled()) return Cancelled();
  if (arguments.find_first_not_of(" \t\r\n") == std::string::npos) {
    return BadArgs(
        "the request is empty; give the arguments as JSON, such as {\"pattern\": \"TODO\"}, after the name "
        "of the tool or on standard input");
  }
  auto read = tool::ParseArguments((*found)->definition().fields, arguments, tool::Leniency::kStrict);
  if (!read) return read.error();
  const auto invocation = (*found)->Prepare(*std::move(read));
  if (!invocation) return invocation.error();
  const auto answer = (*invocation)->Run({.cancel = host.stop.token()});
  if (!answer) return answer.error();
  return answer->document();
}

}  // namespace

Status AddTools(const config::Loaded& loaded, const std::function<Result<Engine*>()>& engine,
                tool::Registry& registry) {
  if (Status added = registry.Add(tool::MakeSearchTool(engine), SearchDisabledBy(loaded)); !added) return added;
  return registry.Add(tool::MakeKeywordTool(engine), KeywordDisabledBy(loaded));
}

int RunCall(const CommandLine& line, Host& host) {
  const auto answer = Call(line, host);
  const tool::Document document = answer ? *answer : tool::ToDocument(answer.error());
  document.Write(host.out);
  host.out << '\n';
  if (answer) return 0;
  return answer.error().kind == ErrorKind::kCancelled ? kExitInterrupted : kExitError;
}

int RunSchema(const CommandLine& line, Host& host) {
  const auto loaded = LoadConfigAndWarn(line, host);
  if (!loaded) return Fail(host, loaded.error());
  LazyEngine engine([&] { return CreateEngine(line, *loaded, host); });
  tool::Registry registry;
  if (Status added = AddTools(
          *loaded, [&engine] { return engine.Get(); }, registry);
      !added)
    return Fail(host, added.error());
  if (line.tool.empty()) {
    tool::WritePretty(tool::ToDocument(registry.Definitions(), line.format), host.out);
    return 0;
  }
  const auto found = registry.Find(line.tool);
  if (!found) return Fail(host, found.error());
  tool::WritePretty(tool::ToDocument((*found)->definition(), line.format), host.out);
  return 0;
}

}  // namespace forge::cli
