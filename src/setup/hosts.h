// The programs that can start our MCP server, and how to configure them.
//
//   claude-code   ~/.claude.json            .mcp.json
//   codex         ~/.codex/config.toml
//   cursor        ~/.cursor/mcp.json        .cursor/mcp.json
//   ...           for the user              for one project
//
// VS Code and Zed have other places on macOS and Windows.
//
// One table: `setup` writes what it says, and `doctor` looks where it says.
// Pure: texts go in and come out; the caller reads and writes the files.
//
// We add to a JSON file only if it is strict JSON: our writer would lose its
// comments. To a TOML file we append a table, so the rest stays as it is. Where our
// entry is there and starts another program, only that program's path changes, in
// any of these files.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/environment.h"
#include "forge/result.h"
#include "os/this_system.h"

namespace forge::setup {

enum class Scope { kUser, kProject };

// What a host starts: a program, and arguments before "mcp".
struct Starter {
  std::string program;
  std::vector<std::string> arguments = {};
};

// How to start the program at this path tomorrow too: npx keeps what it runs in a
// cache, so a host must ask npx again.
Starter StarterFor(const std::string& program);

// "claude-code", "codex", ..., sorted.
std::vector<std::string> HostNames();

// Where the host keeps its configuration on that system. Nothing if it has none for
// that scope, or if there is no home folder.
std::optional<std::string> FileOf(const std::string& host, Scope scope, const Environment& environment,
                                  const std::string& project, os::System system);

// The text that a person would paste.
std::string Snippet(const std::string& host, const Starter& starter);

// The host's own command that does the same; "" if it has none.
std::string OwnCommand(const std::string& host, const Starter& starter);

// The text of the file with our entry in it; the same `text` if it has the
// entry already. ExecutionFailed says why we cannot edit it safely.
Result<std::string> Edit(const std::string& host, const std::string& text, const Starter& starter);

// The program that a configuration starts as forge-search, if it does.
std::optional<std::string> ProgramIn(const std::string& host, const std::string& text);

}  // namespace forge::setup
