// Paths that do not exist, as models write them.
//
//   file:///home/me/project/src/a.cc    a.cc:120    a.cc#L120    `src/a.cc`
//   src\tool     /src/tool    /workspace/src/tool/a.cc    tool/a.cc    SRC/Tool
//   src/**/*.cc
//
// What is repaired is searched, and the answer says so; the rest is explained by
// the nearest paths. Both see only the files that a search of the working folder
// may list. So they tell nothing of what lies outside or is denied.
//
// Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace forge::agent {

// Without what cannot be part of a path: file://, quotes, a line number,
// backslashes, white space around it.
std::string CleanPath(std::string_view given);

struct PathGuess {
  std::vector<std::string> same = {};  // paths that `given` can only mean; to be searched if it is one
  std::vector<std::string> near = {};  // paths like it, at most five
};

// `names` are the files that there are, in order. `outside`: the path lies outside
// the sandbox, so only its end can help.
PathGuess GuessPath(std::string_view given, const std::vector<std::string>& names, bool outside);

}  // namespace forge::agent
