#include "cli/cli.h"

#include <cerrno>
#include <cstring>
#include <ostream>

#include "base/strings.h"
#include "base/utf8.h"
#include "cli/commands.h"

namespace forge::cli {
namespace {

int Usage(const CommandLine& line, Host& host) {
  if (line.command == Command::kCall) return RunCall(line, host);  // answers in JSON
  if (!line.help.empty()) host.err << line.help << '\n';
  return Fail(host, line.error->message, line.error->hint);
}

int Run(const CommandLine& line, Host& host) {
  if (line.error) return Usage(line, host);
  switch (line.command) {
    case Command::kNone: return Fail(host, "a command is required");
    case Command::kHelp: return RunHelp(line, host);
    case Command::kVersion: return RunVersion(line, host);
    case Command::kSearch: return RunSearch(line, host);
    case Command::kAsk: return RunAsk(line, host);
    case Command::kCall: return RunCall(line, host);
    case Command::kSchema: return RunSchema(line, host);
    case Command::kMcp: return RunMcp(line, host);
    case Command::kConfigPrint: return RunConfigPrint(line, host);
    case Command::kConfigCheck: return RunConfigCheck(line, host);
    case Command::kConfigInit: return RunConfigInit(line, host);
    case Command::kConfigReference: return RunConfigReference(line, host);
    case Command::kDoctor: return RunDoctor(line, host);
    case Command::kIndexBuild:
    case Command::kIndexStatus:
    case Command::kIndexVerify:
    case Command::kIndexClear:
    case Command::kIndexList:
    case Command::kIndexExplain: return RunIndex(line, host);
    case Command::kSetup: return RunSetup(line, host);
    case Command::kCompletions: return RunCompletions(line, host);
  }
  return kExitError;
}

}  // namespace

int RunCli(const std::vector<std::string>& arguments, Host& host) {
  errno = 0;
  const int status = Run(ParseCommandLine(arguments), host);
  host.out.flush();
  if (host.out) return status;
  // `forge-search ... | head` is no error: whoever read has seen enough.
  if (errno == EPIPE) return status;
  return Fail(host, std::string("cannot write the output: ") + (errno != 0 ? std::strerror(errno) : "unknown reason"));
}

Result<config::Loaded> LoadConfig(const CommandLine& line, const Host& host) {
  std::vector<std::string> sets = line.sets;
  if (!line.index.empty()) sets.push_back("tools.search.index_mode=" + line.index);
  return config::Load(
      {.file = line.config_file, .sets = sets, .backend = line.backend, .environment = host.environment});
}

Result<config::Loaded> LoadConfigAndWarn(const CommandLine& line, Host& host) {
  auto loaded = LoadConfig(line, host);
  if (!loaded) return loaded;
  for (const std::string& warning : loaded->warnings) {
    host.err << "forge-search: warning: " << Sanitize(LossyUtf8(warning)) << '\n';
  }
  return loaded;
}

Result<std::unique_ptr<Engine>> CreateEngine(const CommandLine& line, const config::Loaded& loaded, Host& host) {
  return host.create_engine({.config = loaded.config, .roots = line.roots, .working_dir = line.cwd});
}

void WarnOfIndex(const Engine& engine, Host& host) {
  for (const std::string& problem : engine.index_diagnostics()) {
    host.err << "forge-search: warning: " << Sanitize(LossyUtf8(problem)) << '\n';
  }
}

std::string SearchDisabledBy(const config::Loaded& loaded) {
  if (loaded.config.search.enabled.value_or(true)) return "";
  return "tools.search.enabled = false (" + loaded.origins[*config::FindKey("tools.search", "enabled")] + ")";
}

std::string KeywordDisabledBy(const config::Loaded& loaded) {
  if (loaded.config.keyword.enabled.value_or(true)) return SearchDisabledBy(loaded);
  return "tools.keyword_search.enabled = false (" +
         loaded.origins[*config::FindKey("tools.keyword_search", "enabled")] + ")";
}

int Fail(Host& host, std::string_view message, std::string_view hint) {
  host.err << "forge-search: error: " << Sanitize(LossyUtf8(message)) << '\n';
  if (!hint.empty()) host.err << "  hint: " << Sanitize(LossyUtf8(hint)) << '\n';
  return kExitError;
}

int Fail(Host& host, const Error& error) { return Fail(host, error.message); }

}  // namespace forge::cli
