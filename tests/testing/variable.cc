#include "tests/testing/variable.h"

#include <cstdlib>

namespace forge::testing {

void SetVariable(const std::string& name, const std::string& value) { setenv(name.c_str(), value.c_str(), 1); }

}  // namespace forge::testing
