#include "remote/reply.h"

#include <chrono>

namespace forge::remote {
namespace {

constexpr std::size_t kFullMessage = 32 << 10;
constexpr std::chrono::milliseconds kHoldBack{5};
constexpr std::chrono::milliseconds kProgressEvery{20};

}  // namespace

void Reply::Add(const Event& event) {
  const Lock lock(mutex_);
  events_.Put(event);
  if (events_.size() >= kFullMessage || Clock::now() - sent_ >= kHoldBack) Send();
}

void Reply::Add(const FileReport& file) {
  const Lock lock(mutex_);
  HoldEvents();
  wire::PutFrame(static_cast<std::uint8_t>(Type::kFile), wire::Encode(file), held_);
  if (held_.size() >= kFullMessage || Clock::now() - sent_ >= kHoldBack) Send();
}

void Reply::Report(const Progress& progress) {
  const Lock lock(mutex_);
  const auto now = Clock::now();
  if (now - reported_ < kProgressEvery) return;
  reported_ = now;
  HoldEvents();
  const ProgressReport report{progress.done, progress.total, std::string(progress.what)};
  wire::PutFrame(static_cast<std::uint8_t>(Type::kProgress), wire::Encode(report), held_);
  Send();
}

// If the lock is taken, the other thread is sending, which is a sign of life too.
void Reply::Tick() {
  if (!mutex_.try_lock()) return;
  const Lock lock(mutex_, std::adopt_lock);
  HoldEvents();
  if (held_.empty()) wire::PutFrame(static_cast<std::uint8_t>(Type::kAlive), "", held_);
  Send();
}

bool Reply::Finish(Type type, std::string_view payload) {
  if (payload.size() > kMostReply) return false;
  const Lock lock(mutex_);
  HoldEvents();
  wire::PutFrame(static_cast<std::uint8_t>(type), payload, held_);
  return Send();
}

void Reply::HoldEvents() {
  const std::string events = events_.Take();
  if (!events.empty()) wire::PutFrame(static_cast<std::uint8_t>(Type::kEvents), events, held_);
}

// No deadline: a reader that is slow may be waiting for a person.
bool Reply::Send() {
  HoldEvents();
  if (!gone_ && !channel_.SendFrames(held_, Deadline())) {
    gone_ = true;
    cancel_.Cancel();
  }
  held_.clear();
  sent_ = Clock::now();
  return !gone_;
}

}  // namespace forge::remote
