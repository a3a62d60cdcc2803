#include "scope/paths.h"

namespace forge {

bool IsWithin(std::string_view path, std::string_view folder) {
  if (!path.starts_with(folder)) return false;
  return path.size() == folder.size() || folder.ends_with('/') || path[folder.size()] == '/';
}

std::string JoinPath(std::string_view folder, std::string_view name) {
  if (folder.empty() || name.empty()) return std::string(folder.empty() ? name : folder);
  if (folder.ends_with('/')) folder.remove_suffix(1);
  if (name.starts_with('/')) name.remove_prefix(1);
  std::string out;
  out.reserve(folder.size() + 1 + name.size());
  out.append(folder).append(1, '/').append(name);
  return out;
}

std::string_view ParentPath(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return path.substr(0, slash == 0 ? 1 : slash);
}

std::string_view RelativeTo(std::string_view path, std::string_view folder) {
  path.remove_prefix(folder.size());
  if (path.starts_with('/')) path.remove_prefix(1);
  return path;
}

}  // namespace forge
