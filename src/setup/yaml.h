// Our entry in a YAML file, for the one host that has no other (Continue).
//
//   mcpServers:
//     - name: forge-search
//       command: "/usr/bin/forge-search"
//       args: ["mcp"]
//
// We read no YAML. We look at lines: a list under a key at the beginning of a line,
// one entry a dash. What does not look like that is left to the user.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "forge/result.h"

namespace forge::setup {

struct YamlEntry {
  std::string section;  // the key of the list
  std::string name;
  std::string program;
  std::vector<std::string> arguments;
};

// The entry alone, with its section and what a new file must have before it.
std::string YamlFile(const YamlEntry& entry);

// `text` with the entry in it; the same text if it has it already. If it has one with
// another program, that becomes ours, and not a byte beside it changes.
Result<std::string> EditYaml(const std::string& text, const YamlEntry& entry);

// The command of the entry with this name.
std::optional<std::string> YamlProgram(const std::string& text, const std::string& section, const std::string& name);

}  // namespace forge::setup
