#include "base/cancel.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>

namespace forge {

// Shared by threads: a flag that is only ever set, and a descriptor that does not
// change. Neither needs a lock.
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

int CancelAccess::WakeFd(const CancelToken& token) { return token.state_ ? token.state_->fd : -1; }

CancelSource::CancelSource() { token_.state_ = std::make_shared<CancelToken::State>(); }

void CancelSource::Cancel() {
  token_.state_->cancelled.store(true, std::memory_order_release);
  const std::uint64_t one = 1;
  // write(2) fails only if the counter is full, and then the descriptor is
  // readable already.
  [[maybe_unused]] const ssize_t written = write(token_.state_->fd, &one, sizeof one);
}

}  // namespace forge
