#include "forge/cancel.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>

namespace forge {

struct CancelToken::State {
  State() : fd(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}
  ~State() {
    if (fd >= 0) close(fd);
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  std::atomic<bool> cancelled{false};
  const int fd;
};

bool CancelToken::cancelled() const { return state_ && state_->cancelled.load(std::memory_order_acquire); }

int CancelToken::wake_fd() const { return state_ ? state_->fd : -1; }

CancelSource::CancelSource() { token_.state_ = std::make_shared<CancelToken::State>(); }

void CancelSource::Cancel() {
  token_.state_->cancelled.store(true, std::memory_order_release);
  const std::uint64_t one = 1;
  // A full counter means that the fd is readable already.
  [[maybe_unused]] const ssize_t written = write(token_.state_->fd, &one, sizeof one);
}

}  // namespace forge
