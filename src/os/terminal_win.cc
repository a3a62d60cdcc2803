#include "os/command_line_win.h"
#include "os/system_win.h"
#include "os/terminal.h"

namespace forge::os {
namespace {

// 0, 1 and 2 as everywhere, else a handle. (Handles are multiples of four.)
HANDLE ConsoleOf(int fd) {
  switch (fd) {
    case 0: return GetStdHandle(STD_INPUT_HANDLE);
    case 1: return GetStdHandle(STD_OUTPUT_HANDLE);
    case 2: return GetStdHandle(STD_ERROR_HANDLE);
    default: return HandleOf(fd);
  }
}

// The program of this console alone gets ^C while the object lives.
class InterruptsIgnored {
 public:
  InterruptsIgnored() { SetConsoleCtrlHandler(nullptr, TRUE); }
  ~InterruptsIgnored() { SetConsoleCtrlHandler(nullptr, FALSE); }
  InterruptsIgnored(const InterruptsIgnored&) = delete;
  InterruptsIgnored& operator=(const InterruptsIgnored&) = delete;
};

}  // namespace

bool IsTerminal(int fd) {
  DWORD mode = 0;
  return GetConsoleMode(ConsoleOf(fd), &mode) != 0;
}

std::optional<TerminalSize> SizeOfTerminal(int fd) {
  CONSOLE_SCREEN_BUFFER_INFO info = {};
  if (GetConsoleScreenBufferInfo(ConsoleOf(fd), &info) == 0) return std::nullopt;
  const int columns = info.srWindow.Right - info.srWindow.Left + 1;
  const int rows = info.srWindow.Bottom - info.srWindow.Top + 1;
  if (columns <= 0 || rows <= 0) return std::nullopt;
  return TerminalSize{static_cast<std::size_t>(columns), static_cast<std::size_t>(rows)};
}

OsResult<int> RunInTerminal(const std::vector<std::string>& command) {
  const std::wstring program = Backslashes(Wide(command.front()));
  std::wstring line;
  AppendQuoted(program, line);
  for (std::size_t i = 1; i < command.size(); ++i) AppendQuoted(Wide(command[i]), line);
  STARTUPINFOW start = {};
  start.cb = sizeof start;
  PROCESS_INFORMATION made = {};
  if (CreateProcessW(program.c_str(), line.data(), nullptr, nullptr, /*bInheritHandles=*/FALSE, 0, nullptr, nullptr,
                     &start, &made) == 0) {
    return LastError();
  }
  const Fd process(DescriptorOf(made.hProcess));
  const Fd thread(DescriptorOf(made.hThread));
  // Only now: a child inherits that ^C is ignored.
  const InterruptsIgnored ignored;
  WaitAny({process.get()}, -1);
  DWORD code = 0;
  if (GetExitCodeProcess(made.hProcess, &code) == 0) return LastError();
  return static_cast<int>(code);
}

}  // namespace forge::os
