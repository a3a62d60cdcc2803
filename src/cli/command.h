// One command of the program.
//
//   struct CountCommand : Command {
//     std::string path;
//
//     void Define(Options& options) override { options.Optional("PATH", path, "Where to count"); }
//     int Run(const GlobalOptions& global, Host& host) override { ... }
//   };
//
//   CommandEntry CountEntry() { return {"count", "Count lines", kFooter, Make<CountCommand>}; }
//
// A command is a struct in a file of its own: its members are its options,
// Define() binds them, Run() does the work. A row in command_table.cc adds it to
// the program; help, completions and the manual page follow from Define().
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/cli.h"
#include "cli/options.h"

namespace forge::cli {

// Options that every command takes, before or after its name.
struct GlobalOptions {
  std::vector<std::string> roots;
  std::string cwd;
  std::string config_file;
  std::vector<std::string> sets;
  std::string backend;
  std::string index;   // off, auto, on; "": as configured
  std::string server;  // likewise
  bool json = false;   // where a command has it
};

struct UsageError {
  std::string message;
  std::string hint;  // "": where the help is
};

class Command {
 public:
  virtual ~Command() = default;

  // References to members stay in `options` until the line is parsed.
  virtual void Define(Options& /*options*/) {}

  // After parsing: turns what was written into what it means.
  virtual std::optional<UsageError> Resolve() { return std::nullopt; }

  // Nothing has been opened, read or run before this. Returns the exit status.
  virtual int Run(const GlobalOptions& global, Host& host) = 0;

  // Instead of Run(), when the command line is wrong.
  virtual int Refuse(const UsageError& error, Host& host) const;

  // A command may know more about a mistake than the usual message.
  virtual UsageError UnknownOption(const std::string& /*option*/, UsageError usual) const { return usual; }
  virtual UsageError UnexpectedArgument(const std::string& /*word*/, UsageError usual) const { return usual; }
};

// A command, or a group of commands such as `config`.
struct CommandEntry {
  const char* name;
  const char* doc;
  const char* footer = "";
  std::unique_ptr<Command> (*make)() = nullptr;  // null for a group
  std::vector<CommandEntry> commands = {};       // of a group
};

template <typename T>
std::unique_ptr<Command> Make() {
  return std::make_unique<T>();
}

// All commands, in the order of --help.
std::vector<CommandEntry> CommandTable();

}  // namespace forge::cli
