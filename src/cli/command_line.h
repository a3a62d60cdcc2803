// Turns the words of a command line into a command that can be run.
//
// Parsing is separate from running: the result has been checked for form, and
// nothing has been opened, read or run yet.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "cli/command.h"
#include "cli/command_info.h"

namespace forge::cli {

struct CommandLine {
  GlobalOptions global;
  // Set as soon as it is known, even if the rest is wrong: `call` answers its
  // usage errors in JSON. Null if no command was recognized.
  std::unique_ptr<Command> command;
  std::optional<UsageError> error;
  bool version = false;  // --version was given, which counts more than a command
  std::string help;      // --help was given; or an error, and this goes before it
};

CommandLine ParseCommandLine(const std::vector<std::string>& arguments);

// The program itself, with its commands.
CommandInfo DescribeCommandLine();

// The help of the command that `topics` name, such as {"config", "init"}; of the
// program if there are none.
std::variant<std::string, UsageError> HelpFor(const std::vector<std::string>& topics);

}  // namespace forge::cli
