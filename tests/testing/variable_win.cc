#include <cstdlib>

#include "tests/testing/variable.h"

namespace forge::testing {

void SetVariable(const std::string& name, const std::string& value) { _putenv_s(name.c_str(), value.c_str()); }

}  // namespace forge::testing
