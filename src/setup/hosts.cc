#include "setup/hosts.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/path.h"
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
  const char* variable;                   // names the user's folder; "" for none
  const char* user_folder;                // below the home folder, while the variable is not set
  const char* user_file;                  // below that folder
  const char* project_file;               // below the project; "" for none
  const char* section;                    // of the file, with an entry for each server
  Json (*entry)(const Starter& starter);  // of a JSON file
  const char* own_command;                // in front of the program's path and " mcp"; "" for none
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
// Copilot offers no tool of a server unless told so.
Json Copilot(const Starter& starter) {
  return {{"type", "local"}, {"command", starter.program}, {"args", Words(starter)}, {"tools", {"*"}}};
}
Json Zed(const Starter& starter) {
  return {{"source", "custom"}, {"command", starter.program}, {"args", Words(starter)}, {"env", Json::object()}};
}

// Sorted by name.
const Host kHosts[] = {
    {"claude-code", Format::kJson, "", "", ".claude.json", ".mcp.json", "mcpServers", Stdio,
     "claude mcp add --scope user forge-search --"},
    {"cline", Format::kJson, "", ".cline", "data/settings/cline_mcp_settings.json", "", "mcpServers", Plain, ""},
    {"codex", Format::kToml, "CODEX_HOME", ".codex", "config.toml", "", "", nullptr, "codex mcp add forge-search --"},
    {"continue", Format::kYaml, "CONTINUE_GLOBAL_DIR", ".continue", "config.yaml", "", "mcpServers", nullptr, ""},
    {"copilot", Format::kJson, "COPILOT_HOME", ".copilot", "mcp-config.json", ".github/mcp.json", "mcpServers", Copilot,
     "copilot mcp add forge-search --"},
    {"cursor", Format::kJson, "", ".cursor", "mcp.json", ".cursor/mcp.json", "mcpServers", Rooted, ""},
    {"gemini", Format::kJson, "", ".gemini", "settings.json", ".gemini/settings.json", "mcpServers", Plain,
     "gemini mcp add --scope user forge-search"},
    {"kilo", Format::kJson, "XDG_CONFIG_HOME", ".config", "kilo/kilo.json", "kilo.json", "mcp", OpenCode, ""},
    {"opencode", Format::kJson, "XDG_CONFIG_HOME", ".config", "opencode/opencode.json", "opencode.json", "mcp",
     OpenCode, ""},
    {"qwen", Format::kJson, "", ".qwen", "settings.json", ".qwen/settings.json", "mcpServers", Plain,
     "qwen mcp add --scope user forge-search"},
    {"vscode", Format::kJson, "XDG_CONFIG_HOME", ".config", "Code/User/mcp.json", ".vscode/mcp.json", "servers", Stdio,
     ""},
    {"zed", Format::kJson, "XDG_CONFIG_HOME", ".config", "zed/settings.json", ".zed/settings.json", "context_servers",
     Zed, ""},
};

const Host& Find(const std::string& name) {
  const auto* found = std::find_if(std::begin(kHosts), std::end(kHosts), [&](const Host& h) { return h.name == name; });
  return found != std::end(kHosts) ? *found : kHosts[0];
}

// Hosts that have another place on another system. The rest keep to theirs: kilo and
// opencode take XDG_CONFIG_HOME and ~/.config on macOS and Windows too.
struct Elsewhere {
  const char* host;
  os::System system;
  const char* variable;
  const char* user_folder;
  const char* user_file;
};

const Elsewhere kElsewhere[] = {
    {"vscode", os::System::kMac, "", "Library/Application Support", "Code/User/mcp.json"},
    {"vscode", os::System::kWindows, "APPDATA", "AppData/Roaming", "Code/User/mcp.json"},
    {"zed", os::System::kMac, "", ".config", "zed/settings.json"},
    {"zed", os::System::kWindows, "APPDATA", "AppData/Roaming", "Zed/settings.json"},
};

Host HostOn(const std::string& name, os::System system) {
  Host host = Find(name);
  for (const Elsewhere& other : kElsewhere) {
    if (other.system != system || name != other.host) continue;
    host.variable = other.variable;
    host.user_folder = other.user_folder;
    host.user_file = other.user_file;
  }
  return host;
}

// On Windows, hosts take the user's profile even if a HOME is set.
std::string HomeFolder(const Environment& environment, os::System system) {
  std::string profile = system == os::System::kWindows ? environment.GetAbsolute("USERPROFILE") : "";
  return profile.empty() ? environment.GetAbsolute("HOME") : profile;
}

// Continue puts nothing before the names of a server's tools, and has a tool that is
// called Search itself. The model would see two, and get the other one.
YamlEntry Continue(const Host& host, const Starter& starter) {
  return {host.section, kName, starter.program, Words(starter, {"mcp", "--tool-prefix", "forge_"})};
}

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

// Calls accept(edited) with `text` for each place where `old` stands, `now` put in
// its place; the first text that is accepted is the result.
template <typename Accept>
std::optional<std::string> ReplaceOne(const std::string& text, const std::string& old, const std::string& now,
                                      const Accept& accept) {
  for (std::size_t at = text.find(old); at != std::string::npos; at = text.find(old, at + 1)) {
    std::string edited = text;
    edited.replace(at, old.size(), now);
    if (accept(edited)) return edited;
  }
  return std::nullopt;
}

