#include <sys/stat.h>
#include <unistd.h>

#include <iostream>

#include "app/signals.h"
#include "cli/cli.h"
#include "os/process.h"

namespace {

// A terminal or /dev/null has nothing to search.
bool InputHasText() {
  struct stat info = {};
  return fstat(STDIN_FILENO, &info) == 0 && (S_ISFIFO(info.st_mode) || S_ISREG(info.st_mode));
}

}  // namespace

int main(int argc, char** argv) {
  std::ios::sync_with_stdio(false);
  forge::cli::Host host{.in = std::cin,
                        .out = std::cout,
                        .err = std::cerr,
                        .out_is_terminal = isatty(STDOUT_FILENO) == 1,
                        .err_is_terminal = isatty(STDERR_FILENO) == 1,
                        .in_has_text = InputHasText(),
                        .environment = forge::Environment::FromProcess(),
                        .create_engine = forge::Engine::Create,
                        .stop = {},
                        .descriptors = forge::cli::Descriptors{STDIN_FILENO, STDOUT_FILENO},
                        .program = forge::os::OwnPath()};
  forge::app::HandleSignals(host.stop);
  const int status = forge::cli::RunCli({argv + 1, argv + argc}, host);
  // The status by which a shell reports that a signal ended a process.
  const int number = forge::app::SignalReceived();
  return status == forge::cli::kExitInterrupted && number != 0 ? 128 + number : status;
}
