// forge-search completions

#include <ostream>

#include "cli/command.h"
#include "cli/command_info.h"
#include "cli/command_line.h"

namespace forge::cli {
namespace {

constexpr const char* kFooter = R"(Examples:
  echo 'source <(forge-search completions bash)' >> ~/.bashrc
  echo 'autoload -U compinit; compinit; source <(forge-search completions zsh)' >> ~/.zshrc
  mkdir -p ~/.config/fish; echo 'forge-search completions fish | source' >> ~/.config/fish/config.fish

They complete frg as well.)";

struct CompletionsCommand : Command {
  Shell shell = Shell::kBash;

  void Define(Options& options) override {
    options.Required<Shell>("SHELL", shell, {{"bash", Shell::kBash}, {"zsh", Shell::kZsh}, {"fish", Shell::kFish}},
                            "bash, zsh or fish");
  }

  int Run(const GlobalOptions& /*global*/, Host& host) override {
    host.out << Completions(DescribeCommandLine(), shell);
    return 0;
  }
};

}  // namespace

CommandEntry CompletionsEntry() {
  return {"completions", "Print completions for a shell", kFooter, Make<CompletionsCommand>};
}

}  // namespace forge::cli
