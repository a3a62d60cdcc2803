// The command line as a struct.
//
// Parsing (command_line.cc, the only file that knows CLI11) is separate from
// doing: what comes out here has been checked for form, and nothing has been
// opened, read or run yet.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "forge/keyword.h"
#include "forge/search.h"
#include "tool/write.h"

namespace forge::cli {

enum class Command {
  kNone,
  kHelp,
  kVersion,
  kSearch,
  kAsk,
  kCall,
  kSchema,
  kMcp,
  kConfigPrint,
  kConfigCheck,
  kConfigInit,
  kConfigReference,
  kDoctor,
  kSetup,
  kCompletions,
  kIndexBuild,
  kIndexStatus,
  kIndexVerify,
  kIndexClear,
  kIndexList,
  kIndexExplain
};

enum class ColorChoice { kAuto, kAlways, kNever };

struct UsageError {
  std::string message;
  std::string hint;
};

struct CommandLine {
  // Set as soon as it is known, even if the rest is wrong: `call` answers its
  // usage errors in JSON.
  Command command = Command::kNone;
  std::optional<UsageError> error;
  std::string help;  // for kHelp and kNone

  // On all commands.
  std::vector<std::string> roots;
  std::string cwd;
  std::string config_file;
  std::vector<std::string> sets;
  std::string backend;
  std::string index;  // off, auto, on; "": as configured

  // search
  SearchRequest request;
  ColorChoice color = ColorChoice::kAuto;

  KeywordSearchRequest question;  // ask

  // call, schema
  std::string tool;       // "" for schema: all of them
  std::string arguments;  // JSON; "-": from standard input
  tool::SchemaFormat format = tool::SchemaFormat::kMcp;

  bool json = false;        // search, doctor, --version
  bool structured = false;  // mcp
  bool origins = false;     // config print
  bool anew = false;        // index build
  std::string init_path;    // config init; "": ~/.forge/config.toml
  bool man = false;         // help
  std::string shell;        // completions
  std::string host;         // setup
  bool project = false;     // setup
  bool write = false;       // setup
};

CommandLine ParseCommandLine(const std::vector<std::string>& arguments);

}  // namespace forge::cli
