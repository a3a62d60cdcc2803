#include "remote/connections.h"

#include <utility>

namespace forge::remote {
namespace {

// One stays open so that the server knows that the tree is in use; two more save
// calls that come together the time to connect.
constexpr std::size_t kMostIdle = 3;

// Nothing is due on an idle connection, so a look that does not run out of time
// has met its end.
bool IsAlive(Channel& channel) {
  Lost lost = Lost::kClosed;
  return !channel.Receive(Deadline(Clock::time_point()), lost) && lost == Lost::kTimeout;
}

}  // namespace

Connections::Connections(Connect connect, std::unique_ptr<Channel> first, const os::Clocks& clocks)
    : connect_(std::move(connect)), clocks_(clocks) {
  GiveBack(std::move(first));
}

std::unique_ptr<Channel> Connections::Take(const CancelToken& cancel) {
  while (auto channel = TakeIdle()) {
    if (IsAlive(*channel)) return channel;
  }
  if (!MayTry()) return nullptr;
  auto channel = connect_(cancel);
  if (channel == nullptr && !cancel.cancelled()) NoteFailure();
  return channel;
}

std::unique_ptr<Channel> Connections::TakeIdle() {
  const Lock lock(mutex_);
  if (idle_.empty()) return nullptr;
  auto channel = std::move(idle_.back());
  idle_.pop_back();
  return channel;
}

void Connections::GiveBack(std::unique_ptr<Channel> channel) {
  const Lock lock(mutex_);
  failures_ = 0;
  if (idle_.size() < kMostIdle) idle_.push_back(std::move(channel));
}

bool Connections::MayTry() {
  const Lock lock(mutex_);
  return failures_ < kMostFailures && clocks_.Steady() >= next_try_;
}

void Connections::NoteFailure() {
  const Lock lock(mutex_);
  idle_.clear();
  next_try_ = clocks_.Steady() + kFirstPause * (1 << failures_);
  if (failures_ < kMostFailures) ++failures_;
}

bool Connections::given_up() const {
  const Lock lock(mutex_);
  return failures_ == kMostFailures;
}

}  // namespace forge::remote
