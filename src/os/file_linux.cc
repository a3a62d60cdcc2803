#include <dirent.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <ctime>

#include "os/file_posix.h"
#include "os/named_file.h"
#include "os/try_allocate.h"

namespace forge::os {

// Cannot be read.
const int kPlaceFlags = O_PATH | O_CLOEXEC;

namespace {

constexpr __u64 kNoLinks = RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;

int OpenAt2(int folder, const char* path, int flags, __u64 resolve) {
  open_how how{};
  how.flags = static_cast<__u64>(flags);
  how.resolve = resolve;
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

// Opens by openat2, or else by `otherwise`, which is for kernels before 5.6 and sandboxes
// that filter openat2.
template <typename Otherwise>
int TryOpenAt2(int folder, const char* path, int flags, __u64 resolve, Otherwise otherwise) {
  static std::atomic<bool> have_openat2{true};
  if (!have_openat2.load(std::memory_order_relaxed)) return otherwise();
  const int fd = OpenAt2(folder, path, flags, resolve);
  if (fd >= 0 || (errno != ENOSYS && errno != EPERM)) return fd;
  // EPERM comes from filters of system calls, and for some files from the file
  // system itself. In the second case the other way fails with EPERM too.
  const int other = otherwise();
  if (other >= 0 || errno != EPERM) have_openat2.store(false, std::memory_order_relaxed);
  return other;
}

int OpenStrict(int folder, const std::string& relative, int flags) {
  const std::string path = relative.empty() ? "." : relative;
  return TryOpenAt2(folder, path.c_str(), flags, RESOLVE_BENEATH | kNoLinks,
                    [&] { return OpenByComponent(folder, path, flags); });
}

int OpenExactByComponent(const std::string& absolute, int flags) {
  const Fd top(OpenRetrying(AT_FDCWD, "/", kPlaceFlags | O_DIRECTORY));
  if (!top.valid()) return -1;
  return OpenByComponent(top.get(), absolute == "/" ? "." : absolute.substr(1), flags);
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

OsResult<Fd> OpenExactFolder(const std::string& absolute) {
  constexpr int kFlags = O_PATH | O_CLOEXEC | O_DIRECTORY;
  constexpr int kNoFolder = -1;  // so that a relative path is an error
  return Wrap(TryOpenAt2(kNoFolder, absolute.c_str(), kFlags, kNoLinks,
                         [&] { return OpenExactByComponent(absolute, kFlags); }));
}

OsResult<Fd> OpenStep(int folder, const std::string& name) {
  return Wrap(OpenRetrying(folder, name.c_str(), kPlaceFlags | O_NOFOLLOW));
}

OsResult<std::string> LinkTarget(int link) { return ReadLinkAt(link, ""); }

std::string OwnName(int /*fd*/, const std::string& name) { return name; }

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

OsResult<FileInfo> StatBeneath(int folder, const std::string& relative) {
  const Fd place(OpenStrict(folder, relative, kPlaceFlags | O_NOFOLLOW));
  if (!place.valid()) return LastError();
  return Stat(place.get());
}

OsResult<std::vector<DirEntry>> ListFolder(int folder, const Deadline& deadline) {
  // We call getdents64 directly: opendir costs four more system calls a folder. And by
  // its number: glibc has a function for it since 2.30 only.
  alignas(dirent64) std::array<char, 32768> buffer;
  std::vector<DirEntry> entries;
  while (true) {
    const long n = syscall(SYS_getdents64, folder, buffer.data(), buffer.size());
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

Stamps StampsOf(const struct stat& st) { return {st.st_mtim, st.st_ctim}; }

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

OsResult<std::string> RealPath(int fd) { return ReadLinkAt(AT_FDCWD, ("/proc/self/fd/" + std::to_string(fd)).c_str()); }

}  // namespace forge::os
