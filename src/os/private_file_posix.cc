#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "os/named_file.h"
#include "os/private_file.h"

namespace forge::os {
namespace {

OsResult<Fd> OpenWith(const std::string& path, int flags) {
  while (true) {
    const int fd = open(path.c_str(), flags | O_CLOEXEC | O_NOFOLLOW, kPrivateFile);
    if (fd >= 0) return Fd(fd);
    if (errno != EINTR) return OsError{errno};
  }
}

OsResult<bool> Done(int result) {
  if (result != 0) return OsError{errno};
  return true;
}

OsResult<bool> SyncFolder(const std::string& folder) {
  const OsResult<Fd> fd = OpenFolder(folder);
  if (!fd.ok()) return fd.error();
  return Done(fsync(fd->get()));
}

OsResult<bool> WriteAndSync(const std::string& path, std::string_view bytes) {
  // What a killed process left under this name may be anything.
  unlink(path.c_str());
  const OsResult<Fd> fd = OpenWith(path, O_WRONLY | O_CREAT | O_EXCL);
  if (!fd.ok()) return fd.error();
  const OsResult<bool> written = WriteAt(fd->get(), 0, bytes);
  return written.ok() ? Done(fsync(fd->get())) : written;
}

}  // namespace

std::uint32_t EffectiveUser() { return geteuid(); }

OsResult<Access> AccessOf(int fd) {
  struct stat st;
  if (fstat(fd, &st) != 0) return OsError{errno};
  return Access{st.st_uid, st.st_mode & 0777U};
}

OsResult<bool> MakePrivateFolder(const std::string& absolute) {
  const std::string parent = std::filesystem::path(absolute).parent_path().string();
  struct stat st;
  if (!parent.empty() && parent != absolute && stat(parent.c_str(), &st) != 0) {
    const OsResult<bool> made = MakePrivateFolder(parent);
    if (!made.ok()) return made;
  }
  if (mkdir(absolute.c_str(), kPrivateFolder) == 0) {
    // The umask may have removed bits from the mode, and some file systems
    // ignore it. So the caller checks the result.
    if (chmod(absolute.c_str(), kPrivateFolder) != 0 && errno != EPERM) return OsError{errno};
    return true;
  }
  if (errno == EEXIST) return false;
  return OsError{errno};
}

OsResult<Fd> OpenFolderItself(const std::string& absolute) {
  OsResult<Fd> fd = OpenWith(absolute, O_RDONLY | O_DIRECTORY);
  // With O_DIRECTORY the kernel calls a symlink "not a directory".
  struct stat st;
  if (!fd.ok() && lstat(absolute.c_str(), &st) == 0 && S_ISLNK(st.st_mode)) return OsError{ELOOP};
  return fd;
}

OsResult<FileInfo> StatItself(const std::string& path) { return StatEntry(AT_FDCWD, path); }

void RemoveFile(const std::string& path) { std::remove(path.c_str()); }

void SetModified(const std::string& path, std::int64_t time_ns) {
  constexpr std::int64_t kNano = 1'000'000'000;
  const timespec times[] = {{0, UTIME_OMIT}, {time_ns / kNano, time_ns % kNano}};
  utimensat(AT_FDCWD, path.c_str(), times, 0);
}

OsResult<Fd> OpenPrivateFile(const std::string& path) {
  return OpenWith(path, O_RDWR | O_CREAT | O_NONBLOCK | O_NOCTTY);
}

OsResult<Fd> OpenFileItself(const std::string& path) { return OpenWith(path, O_RDONLY | O_NONBLOCK); }

OsResult<bool> WriteAt(int fd, std::uint64_t offset, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = pwrite(fd, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return OsError{errno};
    bytes.remove_prefix(static_cast<std::size_t>(n));
    offset += static_cast<std::uint64_t>(n);
  }
  return true;
}

bool MeansNoSpace(int code) { return code == ENOSPC || code == EDQUOT || code == EFBIG; }

OsResult<bool> WriteDurably(const std::string& folder, const std::string& temporary, const std::string& name,
                            std::string_view bytes) {
  const std::string from = folder + "/" + temporary;
  OsResult<bool> done = WriteAndSync(from, bytes);
  if (done.ok()) done = Done(rename(from.c_str(), (folder + "/" + name).c_str()));
  if (!done.ok()) {
    unlink(from.c_str());
    return done;
  }
  return SyncFolder(folder);
}

}  // namespace forge::os