bool SameButProgram(const std::vector<config::Entry>& a, const std::vector<config::Entry>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const config::Entry& x, const config::Entry& y) {
    const bool ours = x.section == kTomlTable && x.name == "command";
    return x.section == y.section && x.name == y.name && (ours || x.value == y.value);
  });
}

// Another program becomes ours; not a byte beside it changes.
std::optional<std::string> CorrectToml(const std::string& text, const std::string& there, const Starter& starter) {
  if (!starter.arguments.empty()) return std::nullopt;
  const auto before = config::ParseToml(text, "it");
  const auto accept = [&](const std::string& edited) {
    const auto after = config::ParseToml(edited, "it");
    return after && TomlProgram(edited) == starter.program && SameButProgram(*before, *after);
  };
  for (const std::string& quoted : {config::TomlText(there), "'" + there + "'"}) {
    if (auto edited = ReplaceOne(text, quoted, config::TomlText(starter.program), accept)) return edited;
  }
  return std::nullopt;
}

Result<std::string> EditToml(const std::string& text, const Starter& starter) {
  if (const auto old = config::ParseToml(text, "it"); !old) return old.error();
  if (const auto there = TomlProgram(text)) {
    if (*there == starter.program) return text;
    if (auto corrected = CorrectToml(text, *there, starter)) return *std::move(corrected);
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

Json ParseCommented(const std::string& text) {
  return Json::parse(text, nullptr, /*allow_exceptions=*/false, /*ignore_comments=*/true);
}

Json::json_pointer CommandIn(const Host& host) {
  return Json::json_pointer("/" + std::string(host.section) + "/" + kName + "/command");
}

std::string JsonString(const Json& value) { return value.is_string() ? value.get<std::string>() : ""; }

// "": there is no such entry. A list begins with the program.
std::string JsonProgram(const Host& host, const Json& json) {
  const auto place = CommandIn(host);
  if (!json.is_object() || !json.contains(place)) return "";
  const Json& command = json.at(place);
  return command.is_array() && !command.empty() ? JsonString(command.front()) : JsonString(command);
}

// In a file with comments, which our writer would lose, another program becomes
// ours, and not a byte beside it changes.
std::optional<std::string> CorrectCommented(const Host& host, const std::string& text, const Starter& starter) {
  Json wanted = ParseCommented(text);
  const std::string there = JsonProgram(host, wanted);
  if (there.empty() || !starter.arguments.empty()) return std::nullopt;
  if (there == starter.program) return text;
  Json& command = wanted.at(CommandIn(host));
  (command.is_array() ? command.front() : command) = starter.program;
  const auto quoted = [](const std::string& word) {
    return Json(word).dump(-1, ' ', false, Json::error_handler_t::replace);
  };
  return ReplaceOne(text, quoted(there), quoted(starter.program),
                    [&](const std::string& edited) { return ParseCommented(edited) == wanted; });
}

Result<std::string> EditJson(const Host& host, const std::string& text, const Starter& starter) {
  auto json = ParseObject(text);
  if (!json) {
    if (auto corrected = CorrectCommented(host, text, starter)) return *std::move(corrected);
  }
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

}  // namespace

std::vector<std::string> HostNames() {
  std::vector<std::string> names;
  for (const Host& host : kHosts) names.emplace_back(host.name);
  return names;
}

std::optional<std::string> FileOf(const std::string& name, Scope scope, const Environment& environment,
                                  const std::string& project, os::System system) {
  const Host host = HostOn(name, system);
  if (scope == Scope::kProject) {
    if (host.project_file[0] == '\0') return std::nullopt;
    return JoinPath(project, host.project_file);
  }
  const std::string moved = host.variable[0] == '\0' ? "" : environment.GetAbsolute(host.variable);
  if (!moved.empty()) return JoinPath(moved, host.user_file);
  const std::string home = HomeFolder(environment, system);
  if (home.empty()) return std::nullopt;
  return JoinPath(JoinPath(home, host.user_folder), host.user_file);
}

Starter StarterFor(const std::string& program) {
  if (program.find("/_npx/") == std::string::npos) return {program};
  // With a drive, so on Windows: npx is a script there, and hosts start programs only.
  if (program.find(":/") == 1) return {"cmd", {"/c", "npx", "-y", kName}};
  return {"npx", {"-y", kName}};
}

std::string Snippet(const std::string& name, const Starter& starter) {
  const Host& host = Find(name);
  if (host.format == Format::kToml) return TomlBlock(starter);
  if (host.format == Format::kYaml) return YamlFile(Continue(host, starter));
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
  if (host.format == Format::kToml) return EditToml(text, starter);
  if (host.format == Format::kYaml) return EditYaml(text, Continue(host, starter));
  return EditJson(host, text, starter);
}

std::optional<std::string> ProgramIn(const std::string& name, const std::string& text) {
  const Host& host = Find(name);
  if (host.format == Format::kToml) return TomlProgram(text);
  if (host.format == Format::kYaml) return YamlProgram(text, host.section, kName);
  // We only look at it, so comments do no harm.
  const std::string program = JsonProgram(host, ParseCommented(text));
  return program.empty() ? std::nullopt : std::optional(program);
}

}  // namespace forge::setup
