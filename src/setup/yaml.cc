#include "setup/yaml.h"

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "base/strings.h"

namespace forge::setup {
namespace {

using Json = nlohmann::json;

// A string of JSON is one of YAML.
std::string Quoted(const std::string& text) { return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace); }

std::string Unquoted(std::string_view text) {
  if (text.size() >= 2 && text.front() == '\'' && text.back() == '\'') {
    std::string out;
    for (std::size_t i = 1; i + 1 < text.size(); ++i) {
      out += text[i];
      if (text[i] == '\'') ++i;  // '' is one quote
    }
    return out;
  }
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

bool BeginsItem(std::string_view line) {
  const std::string_view rest = line.substr(Indentation(line));
  return rest.starts_with("- ") || rest == "-" || rest == "-\r";
}

// Where a text in quotes ends: after its second quote, which \ or another ' may hide.
std::size_t EndOfQuoted(std::string_view value) {
  const char quote = value.front();
  for (std::size_t i = 1; i < value.size(); ++i) {
    const bool hides = quote == '"' ? value[i] == '\\' : value.substr(i).starts_with("''");
    if (hides) {
      ++i;
    } else if (value[i] == quote) {
      return i + 1;
    }
  }
  return value.size();
}

// Without a comment after it, and without white space around it.
std::string_view Bare(std::string_view value) {
  const bool quoted = value.starts_with('"') || value.starts_with('\'');
  value = value.substr(0, quoted ? EndOfQuoted(value) : value.starts_with('#') ? 0 : value.find(" #"));
  while (!value.empty() && (value.back() == ' ' || value.back() == '\r')) value.remove_suffix(1);
  return value;
}

// "name: forge-search" -> "forge-search"; nothing if the line has another key, or its
// key in another column.
std::optional<std::string_view> ValueOf(std::string_view line, std::size_t column, std::string_view key) {
  if (line.size() <= column || line.substr(0, column).find_first_not_of(" -") != std::string_view::npos) {
    return std::nullopt;
  }
  line.remove_prefix(column);
  if (!line.starts_with(key) || line.size() == key.size() || line[key.size()] != ':') return std::nullopt;
  line.remove_prefix(key.size() + 1);
  line.remove_prefix(Indentation(line));
  return Bare(line);
}

// The lines of the list: after its key, up to the next key at the beginning of a line.
struct Section {
  std::size_t key = 0;  // the number of its line
  std::size_t end = 0;
  std::string_view value = {};  // beside the key
  std::size_t indentation = 2;  // of its entries
};

std::optional<Section> FindSection(const std::vector<std::string_view>& lines, std::string_view name) {
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto value = ValueOf(lines[i], 0, name);
    if (!value) continue;
    Section section{.key = i, .end = i + 1, .value = *value};
    const auto belongs = [&](std::string_view line) {
      return IsBlank(line) || line.starts_with(' ') || line.starts_with('-');
    };
    while (section.end < lines.size() && belongs(lines[section.end])) ++section.end;
    const auto* const first = std::find_if(&lines[i] + 1, lines.data() + section.end, BeginsItem);
    if (first != lines.data() + section.end) section.indentation = Indentation(*first);
    return section;
  }
  return std::nullopt;
}

// What an entry has, as it is written.
struct Found {
  std::optional<std::string_view> name = {};
  std::optional<std::string_view> command = {};
  std::optional<std::string_view> arguments = {};
};

std::optional<Found> FindEntry(const std::vector<std::string_view>& lines, const Section& section,
                               std::string_view name) {
  Found found;
  std::size_t column = 0;
  const auto is_ours = [&] { return found.name && Unquoted(*found.name) == name; };
  for (std::size_t i = section.key + 1; i < section.end; ++i) {
    if (BeginsItem(lines[i]) && Indentation(lines[i]) == section.indentation) {
      if (is_ours()) return found;
      found = {};
      column = section.indentation + 1 + Indentation(lines[i].substr(section.indentation + 1));
    }
    if (column == 0) continue;  // a comment before the first entry
    if (const auto value = ValueOf(lines[i], column, "name")) found.name = value;
    if (const auto value = ValueOf(lines[i], column, "command")) found.command = value;
    if (const auto value = ValueOf(lines[i], column, "args")) found.arguments = value;
  }
  return is_ours() ? std::optional(found) : std::nullopt;
}

std::string ListOf(const std::vector<std::string>& words) {
  std::string out = "[";
  for (const std::string& word : words) out += (out.ends_with('[') ? "" : ", ") + Quoted(word);
  return out + "]";
}

std::string Item(const YamlEntry& entry, std::size_t indentation) {
  const std::string before(indentation, ' ');
  return before + "- name: " + entry.name + "\n" + before + "  command: " + Quoted(entry.program) + "\n" + before +
         "  args: " + ListOf(entry.arguments) + "\n";
}

std::string Joined(const std::vector<std::string_view>& lines, std::size_t first, std::size_t end) {
  std::string out;
  for (std::size_t i = first; i < end; ++i) out += std::string(lines[i]) + (i + 1 == lines.size() ? "" : "\n");
  return out;
}

// Another program becomes ours. So do arguments that only start the server: an entry
// from before we needed more has those.
Result<std::string> Corrected(const std::string& text, const Found& there, const YamlEntry& entry) {
  const std::string program = there.command ? Unquoted(*there.command) : "";
  const bool other = program != entry.program;
  if (!there.command || (other && entry.arguments.front() != "mcp")) {  // by npx: the arguments differ, too
    return ExecutionFailed("it has an entry " + entry.name + " already, with the command " + program);
  }
  std::vector<std::pair<std::string_view, std::string>> changes;
  if (other) changes.emplace_back(*there.command, Quoted(entry.program));
  const bool bare = there.arguments && Json::parse(*there.arguments, nullptr, false) == Json::array({"mcp"});
  if (bare && entry.arguments.front() == "mcp") changes.emplace_back(*there.arguments, ListOf(entry.arguments));
  // The last one first, so that the places before it stay where they are.
  std::ranges::sort(changes, std::greater(), [](const auto& change) { return change.first.data(); });
  std::string edited = text;
  for (const auto& [part, now] : changes) {
    edited.replace(static_cast<std::size_t>(part.data() - text.data()), part.size(), now);
  }
  return edited;
}

}  // namespace

