#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>
#include <vector>

#include "base/cancel.h"
#include "base/strings.h"
#include "os/local_socket.h"
#include "os/named_file.h"
#include "os/private_file.h"

namespace forge::os {
namespace {

constexpr int kBacklog = 64;
constexpr std::uint64_t kMostStatus = 1 << 20;

// A path may be longer than an address can be. The folder's descriptor makes it
// short, and it is the folder that we checked.
OsResult<sockaddr_un> AddressOf(int folder, const std::string& name) {
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  const std::string path = "/proc/self/fd/" + std::to_string(folder) + "/" + name;
  if (path.size() >= sizeof address.sun_path) return OsError{ENAMETOOLONG};
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  return address;
}

OsResult<Fd> MakeSocket() {
  Fd fd(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!fd.valid()) return OsError{errno};
  return fd;
}

// True when `fd` is ready, or has failed: then the next call says how.
OsResult<bool> WaitFor(int fd, short event, const Deadline& deadline) {
  while (true) {
    if (deadline.cancelled()) return OsError{ECANCELED};
    pollfd waits[] = {{fd, event, 0}, {WakeFd(deadline.cancel()), POLLIN, 0}};
    const int ready = poll(waits, 2, deadline.PollTimeout());
    if (ready < 0 && errno != EINTR) return OsError{errno};
    if (ready == 0) return OsError{ETIMEDOUT};
    if (ready > 0 && waits[0].revents != 0) return true;
  }
}

bool WouldBlock(int code) { return code == EAGAIN || code == EWOULDBLOCK; }

// The lines of /proc/PID/status that decide what a process may open.
std::string RightsOf(const std::string& process) {
  const auto text = ReadSmallFile("/proc/" + process + "/status", kMostStatus);
  if (!text.ok()) return "";
  std::string rights;
  for (const std::string_view line : Split(*text, '\n')) {
    for (const std::string_view key : {"Uid:", "Gid:", "Groups:", "CapEff:", "Seccomp:"}) {
      if (line.starts_with(key)) rights.append(line).append("\n");
    }
  }
  return rights;
}

// The same folder or namespace under both names.
bool SameThing(const std::string& one, const std::string& other) {
  struct stat a = {};
  struct stat b = {};
  return stat(one.c_str(), &a) == 0 && stat(other.c_str(), &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

OsResult<Fd> OpenOwnFolder(const std::string& absolute) {
  OsResult<Fd> fd = OpenFolderItself(absolute);
  if (!fd.ok()) return fd;
  const OsResult<Access> access = AccessOf(fd->get());
  if (!access.ok()) return access.error();
  if (access->owner != EffectiveUser() || access->permissions != kPrivateFolder) return OsError{EACCES};
  return fd;
}

}  // namespace

bool SeesWhatWeSee(std::int64_t process) {
  if (process <= 0) return false;  // of another pid namespace
  const std::string other = std::to_string(process);
  for (const std::string name : {"ns/mnt", "ns/user", "root"}) {
    if (!SameThing("/proc/self/" + name, "/proc/" + other + "/" + name)) return false;
  }
  const std::string rights = RightsOf("self");
  return !rights.empty() && rights == RightsOf(other);
}

OsResult<bool> MakeOwnFolder(const std::string& absolute) {
  const OsResult<bool> made = MakePrivateFolder(absolute);
  if (!made.ok()) return made;
  const OsResult<Fd> fd = OpenOwnFolder(absolute);
  return fd.ok() ? OsResult<bool>(true) : fd.error();
}

OsResult<LocalStream> LocalStream::Checked(Fd fd) {
  ucred peer = {};
  socklen_t size = sizeof peer;
  if (getsockopt(fd.get(), SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) return OsError{errno};
  if (peer.uid != EffectiveUser() || !SeesWhatWeSee(peer.pid)) return OsError{EPERM};
  return LocalStream(std::move(fd), peer.pid);
}

OsResult<LocalStream> LocalStream::Connect(const std::string& folder, const std::string& name,
                                           const Deadline& deadline) {
  const OsResult<Fd> place = OpenOwnFolder(folder);
  if (!place.ok()) return place.error();
  const auto address = AddressOf(place->get(), name);
  if (!address.ok()) return address.error();
  OsResult<Fd> fd = MakeSocket();
  if (!fd.ok()) return fd.error();
  while (connect(fd->get(), reinterpret_cast<const sockaddr*>(&*address), sizeof *address) != 0) {
    // EAGAIN: the queue of the listener is full, and poll(2) does not tell when it
    // has room. A process that takes no connections is of no use.
    if (errno != EINTR) return OsError{errno};
    if (deadline.over()) return OsError{ETIMEDOUT};
  }
  return Checked(std::move(*fd));
}

OsResult<std::size_t> LocalStream::Read(char* buffer, std::size_t size, const Deadline& deadline) const {
  while (true) {
    const ssize_t count = recv(fd_.get(), buffer, size, 0);
    if (count >= 0) return static_cast<std::size_t>(count);
    if (errno == EINTR) continue;
    if (!WouldBlock(errno)) return OsError{errno};
    if (const auto ready = WaitFor(fd_.get(), POLLIN, deadline); !ready.ok()) return ready.error();
  }
}

OsResult<bool> LocalStream::Write(std::string_view bytes, const Deadline& deadline) const {
  while (!bytes.empty()) {
    const ssize_t count = send(fd_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (count >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(count));
    } else if (WouldBlock(errno)) {
      if (const auto ready = WaitFor(fd_.get(), POLLOUT, deadline); !ready.ok()) return ready.error();
    } else if (errno != EINTR) {
      return OsError{errno};
    }
  }
  return true;
}

void LocalStream::Shutdown() const { shutdown(fd_.get(), SHUT_RDWR); }

OsResult<LocalListener> LocalListener::Open(const std::string& folder, const std::string& name) {
  LocalListener out;
  if (const auto made = MakeOwnFolder(folder); !made.ok()) return made.error();
  OsResult<Fd> place = OpenOwnFolder(folder);
  if (!place.ok()) return place.error();
  out.path_ = folder;
  out.folder_ = std::move(*place);
  const auto address = AddressOf(out.folder_.get(), name);
  if (!address.ok()) return address.error();
  OsResult<Fd> fd = MakeSocket();
  if (!fd.ok()) return fd.error();
  unlinkat(out.folder_.get(), name.c_str(), 0);
  if (bind(fd->get(), reinterpret_cast<const sockaddr*>(&*address), sizeof *address) != 0) return OsError{errno};
  out.name_ = name;
  if (listen(fd->get(), kBacklog) != 0) return OsError{errno};
  out.fd_ = std::move(*fd);
  return out;
}

LocalListener::~LocalListener() {
  if (folder_.valid() && !name_.empty()) unlinkat(folder_.get(), name_.c_str(), 0);
}

OsResult<LocalStream> LocalListener::Accept(const Deadline& deadline) const {
  while (true) {
    Fd fd(accept4(fd_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (fd.valid()) return LocalStream::Checked(std::move(fd));
    if (errno == EINTR || errno == ECONNABORTED) continue;
    if (!WouldBlock(errno)) return OsError{errno};
    if (const auto ready = WaitFor(fd_.get(), POLLIN, deadline); !ready.ok()) return ready.error();
  }
}

bool LocalListener::IsReachable() const {
  const OsResult<Fd> folder = OpenOwnFolder(path_);
  if (!folder.ok()) return false;
  const auto there = StatEntry(folder->get(), name_);
  const auto ours = StatEntry(folder_.get(), name_);
  return there.ok() && ours.ok() && there->device == ours->device && there->inode == ours->inode;
}

}  // namespace forge::os
