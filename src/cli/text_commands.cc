// forge-search completions, forge-search help --man, forge-search --version

#include <ostream>

#include "cli/command_info.h"
#include "cli/commands.h"
#include "forge/version.h"

namespace forge::cli {

int RunCompletions(const CommandLine& line, Host& host) {
  host.out << Completions(DescribeCommandLine(), line.shell);
  return 0;
}

int RunHelp(const CommandLine& line, Host& host) {
  host.out << (line.man ? ManPage(DescribeCommandLine()) : line.help);
  return 0;
}

int RunVersion(const CommandLine& line, Host& host) {
  if (!line.json) {
    host.out << "forge-search " << Version() << '\n';
    return 0;
  }
  host.out << R"({"name":"forge-search","version":")" << Version() << R"(","compiler":")" << __VERSION__
           << R"(","mcp":["2024-11-05","2025-03-26","2025-06-18","2025-11-25","2026-07-28"]})" << '\n';
  return 0;
}

}  // namespace forge::cli
