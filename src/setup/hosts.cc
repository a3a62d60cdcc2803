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
  Json (*entry)(const std::string& program);
  const char* own_command;  // in front of the program's path and " mcp"; "" for none
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
Json Zed(const std::string& program) {
  return {{"source", "custom"}, {"command", program}, {"args", {"mcp"}}, {"env", Json::object()}};
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
std::optional<std::string> CorrectToml(const std::string& text, const std::string& there, const std::string& program) {
  const auto before = config::ParseToml(text, "it");
  const auto accept = [&](const std::string& edited) {
    const auto after = config::ParseToml(edited, "it");
    return after && TomlProgram(edited) == program && SameButProgram(*before, *after);
  };
  for (const std::string& quoted : {config::TomlText(there), "'" + there + "'"}) {
    if (auto edited = ReplaceOne(text, quoted, config::TomlText(program), accept)) return edited;
  }
  return std::nullopt;
}

Result<std::string> EditToml(const std::string& text, const std::string& program) {
  if (const auto old = config::ParseToml(text, "it"); !old) return old.error();
  if (const auto there = TomlProgram(text)) {
    if (*there == program) return text;
    if (auto corrected = CorrectToml(text, *there, program)) return *std::move(corrected);
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
std::optional<std::string> CorrectCommented(const Host& host, const std::string& text, const std::string& program) {
  Json wanted = ParseCommented(text);
  const std::string there = JsonProgram(host, wanted);
  if (there.empty()) return std::nullopt;
  if (there == program) return text;
  Json& command = wanted.at(CommandIn(host));
  (command.is_array() ? command.front() : command) = program;
  const auto quoted = [](const std::string& word) {
    return Json(word).dump(-1, ' ', false, Json::error_handler_t::replace);
  };
  return ReplaceOne(text, quoted(there), quoted(program),
                    [&](const std::string& edited) { return ParseCommented(edited) == wanted; });
}

Result<std::string> EditJson(const Host& host, const std::string& text, const std::string& program) {
  auto json = ParseObject(text);
  if (!json) {
    if (auto corrected = CorrectCommented(host, text, program)) return *std::move(corrected);
  }
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
  if (IsToml(host)) return TomlBlock(program);
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
  return IsToml(host) ? EditToml(text, program) : EditJson(host, text, program);
}

std::optional<std::string> ProgramIn(const std::string& name, const std::string& text) {
  const Host& host = Find(name);
  if (IsToml(host)) return TomlProgram(text);
  // We only look at it, so comments do no harm.
  const std::string program = JsonProgram(host, ParseCommented(text));
  return program.empty() ? std::nullopt : std::optional(program);
}

}  // namespace forge::setup
