// Whether a file was opened to be read, which also O_NOATIME does not hide.
#pragma once

#include <sys/inotify.h>
#include <unistd.h>

#include <string>

namespace forge::testing {

// A descriptor that is only a place (O_PATH) does not count.
class OpenWatch {
 public:
  explicit OpenWatch(const std::string& path) : fd_(inotify_init1(IN_NONBLOCK | IN_CLOEXEC)) {
    inotify_add_watch(fd_, path.c_str(), IN_OPEN);
  }
  ~OpenWatch() { close(fd_); }
  OpenWatch(const OpenWatch&) = delete;
  OpenWatch& operator=(const OpenWatch&) = delete;

  bool opened() const {
    char events[4096];
    return read(fd_, events, sizeof events) > 0;
  }

 private:
  const int fd_;
};

}  // namespace forge::testing
