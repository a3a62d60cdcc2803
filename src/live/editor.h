// How to start the user's editor at a line.
//
//   EditorCommand(environment, {"src/a.cc", 12, 3})
//       -> {"/bin/sh", "-c", "vim \"$@\"", "vim", "+12", "src/a.cc"}
//
// The editor is $VISUAL, else $EDITOR, else vi, as for git: a command with its own
// options, which a shell reads.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/environment.h"

namespace forge::live {

struct Spot {
  std::string path;
  std::uint64_t line = 1;
  std::uint64_t column = 1;
};

std::vector<std::string> EditorCommand(const Environment& environment, const Spot& spot);

}  // namespace forge::live
