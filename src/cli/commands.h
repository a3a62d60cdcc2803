// What the commands share, and the commands themselves, each in a file of its
// own. All return the exit status.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "cli/cli.h"
#include "cli/command_line.h"
#include "cli/lazy_engine.h"
#include "config/load.h"
#include "forge/engine.h"
#include "forge/result.h"
#include "tool/registry.h"

namespace forge::cli {

int RunSearch(const CommandLine& line, Host& host);
int RunAsk(const CommandLine& line, Host& host);
int RunCall(const CommandLine& line, Host& host);
int RunSchema(const CommandLine& line, Host& host);
int RunMcp(const CommandLine& line, Host& host);
int RunConfigPrint(const CommandLine& line, Host& host);
int RunConfigCheck(const CommandLine& line, Host& host);
int RunConfigInit(const CommandLine& line, Host& host);
int RunConfigReference(const CommandLine& line, Host& host);
int RunDoctor(const CommandLine& line, Host& host);
int RunIndex(const CommandLine& line, Host& host);
int RunSetup(const CommandLine& line, Host& host);
int RunCompletions(const CommandLine& line, Host& host);
int RunHelp(const CommandLine& line, Host& host);
int RunVersion(const CommandLine& line, Host& host);

Result<config::Loaded> LoadConfig(const CommandLine& line, const Host& host);

// Loads the configuration and prints its warnings to standard error.
Result<config::Loaded> LoadConfigAndWarn(const CommandLine& line, Host& host);

Result<std::unique_ptr<Engine>> CreateEngine(const CommandLine& line, const config::Loaded& loaded, Host& host);

// What is wrong with the places of the index, as warnings to standard error.
void WarnOfIndex(const Engine& engine, Host& host);

// The setting that switches Search off, with its place; "" if it is on. Absent
// means on: whoever starts this program means to use it (R8).
std::string SearchDisabledBy(const config::Loaded& loaded);

// The same for keyword_search, which cannot be on where searching is off.
std::string KeywordDisabledBy(const config::Loaded& loaded);

// The tools that `call`, `schema` and `mcp` offer. `engine` must outlive the
// registry.
Status AddTools(const config::Loaded& loaded, const std::function<Result<Engine*>()>& engine, tool::Registry& registry);

// "forge-search: error: ..." and, if there is one, "  hint: ...", to standard
// error. Returns kExitError.
int Fail(Host& host, std::string_view message, std::string_view hint = "");
int Fail(Host& host, const Error& error);

}  // namespace forge::cli
