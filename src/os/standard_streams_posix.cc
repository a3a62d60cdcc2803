#include <sys/stat.h>
#include <unistd.h>

#include "os/standard_streams.h"

namespace forge::os {
namespace {

bool InputHasText() {
  struct stat info = {};
  return fstat(STDIN_FILENO, &info) == 0 && (S_ISFIFO(info.st_mode) || S_ISREG(info.st_mode));
}

}  // namespace

StandardStreams PrepareStandardStreams() {
  return {.in = STDIN_FILENO,
          .out = STDOUT_FILENO,
          .in_is_terminal = isatty(STDIN_FILENO) == 1,
          .out_is_terminal = isatty(STDOUT_FILENO) == 1,
          .err_is_terminal = isatty(STDERR_FILENO) == 1,
          .in_has_text = InputHasText()};
}

std::vector<std::string> Arguments(int argc, char** argv) { return {argv + 1, argv + argc}; }

}  // namespace forge::os
