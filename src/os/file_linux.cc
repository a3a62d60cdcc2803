#include <dirent.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <new>

#include "os/file.h"
#include "os/named_file.h"

namespace forge::os {
namespace {

// O_NONBLOCK: opening a FIFO must not wait for its writer. It has no effect on
// regular files.
constexpr int kReadFlags = O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK;

// A place to start from; cannot be read.
constexpr int kPlaceFlags = O_PATH | O_CLOEXEC;

OsError LastError() { return {errno}; }

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
  info.mtime_ns = st.st_mtim.tv_sec * kNano + st.st_mtim.tv_nsec;
  info.ctime_ns = st.st_ctim.tv_sec * kNano + st.st_ctim.tv_nsec;
  info.device = st.st_dev;
  info.inode = st.st_ino;
  info.links = st.st_nlink;
  return info;
}

int OpenRetrying(int folder, const char* path, int flags) {
  int fd;
  do {
    fd = openat(folder, path, flags);
  } while (fd < 0 && errno == EINTR);
  return fd;
}

// For kernels before 5.6 and sandboxes that filter openat2: every component
// is opened on its own with O_NOFOLLOW.
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
    const int wanted = last ? flags : O_PATH | O_DIRECTORY | O_CLOEXEC;
    Fd next(OpenRetrying(parent, name.empty() ? "." : name.c_str(), wanted | O_NOFOLLOW));
    if (!next.valid()) return -1;
    if (last) {
      const int fd = dup(next.get());
      if (fd >= 0) fcntl(fd, F_SETFD, FD_CLOEXEC);
      return fd;
    }
    current = std::move(next);
    start = slash + 1;
  }
}

int OpenAt2(int folder, const char* path, int flags) {
  open_how how{};
  how.flags = static_cast<__u64>(flags);
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;
  // EAGAIN: the kernel could not be sure because of a rename elsewhere, so we
  // ask again. But for a file under another program's lease, EAGAIN lasts 45
  // seconds.
  constexpr int kAttempts = 100;
  int fd = -1;
  for (int attempt = 0; fd < 0 && attempt < kAttempts; ++attempt) {
    fd = static_cast<int>(syscall(SYS_openat2, folder, path, &how, sizeof how));
    if (fd < 0 && errno != EINTR && errno != EAGAIN) return -1;
  }
  return fd;
}

int OpenStrict(int folder, const std::string& relative, int flags) {
  static std::atomic<bool> have_openat2{true};
  const std::string path = relative.empty() ? "." : relative;
  if (!have_openat2.load(std::memory_order_relaxed)) return OpenByComponent(folder, path, flags);
  const int fd = OpenAt2(folder, path.c_str(), flags);
  if (fd >= 0 || (errno != ENOSYS && errno != EPERM)) return fd;
  // EPERM comes from filters of system calls, and for some files from the file
  // system itself. In the second case the other way fails with EPERM too.
  const int other = OpenByComponent(folder, path, flags);
  if (other >= 0 || errno != EPERM) have_openat2.store(false, std::memory_order_relaxed);
  return other;
}

OsResult<Fd> Wrap(int fd) {
  if (fd < 0) return LastError();
  return Fd(fd);
}

// Reading must not move a file's access time (I5). The kernel grants that to the
// owner of the file only, and otherwise refuses to open it. So after a refusal
// we do not ask for the next files, which mostly have the same owner: asking
// costs a system call.
template <typename Open>
int OpenForReading(Open open) {
  constexpr int kNotAsked = 1000;
  static std::atomic<int> not_asked{0};
  if (not_asked.load(std::memory_order_relaxed) > 0) {
    not_asked.fetch_sub(1, std::memory_order_relaxed);
    return open(kReadFlags);
  }
  const int fd = open(kReadFlags | O_NOATIME);
  if (fd >= 0 || errno != EPERM) return fd;
  not_asked.store(kNotAsked, std::memory_order_relaxed);
  return open(kReadFlags);
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

FileType TypeOfEntry(int folder, const dirent64& entry) {
  switch (entry.d_type) {
    case DT_REG: return FileType::kRegular;
    case DT_DIR: return FileType::kDirectory;
    case DT_LNK: return FileType::kSymlink;
    case DT_UNKNOWN: {
      struct stat st;
      if (fstatat(folder, entry.d_name, &st, AT_SYMLINK_NOFOLLOW) == 0) return TypeOf(st.st_mode);
      return FileType::kOther;
    }
    default: return FileType::kOther;
  }
}

}  // namespace

Fd::~Fd() { Reset(); }

void Fd::Reset() {
  if (fd_ >= 0) close(fd_);
  fd_ = -1;
}

std::string OsError::message() const {
  switch (code) {
    // RESOLVE_NO_SYMLINKS and O_NOFOLLOW both fail with ELOOP; the text must
    // say what that means here.
    case ELOOP: return "is a symbolic link, or lies behind one";
    case EXDEV: return "leads outside the search root";
    case ECHILD: return "its exit status is lost, because SIGCHLD is ignored";
    default: return std::strerror(code);
  }
}

OsResult<Fd> OpenExactFolder(const std::string& absolute) {
  const Fd top(OpenRetrying(AT_FDCWD, "/", kPlaceFlags | O_DIRECTORY));
  if (!top.valid()) return LastError();
  return Wrap(OpenStrict(top.get(), absolute.substr(1), kPlaceFlags | O_DIRECTORY));
}

OsResult<Fd> OpenStep(int folder, const std::string& name) {
  return Wrap(OpenRetrying(folder, name.c_str(), kPlaceFlags | O_NOFOLLOW));
}

OsResult<std::string> LinkTarget(int link) { return ReadLinkAt(link, ""); }

