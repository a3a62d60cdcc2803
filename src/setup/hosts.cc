#include "setup/hosts.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "config/toml.h"

namespace forge::setup {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kName = "forge-search";
constexpr const char* kTomlTable = "mcp_servers.forge-search";

struct Host {
  const char* name;
  const char* home_variable;  // overrides the first folder of user_file; "" for none
  const char* user_file;      // below the home folder
  const char* project_file;   // below the project; "" for none
  const char* section;        // of a JSON file; "": the file is TOML
  Json (*entry)(const Starter& starter);
  const char* own_command;  // in front of the program's path and " mcp"; "" for none
};

std::vector<std::string> Words(const Starter& starter, std::vector<std::string> more = {"mcp"}) {
  more.insert(more.begin(), starter.arguments.begin(), starter.arguments.end());
  return more;
}

Json Plain(const Starter& starter) { return {{"command", starter.program}, {"args", Words(starter)}}; }
Json Stdio(const Starter& starter) {
  return {{"type", "stdio"}, {"command", starter.program}, {"args", Words(starter)}};
}
// Cursor starts servers in / or in the home folder. It claims to have roots but
// does not send them; it does fill in ${workspaceFolder}. VS Code does the
// opposite: it sends its roots, and while no folder is open it refuses to start
// a server that has ${workspaceFolder}.
Json Rooted(const Starter& starter) {
  return {{"type", "stdio"},
          {"command", starter.program},
          {"args", Words(starter, {"mcp", "--root", "${workspaceFolder}"})}};
}
Json OpenCode(const Starter& starter) {
  std::vector<std::string> command = Words(starter);
  command.insert(command.begin(), starter.program);
  return {{"type", "local"}, {"command", command}, {"enabled", true}};
}
Json Zed(const Starter& starter) {
  return {{"source", "custom"}, {"command", starter.program}, {"args", Words(starter)}, {"env", Json::object()}};
}

// Sorted by name.
const Host kHosts[] = {
    {"claude-code", "", ".claude.json", ".mcp.json", "mcpServers", Stdio,
     "claude mcp add --scope user forge-search --"},
    {"codex", "CODEX_HOME", ".codex/config.toml", "", "", nullptr, "codex mcp add forge-search --"},
    {"cursor", "", ".cursor/mcp.json", ".cursor/mcp.json", "mcpServers", Rooted, ""},
    {"gemini", "", ".gemini/settings.json", ".gemini/settings.json", "mcpServers", Plain,
     "gemini mcp add --scope user forge-search"},
    {"opencode", "XDG_CONFIG_HOME", ".config/opencode/opencode.json", "opencode.json", "mcp", OpenCode, ""},
    {"vscode", "XDG_CONFIG_HOME", ".config/Code/User/mcp.json", ".vscode/mcp.json", "servers", Stdio, ""},
    {"zed", "XDG_CONFIG_HOME", ".config/zed/settings.json", ".zed/settings.json", "context_servers", Zed, ""},
};

const Host& Find(const std::string& name) {
  const auto* found = std::find_if(std::begin(kHosts), std::end(kHosts), [&](const Host& h) { return h.name == name; });
  return found != std::end(kHosts) ? *found : kHosts[0];
}

bool IsToml(const Host& host) { return host.section[0] == '\0'; }

std::string TomlBlock(const Starter& starter) {
  std::string words;
  for (const std::string& word : Words(starter)) words += (words.empty() ? "" : ", ") + config::TomlText(word);
  // Codex passes on almost no variables; a server may need these.
  return "[" + std::string(kTomlTable) + "]\ncommand = " + config::TomlText(starter.program) + "\nargs = [" + words +
         "]\nenv_vars = [\"FORGE_SEARCH_ROOT\", \"FORGE_CONFIG\", \"OPENAI_API_KEY\", "
         "\"ANTHROPIC_API_KEY\", \"FIREWORKS_API_KEY\"]\n";
}

std::optional<std::string> TomlProgram(const std::string& text) {
  const auto entries = config::ParseToml(text, "");
  if (!entries) return std::nullopt;
  for (const config::Entry& entry : *entries) {
    const auto* value = std::get_if<std::string>(&entry.value);
    if (entry.section == kTomlTable && entry.name == "command" && value != nullptr) return *value;
  }
  return std::nullopt;
}

Result<std::string> EditToml(const std::string& text, const Starter& starter) {
  if (const auto old = config::ParseToml(text, "it"); !old) return old.error();
  if (const auto there = TomlProgram(text)) {
    if (*there == starter.program) return text;
    return ExecutionFailed("[" + std::string(kTomlTable) + "] is there already, with the command " + *there);
  }
  const std::string gap = text.empty() ? "" : text.ends_with('\n') ? "\n" : "\n\n";
  std::string edited = text + gap + TomlBlock(starter);
  if (const auto parsed = config::ParseToml(edited, "it"); !parsed) {
    return ExecutionFailed("it defines mcp_servers in a way that a table cannot be added to");
  }
  return edited;
}

// Nothing if it is not strict JSON with an object on top.
std::optional<Json> ParseObject(const std::string& text) {
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) return Json::object();
  Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) return std::nullopt;
  return json;
}

