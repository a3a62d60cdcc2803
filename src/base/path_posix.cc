#include "base/path.h"

namespace forge {

std::string_view PathRoot(std::string_view path) { return path.substr(0, path.starts_with('/') ? 1 : 0); }

std::string OwnForm(std::string_view path) { return std::string(path); }

}  // namespace forge
