#include <dirent.h>
#include <dlfcn.h>
#include <sys/mount.h>
#include <sys/param.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <string_view>

#include "base/path.h"
#include "os/file_posix.h"
#include "os/named_file.h"
#include "os/try_allocate.h"

// Compiled, never run by us (docs/systems.md).
namespace forge::os {

// For events only: opening has no effect on a device, and does not keep a volume
// from being ejected.
const int kPlaceFlags = O_EVTONLY | O_CLOEXEC | O_NONBLOCK;

namespace {

int OpenStrict(int folder, const std::string& relative, int flags) {
  return OpenByComponent(folder, relative.empty() ? "." : relative, flags);
}

FileType TypeOfEntry(int folder, const dirent& entry) {
  switch (entry.d_type) {
    case DT_REG: return FileType::kRegular;
    case DT_DIR: return FileType::kDirectory;
    case DT_LNK: return FileType::kSymlink;
    case DT_UNKNOWN: {
      const auto info = StatEntry(folder, entry.d_name);
      return info.ok() ? info->type : FileType::kOther;
    }
    default: return FileType::kOther;
  }
}

struct CloseFolder {
  void operator()(DIR* folder) const { closedir(folder); }
};

}  // namespace

OsResult<Fd> OpenExactFolder(const std::string& absolute) {
  const Fd top(OpenRetrying(AT_FDCWD, "/", kPlaceFlags | O_DIRECTORY));
  if (!top.valid()) return LastError();
  return Wrap(OpenStrict(top.get(), absolute.substr(1), kPlaceFlags | O_DIRECTORY));
}

OsResult<Fd> OpenStep(int folder, const std::string& name) {
  return Wrap(OpenRetrying(folder, name.c_str(), kPlaceFlags | O_SYMLINK));
}

// freadlink(2) is there since macOS 13. Before, we ask by name; what another program
// puts there meanwhile is judged like any link.
OsResult<std::string> LinkTarget(int link) {
  using ReadLink = ssize_t (*)(int, char*, std::size_t);
  static const auto read_link = reinterpret_cast<ReadLink>(dlsym(RTLD_DEFAULT, "freadlink"));
  if (read_link == nullptr) {
    const auto path = RealPath(link);
    return path.ok() ? ReadLinkAt(AT_FDCWD, path->c_str()) : path;
  }
  std::array<char, MAXPATHLEN> target;
  const ssize_t size = read_link(link, target.data(), target.size());
  if (size < 0) return LastError();
  return std::string(target.data(), static_cast<std::size_t>(size));
}

// Case and the form of accents do not matter to most volumes (T-LSI-PATH-03). The
// path of a file with several names may be that of another one.
std::string OwnName(int fd, const std::string& name) {
  const auto info = Stat(fd);
  if (!info.ok() || (info->type != FileType::kDirectory && info->links > 1)) return name;
  const auto path = RealPath(fd);
  return path.ok() ? std::string(LastName(*path)) : name;
}

OsResult<Fd> OpenBeneath(int folder, const std::string& relative) {
  return Wrap(OpenStrict(folder, relative, kReadFlags));
}

OsResult<Fd> OpenFolderBeneath(int folder, const std::string& relative) {
  return Wrap(OpenStrict(folder, relative, kReadFlags | O_DIRECTORY));
}

OsResult<Fd> OpenEntry(int folder, const char* name) {
  return Wrap(OpenRetrying(folder, name, kReadFlags | O_NOFOLLOW));
}

std::int64_t FileClockNow() {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return now.tv_sec * std::int64_t{1'000'000'000} + now.tv_nsec;
}

OsResult<FileInfo> StatBeneath(int folder, const std::string& relative) {
  const std::size_t slash = relative.rfind('/');
  if (slash == std::string::npos) return StatEntry(folder, relative.empty() ? "." : relative);
  const Fd parent(OpenStrict(folder, relative.substr(0, slash), kPlaceFlags | O_DIRECTORY));
  if (!parent.valid()) return LastError();
  return StatEntry(parent.get(), relative.substr(slash + 1));
}

OsResult<std::vector<DirEntry>> ListFolder(int folder, const Deadline& deadline) {
  // A descriptor of its own: readdir(3) moves its position, and closedir(3) closes it.
  const int own = OpenRetrying(folder, ".", kReadFlags | O_DIRECTORY);
  if (own < 0) return LastError();
  const std::unique_ptr<DIR, CloseFolder> list(fdopendir(own));
  if (list == nullptr) {
    const OsError error = LastError();
    close(own);
    return error;
  }
  std::vector<DirEntry> entries;
  errno = 0;
  while (const dirent* entry = readdir(list.get())) {
    const std::string_view name(entry->d_name, entry->d_namlen);
    if (name != "." && name != "..") entries.push_back({std::string(name), TypeOfEntry(folder, *entry)});
    if (entries.size() % 1000 == 999 && deadline.over()) return OsError{ECANCELED};
    errno = 0;
  }
  if (errno != 0) return LastError();
  return entries;
}

AlignedBytes TryAllocate(std::size_t size) {
  constexpr std::size_t kPage = 16384;
  void* memory = nullptr;
  if (posix_memalign(&memory, kPage, size) != 0) return nullptr;
  return AlignedBytes(static_cast<char*>(memory));
}

Stamps StampsOf(const struct stat& st) { return {st.st_mtimespec, st.st_ctimespec}; }

bool ShortReadIsEnd(int fd) {
  struct statfs fs;
  if (fstatfs(fd, &fs) != 0) return false;
  const std::string_view name = fs.f_fstypename;
  return name == "apfs" || name == "hfs";
}

OsResult<std::string> RealPath(int fd) {
  std::array<char, MAXPATHLEN> path;
  if (fcntl(fd, F_GETPATH, path.data()) != 0) return LastError();
  return std::string(path.data());
}

}  // namespace forge::os
