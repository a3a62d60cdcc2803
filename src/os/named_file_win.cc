#include <cerrno>

#include "base/path.h"
#include "os/named_file.h"
#include "os/system_win.h"

namespace forge::os {

OsResult<Fd> OpenFolder(const std::string& path) {
  OsResult<Fd> fd = OpenNamed(path, FILE_GENERIC_READ, OPEN_EXISTING, 0);
  if (!fd.ok()) return fd;
  const OsResult<FileInfo> info = Stat(fd->get());
  if (info.ok() && info->type != FileType::kDirectory) return OsError{ENOTDIR};
  return fd;
}

OsResult<FileInfo> StatPath(const std::string& path) {
  const OsResult<Fd> fd = OpenNamed(path, FILE_READ_ATTRIBUTES, OPEN_EXISTING, 0);
  return fd.ok() ? Stat(fd->get()) : fd.error();
}

OsResult<std::string> RealPath(int fd) {
  std::wstring path(MAX_PATH, L'\0');
  while (true) {
    const DWORD size = GetFinalPathNameByHandleW(HandleOf(fd), path.data(), static_cast<DWORD>(path.size()), 0);
    if (size == 0) return LastError();
    const bool fits = size < path.size();
    path.resize(size);
    if (fits) return OwnForm(Bytes(path));
  }
}

OsResult<std::string> CanonicalPath(const std::string& path) {
  if (path.empty()) return OsError{ENOENT};
  const OsResult<Fd> fd = OpenNamed(path, FILE_READ_ATTRIBUTES, OPEN_EXISTING, 0);
  return fd.ok() ? RealPath(fd->get()) : fd.error();
}

std::string ResolvedPath(const std::string& given) {
  const std::string path = NormalPath(OwnForm(given));
  if (OsResult<std::string> real = CanonicalPath(path); real.ok()) return *std::move(real);
  const std::string parent(ParentPath(path));
  if (parent.empty() || parent == path) return path;
  return JoinPath(ResolvedPath(parent), LastName(path));
}

bool IsFolder(const std::string& path) {
  const OsResult<FileInfo> info = StatPath(path);
  return info.ok() && info->type == FileType::kDirectory;
}

std::string CurrentFolder() {
  std::wstring path(MAX_PATH, L'\0');
  while (true) {
    const DWORD size = GetCurrentDirectoryW(static_cast<DWORD>(path.size()), path.data());
    const bool fits = size < path.size();
    path.resize(size);
    if (fits) return NormalPath(OwnForm(Bytes(path)));
  }
}

OsResult<std::string> ReadSmallFile(const std::string& path, std::uint64_t limit) {
  const OsResult<Fd> fd = OpenNamed(path, FILE_GENERIC_READ, OPEN_EXISTING, 0);
  return fd.ok() ? ReadSmall(fd->get(), limit) : fd.error();
}

}  // namespace forge::os
