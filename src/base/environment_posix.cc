#include <unistd.h>

#include <string_view>

#include "base/environment.h"

// Declared here: not every system's unistd.h has it.
extern char** environ;  // NOLINT(readability-redundant-declaration)

namespace forge {

Environment Environment::FromProcess() {
  Variables variables;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos) continue;
    variables.emplace(text.substr(0, equals), text.substr(equals + 1));
  }
  return Environment(std::move(variables));
}

}  // namespace forge
