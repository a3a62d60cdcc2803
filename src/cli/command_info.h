// The command line described as data. Shell completions and the manual page are
// made from it, so they always agree with the parser.
#pragma once

#include <string>
#include <vector>

namespace forge::cli {

struct OptionInfo {
  std::vector<std::string> names;  // "-F", "--fixed-strings"; of a positional argument its word
  std::string value;               // "N"; "" for a flag
  std::string doc;
  std::vector<std::string> choices;  // if there is a fixed list
  bool positional = false;
  bool required = false;  // a positional argument
};

struct CommandInfo {
  std::string name;
  std::string doc;
  std::string footer;  // examples
  std::vector<OptionInfo> options;
  std::vector<CommandInfo> commands;
};

enum class Shell { kBash, kZsh, kFish };

// A script for that shell.
std::string Completions(const CommandInfo& program, Shell shell);

// In troff, for man(1).
std::string ManPage(const CommandInfo& program);

}  // namespace forge::cli
