#include "setup/hosts.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "config/toml.h"
#include "setup/yaml.h"

namespace forge::setup {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kName = "forge-search";
constexpr const char* kTomlTable = "mcp_servers.forge-search";

enum class Format { kJson, kToml, kYaml };

struct Host {
  const char* name;
  Format format;
  const char* home_variable;                  // overrides the first folder of user_file; "" for none
  const char* user_file;                      // below the home folder
  const char* project_file;                   // below the project; "" for none
  const char* section;                        // of the file, with an entry for each server
  Json (*entry)(const std::string& program);  // of a JSON file
  const char* own_command;                    // in front of the program's path and " mcp"; "" for none
};

Json Plain(const std::string& program) { return {{"command", program}, {"args", {"mcp"}}}; }
Json Stdio(const std::string& program) { return {{"type", "stdio"}, {"command", program}, {"args", {"mcp"}}}; }
// Cursor starts servers in / or in the home folder. It claims to have roots but
// does not send them; it does fill in ${workspaceFolder}. VS Code does the
// opposite: it sends its roots, and while no folder is open it refuses to start
// a server that has ${workspaceFolder}.
Json Rooted(const std::string& program) {
  return {{"type", "stdio"}, {"command", program}, {"args", {"mcp", "--root", "${workspaceFolder}"}}};
}
Json OpenCode(const std::string& program) {
  return {{"type", "local"}, {"command", {program, "mcp"}}, {"enabled", true}};
}
// Copilot offers no tool of a server unless told so.
Json Copilot(const std::string& program) {
  return {{"type", "local"}, {"command", program}, {"args", {"mcp"}}, {"tools", {"*"}}};
}
Json Zed(const std::string& program) {
  return {{"source", "custom"}, {"command", program}, {"args", {"mcp"}}, {"env", Json::object()}};
}

// Sorted by name.
const Host kHosts[] = {
    {"claude-code", Format::kJson, "", ".claude.json", ".mcp.json", "mcpServers", Stdio,
     "claude mcp add --scope user forge-search --"},
    {"cline", Format::kJson, "", ".cline/data/settings/cline_mcp_settings.json", "", "mcpServers", Plain, ""},
    {"codex", Format::kToml, "CODEX_HOME", ".codex/config.toml", "", "", nullptr, "codex mcp add forge-search --"},
    {"continue", Format::kYaml, "CONTINUE_GLOBAL_DIR", ".continue/config.yaml", "", "mcpServers", nullptr, ""},
    {"copilot", Format::kJson, "COPILOT_HOME", ".copilot/mcp-config.json", ".github/mcp.json", "mcpServers", Copilot,
     "copilot mcp add forge-search --"},
    {"cursor", Format::kJson, "", ".cursor/mcp.json", ".cursor/mcp.json", "mcpServers", Rooted, ""},
    {"gemini", Format::kJson, "", ".gemini/settings.json", ".gemini/settings.json", "mcpServers", Plain,
     "gemini mcp add --scope user forge-search"},
    {"kilo", Format::kJson, "XDG_CONFIG_HOME", ".config/kilo/kilo.json", "kilo.json", "mcp", OpenCode, ""},
    {"opencode", Format::kJson, "XDG_CONFIG_HOME", ".config/opencode/opencode.json", "opencode.json", "mcp", OpenCode,
     ""},
    {"qwen", Format::kJson, "", ".qwen/settings.json", ".qwen/settings.json", "mcpServers", Plain,
     "qwen mcp add --scope user forge-search"},
    {"vscode", Format::kJson, "XDG_CONFIG_HOME", ".config/Code/User/mcp.json", ".vscode/mcp.json", "servers", Stdio,
     ""},
    {"zed", Format::kJson, "XDG_CONFIG_HOME", ".config/zed/settings.json", ".zed/settings.json", "context_servers", Zed,
     ""},
};

const Host& Find(const std::string& name) {
  const auto* found = std::find_if(std::begin(kHosts), std::end(kHosts), [&](const Host& h) { return h.name == name; });
  return found != std::end(kHosts) ? *found : kHosts[0];
}

// Continue puts nothing before the names of a server's tools, and has a tool that is
// called Search itself. The model would see two, and get the other one.
YamlEntry Continue(const Host& host, const std::string& program) {
  return {host.section, kName, program, {"mcp", "--tool-prefix", "forge_"}};
}

std::string TomlBlock(const std::string& program) {
  // Codex passes on almost no variables; a server may need these.
  return "[" + std::string(kTomlTable) + "]\ncommand = " + config::TomlText(program) +
         "\nargs = [\"mcp\"]\nenv_vars = [\"FORGE_SEARCH_ROOT\", \"FORGE_CONFIG\", \"OPENAI_API_KEY\", "
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

Result<std::string> EditToml(const std::string& text, const std::string& program) {
  if (const auto old = config::ParseToml(text, "it"); !old) return old.error();
  if (const auto there = TomlProgram(text)) {
    if (*there == program) return text;
    return ExecutionFailed("[" + std::string(kTomlTable) + "] is there already, with the command " + *there);
  }
  const std::string gap = text.empty() ? "" : text.ends_with('\n') ? "\n" : "\n\n";
  std::string edited = text + gap + TomlBlock(program);
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

Result<std::string> EditJson(const Host& host, const std::string& text, const std::string& program) {
  auto json = ParseObject(text);
  if (!json) return ExecutionFailed("it is not plain JSON (comments, perhaps), and editing would lose that");
  Json& section = (*json)[host.section];
  if (section.is_null()) section = Json::object();
  if (!section.is_object()) return ExecutionFailed(std::string(host.section) + " in it is not an object");
  Json& entry = section[kName];
  if (!entry.is_object()) entry = Json::object();
  const Json before = entry;
  entry.update(host.entry(program));  // keeps what the user added there
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

std::string Snippet(const std::string& name, const std::string& program) {
  const Host& host = Find(name);
  if (host.format == Format::kToml) return TomlBlock(program);
  if (host.format == Format::kYaml) return YamlFile(Continue(host, program));
  Json json = Json::object();
  json[host.section][kName] = host.entry(program);
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string OwnCommand(const std::string& name, const std::string& program) {
  const Host& host = Find(name);
  return host.own_command[0] == '\0' ? "" : std::string(host.own_command) + " " + program + " mcp";
}

Result<std::string> Edit(const std::string& name, const std::string& text, const std::string& program) {
  const Host& host = Find(name);
  if (host.format == Format::kToml) return EditToml(text, program);
  if (host.format == Format::kYaml) return EditYaml(text, Continue(host, program));
  return EditJson(host, text, program);
}

std::optional<std::string> ProgramIn(const std::string& name, const std::string& text) {
  const Host& host = Find(name);
  if (host.format == Format::kToml) return TomlProgram(text);
  if (host.format == Format::kYaml) return YamlProgram(text, host.section, kName);
  // We only look at it, so comments do no harm.
  const Json json = Json::parse(text, nullptr, false, /*ignore_comments=*/true);
  const Json::json_pointer place("/" + std::string(host.section) + "/" + kName + "/command");
  if (!json.is_object() || !json.contains(place)) return std::nullopt;
  const Json& command = json.at(place);
  return command.is_array() && !command.empty() ? JsonString(command.front()) : JsonString(command);
}

}  // namespace forge::setup