std::string YamlFile(const YamlEntry& entry) {
  return "name: Local\nversion: 1.0.0\nschema: v1\n" + entry.section + ":\n" + Item(entry, 2);
}

Result<std::string> EditYaml(const std::string& text, const YamlEntry& entry) {
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) return YamlFile(entry);
  const std::vector<std::string_view> lines = Split(text, '\n');
  const auto first = std::ranges::find_if_not(lines, IsBlank);
  if (first != lines.end() && first->starts_with('{')) {
    return ExecutionFailed("it is not written with a line for each key");
  }
  const auto section = FindSection(lines, entry.section);
  if (!section) return text + (text.ends_with('\n') ? "" : "\n") + entry.section + ":\n" + Item(entry, 2);
  if (const auto there = FindEntry(lines, *section, entry.name)) return Corrected(text, *there, entry);
  if (section->value == "[]") {
    return Joined(lines, 0, section->key) + entry.section + ":\n" + Item(entry, section->indentation) +
           Joined(lines, section->key + 1, lines.size());
  }
  if (!section->value.empty()) {
    return ExecutionFailed(entry.section + " in it is not a list with a line for each entry");
  }
  return Joined(lines, 0, section->key + 1) + Item(entry, section->indentation) +
         Joined(lines, section->key + 1, lines.size());
}

std::optional<std::string> YamlProgram(const std::string& text, const std::string& section, const std::string& name) {
  const std::vector<std::string_view> lines = Split(text, '\n');
  const auto list = FindSection(lines, section);
  const auto entry = list ? FindEntry(lines, *list, name) : std::nullopt;
  return entry && entry->command ? std::optional(Unquoted(*entry->command)) : std::nullopt;
}

}  // namespace forge::setup
