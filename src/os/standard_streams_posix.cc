#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "os/standard_streams.h"

namespace forge::os {
namespace {

bool InputHasText() {
  struct stat info = {};
  return fstat(STDIN_FILENO, &info) == 0 && (S_ISFIFO(info.st_mode) || S_ISREG(info.st_mode));
}

// A stream that we were started without is /dev/null from now on. Otherwise the next file
// that we open would take its number, and what we print would be written into that file.
// Input and output are opened the wrong way round, so that using them fails; errors go
// nowhere.
void FillStandardStreams() {
  constexpr std::array kModes = {O_WRONLY, O_RDONLY, O_RDWR};
  for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream) {
    if (fcntl(stream, F_GETFD) >= 0) continue;
    const int fd = open("/dev/null", kModes[static_cast<std::size_t>(stream)]);  // takes the lowest number that is free
    if (fd > STDERR_FILENO) close(fd);
  }
}

}  // namespace

StandardStreams PrepareStandardStreams() {
  FillStandardStreams();
  return {.in = STDIN_FILENO,
          .out = STDOUT_FILENO,
          .in_is_terminal = isatty(STDIN_FILENO) == 1,
          .out_is_terminal = isatty(STDOUT_FILENO) == 1,
          .err_is_terminal = isatty(STDERR_FILENO) == 1,
          .in_has_text = InputHasText()};
}

bool ReaderIsGone(int code) { return code == EPIPE; }

std::vector<std::string> Arguments(int argc, char** argv) { return {argv + 1, argv + argc}; }

}  // namespace forge::os
