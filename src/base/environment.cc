#include "base/environment.h"

#include "base/path.h"

namespace forge {

std::string Environment::Get(const std::string& name) const {
  const auto found = variables_.find(name);
  return found == variables_.end() ? std::string() : found->second;
}

std::string Environment::GetAbsolute(const std::string& name) const {
  std::string path = OwnForm(Get(name));
  return IsAbsolutePath(path) ? path : std::string();
}

}  // namespace forge
