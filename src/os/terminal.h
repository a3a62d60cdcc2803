// The terminal of this process.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "os/file.h"

namespace forge::os {

struct TerminalSize {
  std::size_t columns = 0;
  std::size_t rows = 0;
};

bool IsTerminal(int fd);

// Nothing if `fd` is no terminal, or one that does not know its size.
std::optional<TerminalSize> SizeOfTerminal(int fd);

// Runs a program that talks with the user on our terminal, and waits for its end.
// Returns its exit status, or 128 and the signal that ended it. ^C is for the
// program meanwhile, not for us. `command` begins with an absolute path.
OsResult<int> RunInTerminal(const std::vector<std::string>& command);

}  // namespace forge::os
