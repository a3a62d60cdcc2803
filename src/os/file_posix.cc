#include "os/file_posix.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "os/named_file.h"

namespace forge::os {
namespace {

bool HasLink(int folder, const std::string& name) {
  struct stat st;
  return fstatat(folder, name.c_str(), &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(st.st_mode);
}

}  // namespace

Fd::~Fd() { Reset(); }

void Fd::Reset() {
  if (fd_ >= 0) close(fd_);
  fd_ = -1;
}

int OpenRetrying(int folder, const char* path, int flags) {
  int fd;
  do {
    fd = openat(folder, path, flags);
  } while (fd < 0 && errno == EINTR);
  return fd;
}

int OpenByComponent(int folder, const std::string& relative, int flags) {
  Fd current;
  std::size_t start = 0;
  while (true) {
    const std::size_t slash = relative.find('/', start);
    const bool last = slash == std::string::npos;
    const std::string name = relative.substr(start, last ? slash : slash - start);
    if (name == "..") {
      errno = EXDEV;
      return -1;
    }
    const int parent = current.valid() ? current.get() : folder;
    const int wanted = last ? flags : kPlaceFlags | O_DIRECTORY;
    Fd next(OpenRetrying(parent, name.empty() ? "." : name.c_str(), wanted | O_NOFOLLOW));
    if (!next.valid()) {
      // For a link where a folder must be, Linux says here that it is no folder. But
      // callers know a link by ELOOP, which openat2 gives.
      if (errno == ENOTDIR) errno = HasLink(parent, name) ? ELOOP : ENOTDIR;
      return -1;
    }
    if (last) {
      const int fd = dup(next.get());
      if (fd >= 0) fcntl(fd, F_SETFD, FD_CLOEXEC);
      return fd;
    }
    current = std::move(next);
    start = slash + 1;
  }
}

OsResult<std::string> ReadLinkAt(int folder, const char* name) {
  std::string target(256, '\0');
  while (true) {
    const ssize_t n = readlinkat(folder, name, target.data(), target.size());
    if (n < 0) return LastError();
    if (static_cast<std::size_t>(n) < target.size()) {
      target.resize(static_cast<std::size_t>(n));
      return target;
    }
    target.resize(target.size() * 2);
  }
}

FileType TypeOf(mode_t mode) {
  if (S_ISREG(mode)) return FileType::kRegular;
  if (S_ISDIR(mode)) return FileType::kDirectory;
  if (S_ISLNK(mode)) return FileType::kSymlink;
  return FileType::kOther;
}

FileInfo ToInfo(const struct stat& st) {
  constexpr std::int64_t kNano = 1'000'000'000;
  FileInfo info;
  info.type = TypeOf(st.st_mode);
  info.size = static_cast<std::uint64_t>(st.st_size);
  const Stamps stamps = StampsOf(st);
  info.mtime_ns = stamps.modified.tv_sec * kNano + stamps.modified.tv_nsec;
  info.ctime_ns = stamps.changed.tv_sec * kNano + stamps.changed.tv_nsec;
  info.device = static_cast<std::uint64_t>(st.st_dev);
  info.inode = st.st_ino;
  info.links = st.st_nlink;
  return info;
}

OsResult<FileInfo> Stat(int fd) {
  struct stat st;
  if (fstat(fd, &st) != 0) return LastError();
  return ToInfo(st);
}

OsResult<FileInfo> StatEntry(int folder, const std::string& name) {
  struct stat st;
  if (fstatat(folder, name.c_str(), &st, AT_SYMLINK_NOFOLLOW) != 0) return LastError();
  return ToInfo(st);
}

void FreeAligned::operator()(char* p) const { std::free(p); }

OsResult<std::size_t> ReadRest(int fd, std::uint64_t expected, std::uint64_t limit, Buffer& buffer,
                               const Deadline& deadline) {
  // Reading a piece takes about a millisecond.
  constexpr std::size_t kPiece = 4 * 1024 * 1024;
  // One byte more than expected: if a read does not fill the buffer, it has met
  // the end of the file, and we need no second read. Never less than a page:
  // files of /proc claim size 0, and some return everything in one read or
  // nothing.
  std::size_t& filled = buffer.size_;
  if (filled > 0 && lseek(fd, static_cast<off_t>(filled), SEEK_SET) < 0) return LastError();
  if (!buffer.Reserve(std::max<std::uint64_t>(expected + 1, 4096))) return OsError{ENOMEM};
  while (filled < limit) {
    if (filled == buffer.capacity_ && !buffer.Reserve(buffer.capacity_ * 2)) return OsError{ENOMEM};
    const std::size_t room = std::min<std::uint64_t>(buffer.capacity_, limit) - filled;
    const std::size_t wanted = std::min(room, kPiece);
    const ssize_t n = read(fd, buffer.data_.get() + filled, wanted);
    if (n < 0) {
      if (errno == EINTR) continue;
      return LastError();
    }
    filled += static_cast<std::size_t>(n);
    const bool as_expected = filled == expected && static_cast<std::size_t>(n) < wanted;
    if (n == 0 || as_expected) break;
    if (filled >= kPiece && deadline.over()) return OsError{ECANCELED};
  }
  return filled;
}

OsResult<std::size_t> ReadOnce(int fd, std::size_t size, Buffer& buffer) {
  buffer.size_ = 0;
  if (!buffer.Reserve(size)) return OsError{ENOMEM};
  while (true) {
    const ssize_t n = pread(fd, buffer.data_.get(), size, 0);
    if (n >= 0) return buffer.size_ = static_cast<std::size_t>(n);
    if (errno != EINTR) return LastError();
  }
}

OsResult<std::size_t> ReadAt(int fd, std::uint64_t offset, char* out, std::size_t size) {
  while (true) {
    const ssize_t n = pread(fd, out, size, static_cast<off_t>(offset));
    if (n >= 0) return static_cast<std::size_t>(n);
    if (errno != EINTR) return LastError();
  }
}

OsResult<Fd> OpenFolder(const std::string& path) {
  return Wrap(OpenRetrying(AT_FDCWD, path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
}

OsResult<FileInfo> StatPath(const std::string& path) {
  struct stat st;
  if (stat(path.c_str(), &st) != 0) return LastError();
  return ToInfo(st);
}

OsResult<std::string> ReadSmallFile(const std::string& path, std::uint64_t limit) {
  const Fd fd(OpenRetrying(AT_FDCWD, path.c_str(), kReadFlags));
  if (!fd.valid()) return LastError();
  return ReadSmall(fd.get(), limit);
}

}  // namespace forge::os
