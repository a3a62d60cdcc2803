// A variable of the environment of this process, for what a test starts or makes.
#pragma once

#include <string>

namespace forge::testing {

// Not thread-safe.
void SetVariable(const std::string& name, const std::string& value);

}  // namespace forge::testing
