#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <unordered_set>
#include <utility>

#include "base/mutex.h"
#include "os/watch.h"

namespace forge::os {
namespace {

constexpr std::uint32_t kFolderEnds = IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT | IN_IGNORED;
constexpr std::uint32_t kAppears = IN_CREATE | IN_MOVED_TO;
constexpr std::uint32_t kDisappears = IN_DELETE | IN_MOVED_FROM;

// Without IN_EXCL_UNLINK: a file that lost the name it was opened by may have
// another one in the tree.
constexpr std::uint32_t kMask =
    kAppears | kDisappears | IN_MODIFY | IN_CLOSE_WRITE | IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR;

constexpr std::size_t kBufferBytes = 16 * 1024;

class Inotify final : public Watcher {
 public:
  explicit Inotify(Fd fd) : fd_(std::move(fd)) {}

  OsResult<WatchId> Add(int folder, const std::string& /*path*/) override {
    // inotify takes names only. This one leads to the open folder, and nowhere else.
    const std::string name = "/proc/self/fd/" + std::to_string(folder);
    const Lock lock(mutex_);
    const int watch = inotify_add_watch(fd_.get(), name.c_str(), kMask);
    if (watch < 0) return OsError{errno};
    return watch;
  }

  void Remove(WatchId watch) override {
    const Lock lock(mutex_);
    End(watch);
  }

  bool Drain(std::vector<WatchEvent>& events) override {
    const Lock lock(mutex_);
    // We read what is queued now and no more: a program that writes without end
    // must not keep this loop from returning.
    int queued = 0;
    if (ioctl(fd_.get(), FIONREAD, &queued) != 0) return false;
    while (queued > 0) {
      alignas(inotify_event) std::array<char, kBufferBytes> buffer;
      const ssize_t n = read(fd_.get(), buffer.data(), buffer.size());
      if (n < 0 && errno == EINTR) continue;
      if (n < 0 && errno == EAGAIN) return true;
      if (n <= 0) return false;
      Decode(buffer.data(), static_cast<std::size_t>(n), events);
      queued -= static_cast<int>(n);
    }
    return true;
  }

  int fd() const override { return fd_.get(); }

 private:
  // The kernel confirms the end of a watch by IN_IGNORED. It never uses a
  // number again, so events that still come for this number are old.
  void End(WatchId watch) REQUIRES(mutex_) {
    if (inotify_rm_watch(fd_.get(), watch) == 0) ended_.insert(watch);
  }

  void Decode(const char* data, std::size_t size, std::vector<WatchEvent>& events) REQUIRES(mutex_) {
    for (std::size_t at = 0; at < size;) {
      inotify_event raw;
      std::memcpy(&raw, data + at, sizeof raw);
      const char* name = data + at + sizeof raw;
      Take(raw, raw.len == 0 ? std::string() : std::string(name, strnlen(name, raw.len)), events);
      at += sizeof raw + raw.len;
    }
  }

  void Take(const inotify_event& raw, std::string name, std::vector<WatchEvent>& events) REQUIRES(mutex_) {
    WatchEvent event = {WatchEvent::Kind::kOverflow, raw.wd, std::move(name), (raw.mask & IN_ISDIR) != 0, raw.cookie};
    if ((raw.mask & IN_Q_OVERFLOW) != 0) return events.push_back(WatchEvent{.kind = WatchEvent::Kind::kOverflow});
    if ((raw.mask & kFolderEnds) != 0) return TakeEnd(raw, events);
    if (ended_.contains(raw.wd)) return;
    if ((raw.mask & kAppears) != 0) {
      event.kind = WatchEvent::Kind::kCreated;
    } else if ((raw.mask & kDisappears) != 0) {
      event.kind = WatchEvent::Kind::kRemoved;
    } else {
      event.kind = WatchEvent::Kind::kChanged;
      // A write and the close after it.
      if (!events.empty() && events.back() == event) return;
    }
    events.push_back(std::move(event));
  }

  // Reported once for each watch, and not for a watch that Remove has ended.
  void TakeEnd(const inotify_event& raw, std::vector<WatchEvent>& events) REQUIRES(mutex_) {
    const bool confirmed = (raw.mask & IN_IGNORED) != 0;
    const bool known = confirmed ? ended_.erase(raw.wd) > 0 : ended_.contains(raw.wd);
    if (known) return;
    events.push_back({.kind = WatchEvent::Kind::kFolderGone, .watch = raw.wd});
    if (confirmed) return;
    // We end the watch of a folder that was moved: it would go on at a path
    // that we do not know. For a deleted folder the kernel has ended the watch,
    // and says so next.
    if (inotify_rm_watch(fd_.get(), raw.wd) == 0 || errno == EINVAL) ended_.insert(raw.wd);
  }

  const Fd fd_;
  Mutex mutex_;
  std::unordered_set<WatchId> ended_ GUARDED_BY(mutex_);  // not yet confirmed
};

}  // namespace

OsResult<std::unique_ptr<Watcher>> MakeWatcher() {
  Fd fd(inotify_init1(IN_NONBLOCK | IN_CLOEXEC));
  if (!fd.valid()) return OsError{errno};
  return std::unique_ptr<Watcher>(std::make_unique<Inotify>(std::move(fd)));
}

}  // namespace forge::os
