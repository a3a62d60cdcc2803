#include "tests/testing/places.h"

#include <cstdlib>

namespace forge::testing {

std::string ProgramPath() {
  const char* other = std::getenv("FORGE_SEARCH_BINARY");
  return other != nullptr ? other : FORGE_BUILT_PROGRAM;
}

std::string FaultLibrary() { return FORGE_FAULT_LIBRARY; }

std::string SourceFolder() { return FORGE_SOURCE_FOLDER; }

}  // namespace forge::testing
