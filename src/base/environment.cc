#include "base/environment.h"

#include <unistd.h>

#include <string_view>

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

std::string Environment::Get(const std::string& name) const {
  const auto found = variables_.find(name);
  return found == variables_.end() ? std::string() : found->second;
}

std::string Environment::GetAbsolute(const std::string& name) const {
  std::string path = Get(name);
  return path.starts_with('/') ? path : std::string();
}

}  // namespace forge
