#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "os/new_file.h"

namespace forge::os {
namespace {

bool WriteAll(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = write(fd, text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(n));
  }
  return fsync(fd) == 0;
}

// 0 or an errno. link(2) and not rename(2), because it refuses to replace a
// file.
int FillAndLink(int fd, const std::string& temporary, const std::string& path, std::string_view text) {
  if (!WriteAll(fd, text)) return errno;
  return link(temporary.c_str(), path.c_str()) == 0 ? 0 : errno;
}

}  // namespace

OsResult<bool> WriteNewFile(const std::string& path, std::string_view text) {
  struct stat existing;
  if (lstat(path.c_str(), &existing) == 0) return OsError{EEXIST};
  std::error_code error;
  const auto parent = std::filesystem::path(path).parent_path();
  if (!parent.empty()) std::filesystem::create_directories(parent, error);
  if (error) return OsError{error.value()};
  std::string temporary = path + ".XXXXXX";
  const Fd fd(mkostemp(temporary.data(), O_CLOEXEC));  // mode 0600
  if (!fd.valid()) return OsError{errno};
  const int code = FillAndLink(fd.get(), temporary, path, text);
  unlink(temporary.c_str());
  if (code != 0) return OsError{code};
  return true;
}

OsResult<bool> ReplaceFile(const std::string& path, std::string_view text) {
  std::error_code error;
  const std::string target = std::filesystem::canonical(path, error).string();
  if (error) return OsError{error.value()};
  struct stat old;
  if (stat(target.c_str(), &old) != 0) return OsError{errno};
  std::string temporary = target + ".XXXXXX";
  const Fd fd(mkostemp(temporary.data(), O_CLOEXEC));
  if (!fd.valid()) return OsError{errno};
  const bool written = WriteAll(fd.get(), text) && fchmod(fd.get(), old.st_mode & 07777) == 0 &&
                       rename(temporary.c_str(), target.c_str()) == 0;
  if (written) return true;
  const int code = errno;
  unlink(temporary.c_str());
  return OsError{code};
}

}  // namespace forge::os
