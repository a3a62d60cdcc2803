// Where the program and the sources are. The only file of the tests that knows
// paths of this build: all others compile to the same bytes in every work tree,
// so that ccache finds them.
#pragma once

#include <string>

namespace forge::testing {

// The program; FORGE_SEARCH_BINARY in the environment names another one.
std::string ProgramPath();

// The library that makes calls of the program fail (tests/faults).
std::string FaultLibrary();

// The top of the repository.
std::string SourceFolder();

}  // namespace forge::testing