Result<std::string> EditJson(const Host& host, const std::string& text, const Starter& starter) {
  auto json = ParseObject(text);
  if (!json) return ExecutionFailed("it is not plain JSON (comments, perhaps), and editing would lose that");
  Json& section = (*json)[host.section];
  if (section.is_null()) section = Json::object();
  if (!section.is_object()) return ExecutionFailed(std::string(host.section) + " in it is not an object");
  Json& entry = section[kName];
  if (!entry.is_object()) entry = Json::object();
  const Json before = entry;
  entry.update(host.entry(starter));  // keeps what the user added there
  if (entry == before) return text;
  return json->dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string JsonString(const Json& value) { return value.is_string() ? value.get<std::string>() : ""; }

}  // namespace

std::vector<std::string> HostNames() {
  std::vector<std::string> names;
  for (const Host& host : kHosts) names.emplace_back(host.name);
  return names;
}

std::optional<std::string> FileOf(const std::string& name, Scope scope, const Environment& environment,
                                  const std::string& project) {
  const Host& host = Find(name);
  if (scope == Scope::kProject) {
    if (host.project_file[0] == '\0') return std::nullopt;
    return project + "/" + host.project_file;
  }
  const std::string file = host.user_file;
  const std::string moved = host.home_variable[0] == '\0' ? "" : environment.GetAbsolute(host.home_variable);
  if (!moved.empty()) return moved + file.substr(file.find('/'));
  const std::string home = environment.GetAbsolute("HOME");
  if (home.empty()) return std::nullopt;
  return home + "/" + file;
}

Starter StarterFor(const std::string& program) {
  if (program.find("/_npx/") == std::string::npos) return {program};
  return {"npx", {"-y", kName}};
}

std::string Snippet(const std::string& name, const Starter& starter) {
  const Host& host = Find(name);
  if (IsToml(host)) return TomlBlock(starter);
  Json json = Json::object();
  json[host.section][kName] = host.entry(starter);
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string OwnCommand(const std::string& name, const Starter& starter) {
  const Host& host = Find(name);
  if (host.own_command[0] == '\0') return "";
  std::string command = std::string(host.own_command) + " " + starter.program;
  for (const std::string& word : Words(starter)) command += " " + word;
  return command;
}

Result<std::string> Edit(const std::string& name, const std::string& text, const Starter& starter) {
  const Host& host = Find(name);
  return IsToml(host) ? EditToml(text, starter) : EditJson(host, text, starter);
}

std::optional<std::string> ProgramIn(const std::string& name, const std::string& text) {
  const Host& host = Find(name);
  if (IsToml(host)) return TomlProgram(text);
  // We only look at it, so comments do no harm.
  const Json json = Json::parse(text, nullptr, false, /*ignore_comments=*/true);
  const Json::json_pointer place("/" + std::string(host.section) + "/" + kName + "/command");
  if (!json.is_object() || !json.contains(place)) return std::nullopt;
  const Json& command = json.at(place);
  return command.is_array() && !command.empty() ? JsonString(command.front()) : JsonString(command);
}

}  // namespace forge::setup
