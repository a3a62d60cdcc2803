#include "base/path.h"

#include <vector>

#include "base/strings.h"

namespace forge {

std::string_view BelowRoot(std::string_view path) { return path.substr(PathRoot(path).size()); }

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

// "/b" starts at the top of a drive, where that is not a root already. If the folder is
// relative, the system knows the drive.
std::string PathFrom(std::string_view folder, std::string_view path) {
  if (IsAbsolutePath(path)) return std::string(path);
  if (!path.starts_with('/') || path.starts_with("//")) return JoinPath(folder, path);
  return IsAbsolutePath(folder) ? JoinPath(PathRoot(folder), path) : std::string(path);
}

std::string_view ParentPath(std::string_view path) {
  const std::string_view root = PathRoot(path);
  const std::size_t slash = path.rfind('/');
  if (slash == std::string_view::npos) return {};
  return slash < root.size() ? root : path.substr(0, slash);
}

std::string_view LastName(std::string_view path) { return path.substr(path.rfind('/') + 1); }

std::string_view RelativeTo(std::string_view path, std::string_view folder) {
  path.remove_prefix(folder.size());
  if (path.starts_with('/')) path.remove_prefix(1);
  return path;
}

std::string NormalPath(std::string_view path) {
  const std::string_view root = PathRoot(path);
  std::vector<std::string_view> names;
  for (const std::string_view name : Split(path.substr(root.size()), '/')) {
    if (name.empty() || name == ".") continue;
    const bool up = name == "..";
    if (up && !names.empty() && names.back() != "..") {
      names.pop_back();
    } else if (!up || root.empty()) {
      names.push_back(name);
    }
  }
  std::string out(root);
  for (const std::string_view& name : names) out.append(&name == names.data() ? "" : "/").append(name);
  return out;
}

}  // namespace forge
