#include <csignal>

#include "os/signals.h"

namespace forge::os {
namespace {

// The only globals: a signal handler gets no argument of ours. Cancel() is a store
// to an atomic and a write(2), both allowed in a handler.
CancelSource* stop_on_signal = nullptr;
volatile std::sig_atomic_t received = 0;

void OnSignal(int number) {
  received = number;
  stop_on_signal->Cancel();
}

}  // namespace

void HandleSignals(CancelSource& stop) {
  stop_on_signal = &stop;
  struct sigaction action = {};
  action.sa_handler = OnSignal;
  action.sa_flags = static_cast<int>(SA_RESETHAND);  // and no SA_RESTART: a blocked read must end
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);  // a write beyond ulimit -f then fails with EFBIG
  // We inherit an ignored SIGCHLD, and it would lose how a searcher ended.
  std::signal(SIGCHLD, SIG_DFL);
}

int SignalReceived() { return received; }

}  // namespace forge::os
