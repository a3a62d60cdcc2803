// forge-search help

#include <ostream>

#include "cli/command_info.h"
#include "cli/command_line.h"
#include "cli/common.h"

namespace forge::cli {
namespace {

struct HelpCommand : Command {
  std::vector<std::string> topics;
  bool man = false;

  void Define(Options& options) override {
    options.Optional("COMMAND", topics, "Which command (default: all)");
    options.Flag("--man", man, "Print the manual page, for man(1)");
  }

  int Run(const GlobalOptions& /*global*/, Host& host) override {
    const auto help = HelpFor(topics);
    if (const auto* error = std::get_if<UsageError>(&help)) return Fail(host, error->message, error->hint);
    host.out << (man ? ManPage(DescribeCommandLine()) : std::get<std::string>(help));
    return 0;
  }
};

}  // namespace

CommandEntry HelpEntry() { return {"help", "Explain a command", "", Make<HelpCommand>}; }

}  // namespace forge::cli
