#include "base/cancel.h"

#include <atomic>

#include "base/wake_event.h"

namespace forge {

// Shared by threads: a flag that is only ever set, and an event. Neither needs a
// lock.
struct CancelToken::State {
  std::atomic<bool> cancelled{false};
  WakeEvent event;
};

bool CancelToken::cancelled() const { return state_ && state_->cancelled.load(std::memory_order_acquire); }

int CancelAccess::WakeFd(const CancelToken& token) { return token.state_ ? token.state_->event.descriptor() : -1; }

CancelSource::CancelSource() { token_.state_ = std::make_shared<CancelToken::State>(); }

void CancelSource::Cancel() {
  token_.state_->cancelled.store(true, std::memory_order_release);
  token_.state_->event.Set();
}

}  // namespace forge