OsResult<Fd> OpenBeneath(int folder, const std::string& relative) {
  return Wrap(OpenForReading([&](int flags) { return OpenStrict(folder, relative, flags); }));
}

OsResult<Fd> OpenFolderBeneath(int folder, const std::string& relative) {
  return Wrap(OpenForReading([&](int flags) { return OpenStrict(folder, relative, flags | O_DIRECTORY); }));
}

OsResult<Fd> OpenEntry(int folder, const char* name) {
  return Wrap(OpenForReading([&](int flags) { return OpenRetrying(folder, name, flags | O_NOFOLLOW); }));
}

std::int64_t FileClockNow() {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME_COARSE, &now);
  return now.tv_sec * std::int64_t{1'000'000'000} + now.tv_nsec;
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

OsResult<FileInfo> StatBeneath(int folder, const std::string& relative) {
  const Fd place(OpenStrict(folder, relative, kPlaceFlags | O_NOFOLLOW));
  if (!place.valid()) return LastError();
  return Stat(place.get());
}

OsResult<std::vector<DirEntry>> ListFolder(int folder, const Deadline& deadline) {
  // We call getdents64 directly: opendir costs four more system calls a folder.
  alignas(dirent64) std::array<char, 32768> buffer;
  std::vector<DirEntry> entries;
  while (true) {
    const ssize_t n = getdents64(folder, buffer.data(), buffer.size());
    if (n < 0) return LastError();
    if (n == 0) return entries;
    for (std::size_t at = 0; at < static_cast<std::size_t>(n);) {
      const auto* entry = reinterpret_cast<const dirent64*>(buffer.data() + at);
      at += entry->d_reclen;
      const std::string_view name = entry->d_name;
      if (name == "." || name == "..") continue;
      entries.push_back({std::string(name), TypeOfEntry(folder, *entry)});
    }
    // Most folders fit into one buffer; those need no look at the clock.
    if (entries.size() > 1000 && deadline.over()) return OsError{ECANCELED};
  }
}

namespace {

AlignedBytes TryAllocate(std::size_t size) {
  constexpr std::size_t kPage = 4096;
  constexpr std::size_t kHugePage = 2 * 1024 * 1024;
  if (size > SIZE_MAX - kHugePage) return nullptr;
  const std::size_t page = size < 2 * kHugePage ? kPage : kHugePage;
  AlignedBytes bytes(static_cast<char*>(std::aligned_alloc(page, (size + page - 1) / page * page)));
  // One page fault instead of 512, where the system has large pages.
  if (bytes && page == kHugePage) madvise(bytes.get(), size, MADV_HUGEPAGE);
  return bytes;
}

}  // namespace

AlignedBytes AllocateAligned(std::size_t size) {
  AlignedBytes memory = TryAllocate(size);
  if (!memory) throw std::bad_alloc();
  return memory;
}

bool Buffer::Reserve(std::size_t capacity) {
  if (capacity <= capacity_) return true;
  AlignedBytes larger = TryAllocate(capacity);
  if (!larger) return false;
  if (size_ > 0) std::memcpy(larger.get(), data_.get(), size_);
  data_ = std::move(larger);
  capacity_ = capacity;
  return true;
}

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

OsResult<std::size_t> ReadAll(int fd, std::uint64_t expected, std::uint64_t limit, Buffer& buffer,
                              const Deadline& deadline) {
  buffer.size_ = 0;
  return ReadRest(fd, expected, limit, buffer, deadline);
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

bool ShortReadIsEnd(int fd) {
  struct statfs fs;
  if (fstatfs(fd, &fs) != 0) return false;
  switch (static_cast<std::uint32_t>(fs.f_type)) {
    case EXT4_SUPER_MAGIC:
    case XFS_SUPER_MAGIC:
    case BTRFS_SUPER_MAGIC:
    case TMPFS_MAGIC:
    case F2FS_SUPER_MAGIC:
    case OVERLAYFS_SUPER_MAGIC: return true;
    default: return false;
  }
}

OsResult<std::size_t> ReadAt(int fd, std::uint64_t offset, char* out, std::size_t size) {
  while (true) {
    const ssize_t n = pread(fd, out, size, static_cast<off_t>(offset));
    if (n >= 0) return static_cast<std::size_t>(n);
    if (errno != EINTR) return LastError();
  }
}

OsResult<std::string> ReadSmall(int fd, std::uint64_t limit) {
  struct stat st;
  if (fstat(fd, &st) != 0) return LastError();
  if (!S_ISREG(st.st_mode)) return OsError{EINVAL};
  Buffer buffer;
  const auto n = ReadAll(fd, static_cast<std::uint64_t>(st.st_size), limit + 1, buffer);
  if (!n.ok()) return n.error();
  if (*n > limit) return OsError{EFBIG};
  return std::string(buffer.view());
}

// --- os/named_file.h ---

OsResult<Fd> OpenFolder(const std::string& path) {
  return Wrap(OpenRetrying(AT_FDCWD, path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
}

OsResult<FileInfo> StatPath(const std::string& path) {
  struct stat st;
  if (stat(path.c_str(), &st) != 0) return LastError();
  return ToInfo(st);
}

OsResult<std::string> RealPath(int fd) { return ReadLinkAt(AT_FDCWD, ("/proc/self/fd/" + std::to_string(fd)).c_str()); }

OsResult<std::string> ReadSmallFile(const std::string& path, std::uint64_t limit) {
  const Fd fd(OpenRetrying(AT_FDCWD, path.c_str(), kReadFlags));
  if (!fd.valid()) return LastError();
  return ReadSmall(fd.get(), limit);
}

}  // namespace forge::os
