#include <atomic>
#include <csignal>

#include "os/signals.h"
#include "os/system_win.h"

namespace forge::os {
namespace {

// The only globals: the system gives a handler no argument of ours.
std::atomic<CancelSource*> stop_on_signal = nullptr;
std::atomic<int> received = 0;

// Called on a thread of its own. FALSE passes the event on, and so ends the process.
BOOL WINAPI OnEvent(DWORD event) {
  const int number = event == CTRL_C_EVENT || event == CTRL_BREAK_EVENT ? SIGINT : SIGTERM;
  if (received.exchange(number) != 0) return FALSE;
  stop_on_signal.load()->Cancel();
  return TRUE;
}

}  // namespace

void HandleSignals(CancelSource& stop) {
  stop_on_signal = &stop;
  SetConsoleCtrlHandler(OnEvent, TRUE);
}

int SignalReceived() { return received; }

}  // namespace forge::os
