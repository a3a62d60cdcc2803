#include <fcntl.h>
#include <io.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>

#include "os/standard_streams.h"
#include "os/system_win.h"
// After windows.h.
#include <shellapi.h>

namespace forge::os {
namespace {

// A console understands the sequences that colour text once it is told to.
bool PrepareConsole(DWORD which) {
  const HANDLE handle = GetStdHandle(which);
  DWORD mode = 0;
  if (GetConsoleMode(handle, &mode) == 0) return false;
  return SetConsoleMode(handle, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING) != 0;
}

bool InputHasText() {
  const DWORD type = GetFileType(GetStdHandle(STD_INPUT_HANDLE));
  return type == FILE_TYPE_PIPE || type == FILE_TYPE_DISK;
}

}  // namespace

StandardStreams PrepareStandardStreams() {
  for (std::FILE* const file : {stdin, stdout, stderr}) _setmode(_fileno(file), _O_BINARY);
  SetConsoleOutputCP(CP_UTF8);
  return {.in = DescriptorOf(GetStdHandle(STD_INPUT_HANDLE)),
          .out = DescriptorOf(GetStdHandle(STD_OUTPUT_HANDLE)),
          .in_is_terminal = _isatty(0) != 0,
          .out_is_terminal = PrepareConsole(STD_OUTPUT_HANDLE),
          .err_is_terminal = PrepareConsole(STD_ERROR_HANDLE),
          .in_has_text = InputHasText()};
}

// The C library has no errno of its own for most of these codes, and says EINVAL.
bool ReaderIsGone(int code) { return code == EPIPE || (code == EINVAL && ErrorOf(_doserrno).code == EPIPE); }

std::vector<std::string> Arguments(int /*argc*/, char** /*argv*/) {
  int count = 0;
  wchar_t** const words = CommandLineToArgvW(GetCommandLineW(), &count);
  std::vector<std::string> out;
  for (int i = 1; i < count; ++i) out.push_back(Bytes(words[i]));
  LocalFree(words);
  return out;
}

}  // namespace forge::os
