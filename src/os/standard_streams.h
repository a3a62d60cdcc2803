// The streams and the words that this process was started with.
#pragma once

#include <string>
#include <vector>

namespace forge::os {

struct StandardStreams {
  int in = -1;  // descriptors
  int out = -1;
  bool in_is_terminal = false;
  bool out_is_terminal = false;
  bool err_is_terminal = false;
  bool in_has_text = false;  // a pipe or a file: a terminal or /dev/null has nothing to search
};

// Call it once, before the first use of std::cin, std::cout and std::cerr: they
// pass bytes on as they are from then on, and a console shows them as UTF-8.
StandardStreams PrepareStandardStreams();

// Whether a write that has failed with this errno found nobody who reads, as in
// `forge-search ... | head`. Ask at once.
bool ReaderIsGone(int code);

// The arguments of the program as UTF-8, without its name.
std::vector<std::string> Arguments(int argc, char** argv);

}  // namespace forge::os
