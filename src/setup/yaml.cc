#include "setup/yaml.h"

#include <nlohmann/json.hpp>
#include <string_view>

#include "base/strings.h"

namespace forge::setup {
namespace {

using Json = nlohmann::json;

// A string of JSON is one of YAML.
std::string Quoted(const std::string& text) { return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace); }

std::string Unquoted(std::string_view text) {
  const Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  return json.is_string() ? json.get<std::string>() : std::string(text);
}

std::size_t Indentation(std::string_view line) {
  const std::size_t at = line.find_first_not_of(' ');
  return at == std::string_view::npos ? line.size() : at;
}

bool IsBlank(std::string_view line) {
  const std::string_view rest = line.substr(Indentation(line));
  return rest.empty() || rest.front() == '#' || rest == "\r";
}

// "name: forge-search" -> "forge-search"; nothing if the line has another key.
std::optional<std::string_view> ValueOf(std::string_view line, std::string_view key) {
  line.remove_prefix(Indentation(line));
  if (line.starts_with("- ")) line.remove_prefix(2);
  line.remove_prefix(Indentation(line));
  if (!line.starts_with(key) || line.size() == key.size() || line[key.size()] != ':') return std::nullopt;
  line.remove_prefix(key.size() + 1);
  line.remove_prefix(Indentation(line));
  while (!line.empty() && (line.back() == ' ' || line.back() == '\r')) line.remove_suffix(1);
  return line;
}

// The lines of the list: after its key, up to the next key at the beginning of a line.
struct Section {
  std::size_t key = 0;  // the number of its line
  std::size_t end = 0;
  std::string_view value;  // beside the key
};

std::optional<Section> FindSection(const std::vector<std::string_view>& lines, std::string_view name) {
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto value = Indentation(lines[i]) == 0 ? ValueOf(lines[i], name) : std::nullopt;
    if (!value || lines[i].starts_with('-')) continue;
    std::size_t end = i + 1;
    while (end < lines.size() && (IsBlank(lines[end]) || lines[end].starts_with(' ') || lines[end].starts_with('-'))) {
      ++end;
    }
    return Section{i, end, *value};
  }
  return std::nullopt;
}

// The command of the entry with this name, as it is written.
std::optional<std::string_view> FindCommand(const std::vector<std::string_view>& lines, std::string_view section,
                                            std::string_view name) {
  const auto found = FindSection(lines, section);
  if (!found) return std::nullopt;
  bool ours = false;
  for (std::size_t i = found->key + 1; i < found->end; ++i) {
    if (lines[i].substr(Indentation(lines[i])).starts_with("- ")) ours = false;
    if (const auto value = ValueOf(lines[i], "name")) ours = Unquoted(*value) == name;
    if (const auto value = ours ? ValueOf(lines[i], "command") : std::nullopt) return value;
  }
  return std::nullopt;
}

std::string Item(const YamlEntry& entry, std::size_t indentation) {
  const std::string before(indentation, ' ');
  std::string out = before + "- name: " + entry.name + "\n" + before + "  command: " + Quoted(entry.program) + "\n" +
                    before + "  args: [";
  for (const std::string& argument : entry.arguments) out += (out.ends_with('[') ? "" : ", ") + Quoted(argument);
  return out + "]\n";
}

std::string Joined(const std::vector<std::string_view>& lines, std::size_t first, std::size_t end) {
  std::string out;
  for (std::size_t i = first; i < end; ++i) out += std::string(lines[i]) + (i + 1 == lines.size() ? "" : "\n");
  return out;
}

}  // namespace

std::string YamlFile(const YamlEntry& entry) {
  return "name: Local\nversion: 1.0.0\nschema: v1\n" + entry.section + ":\n" + Item(entry, 2);
}

Result<std::string> EditYaml(const std::string& text, const YamlEntry& entry) {
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) return YamlFile(entry);
  const std::vector<std::string_view> lines = Split(text, '\n');
  if (const auto there = FindCommand(lines, entry.section, entry.name)) {
    if (Unquoted(*there) == entry.program) return text;
    if (entry.arguments.front() != "mcp") {  // the arguments differ, too
      return ExecutionFailed("it has an entry " + entry.name + " already, with the command " + Unquoted(*there));
    }
    return std::string(text).replace(static_cast<std::size_t>(there->data() - text.data()), there->size(),
                                     Quoted(entry.program));
  }
  const auto section = FindSection(lines, entry.section);
  if (!section) return text + (text.ends_with('\n') ? "" : "\n") + entry.section + ":\n" + Item(entry, 2);
  if (!section->value.empty())
    return ExecutionFailed(entry.section + " in it is not a list with a line for each entry");
  std::size_t indentation = 2;
  for (std::size_t i = section->end; i-- > section->key + 1;) {
    if (lines[i].substr(Indentation(lines[i])).starts_with("- ")) indentation = Indentation(lines[i]);
  }
  return Joined(lines, 0, section->key + 1) + Item(entry, indentation) + Joined(lines, section->key + 1, lines.size());
}

std::optional<std::string> YamlProgram(const std::string& text, const std::string& section, const std::string& name) {
  const std::vector<std::string_view> lines = Split(text, '\n');
  const auto value = FindCommand(lines, section, name);
  return value ? std::optional(Unquoted(*value)) : std::nullopt;
}

}  // namespace forge::setup
