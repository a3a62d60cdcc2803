#include <sys/stat.h>
#include <unistd.h>

#include <iostream>

#include "api/create.h"
#include "app/signals.h"
#include "cli/cli.h"
#include "cli/short_name.h"
#include "os/process.h"
#include "remote/client.h"

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
                        .create_engine = {},
                        .stop = {},
                        .descriptors = forge::cli::Descriptors{STDIN_FILENO, STDOUT_FILENO},
                        .program = forge::os::OwnPath(),
                        .make_engine = forge::CreateEngineIn};
  host.create_engine = [&host](forge::EngineOptions options) {
    return forge::remote::CreateEngine(std::move(options), {.place = forge::remote::FindPlace(host.environment),
                                                            .environment = host.environment,
                                                            .program = host.program,
                                                            .local = forge::Engine::Create});
  };
  forge::app::HandleSignals(host.stop);
  const bool terminal = host.out_is_terminal && isatty(STDIN_FILENO) == 1;
  const std::vector<std::string> words(argv + (argc > 0 ? 1 : 0), argv + argc);
  const int status = forge::cli::RunCli(forge::cli::Unabbreviated(argc > 0 ? argv[0] : "", words, terminal), host);
  // The status by which a shell reports that a signal ended a process.
  const int number = forge::app::SignalReceived();
  return status == forge::cli::kExitInterrupted && number != 0 ? 128 + number : status;
}
