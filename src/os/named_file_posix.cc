#include <filesystem>
#include <system_error>

#include "os/named_file.h"

namespace forge::os {

namespace fs = std::filesystem;

OsResult<std::string> CanonicalPath(const std::string& path) {
  std::error_code error;
  const fs::path canonical = fs::canonical(path, error);
  if (error) return OsError{error.value()};
  return canonical.string();
}

std::string ResolvedPath(const std::string& path) {
  std::error_code error;
  fs::path resolved = fs::weakly_canonical(path, error);
  if (error) return path;
  if (!resolved.has_filename()) resolved = resolved.parent_path();  // "/a/" to "/a"; "/" stays
  return resolved.string();
}

bool IsFolder(const std::string& path) {
  const OsResult<FileInfo> info = StatPath(path);
  return info.ok() && info->type == FileType::kDirectory;
}

std::string CurrentFolder() {
  std::error_code error;
  return fs::current_path(error).string();
}

}  // namespace forge::os
