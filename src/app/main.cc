#include <iostream>

#include "api/create.h"
#include "cli/cli.h"
#include "cli/short_name.h"
#include "os/process.h"
#include "os/signals.h"
#include "os/standard_streams.h"
#include "remote/client.h"

int main(int argc, char** argv) {
  std::ios::sync_with_stdio(false);
  const forge::os::StandardStreams streams = forge::os::PrepareStandardStreams();
  forge::cli::Host host{.in = std::cin,
                        .out = std::cout,
                        .err = std::cerr,
                        .out_is_terminal = streams.out_is_terminal,
                        .err_is_terminal = streams.err_is_terminal,
                        .in_has_text = streams.in_has_text,
                        .environment = forge::Environment::FromProcess(),
                        .create_engine = {},
                        .stop = {},
                        .descriptors = forge::cli::Descriptors{streams.in, streams.out},
                        .program = forge::os::OwnPath(),
                        .make_engine = forge::CreateEngineIn};
  host.create_engine = [&host](forge::EngineOptions options) {
    return forge::remote::CreateEngine(std::move(options), {.place = forge::remote::FindPlace(host.environment),
                                                            .environment = host.environment,
                                                            .program = host.program,
                                                            .local = forge::Engine::Create});
  };
  forge::os::HandleSignals(host.stop);
  const bool terminal = host.out_is_terminal && streams.in_is_terminal;
  const std::vector<std::string> words = forge::os::Arguments(argc, argv);
  const int status = forge::cli::RunCli(forge::cli::Unabbreviated(argc > 0 ? argv[0] : "", words, terminal), host);
  // The status by which a shell reports that a signal ended a process.
  const int number = forge::os::SignalReceived();
  return status == forge::cli::kExitInterrupted && number != 0 ? 128 + number : status;
}
