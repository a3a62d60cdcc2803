#include "mcp/calls.h"

#include <system_error>
#include <utility>

namespace forge::mcp {

Calls::~Calls() { Stop(); }

Calls::Started Calls::Start(const std::string& key, std::size_t bytes, Work work) {
  const Lock lock(mutex_);
  if (live_.contains(key)) return Started::kKeyInUse;
  const bool full = waiting_.size() >= limits_.waiting || waiting_bytes_ + bytes > limits_.waiting_bytes;
  if (stopping_ || full || !HaveThread()) return Started::kTooMany;
  live_.emplace(key, Live());
  waiting_.push_back({key, bytes, std::move(work)});
  waiting_bytes_ += bytes;
  work_.NotifyOne();
  return Started::kYes;
}

// Starts a thread if none is free for one more call. False: there is no thread
// at all.
bool Calls::HaveThread() {
  if (waiting_.size() < free_threads_ || threads_.size() == limits_.running) return true;
  try {
    threads_.emplace_back([this] { Run(); });
    ++free_threads_;
  } catch (const std::system_error&) {  // the system has no more; the others will do
  }
  return !threads_.empty();
}

void Calls::Cancel(const std::string& key) {
  const Lock lock(mutex_);
  const auto found = live_.find(key);
  if (found == live_.end()) return;
  found->second.cancelled = true;
  if (found->second.source) found->second.source->Cancel();
}

CancelToken Calls::StartLive(const std::string& key) {
  Live& live = live_.at(key);
  live.source.emplace();
  if (live.cancelled) live.source->Cancel();
  return live.source->token();
}

bool Calls::Drain(std::chrono::milliseconds longest) {
  const auto end = std::chrono::steady_clock::now() + longest;
  Lock lock(mutex_);
  while (!live_.empty() && idle_.WaitUntil(mutex_, end)) {
  }
  return live_.empty();
}

void Calls::Stop() {
  std::vector<std::thread> threads;
  {
    const Lock lock(mutex_);
    stopping_ = true;
    for (auto& [key, live] : live_) {
      live.cancelled = true;
      if (live.source) live.source->Cancel();
    }
    threads.swap(threads_);
  }
  work_.NotifyAll();
  for (std::thread& thread : threads) thread.join();
}

void Calls::Run() {
  Lock lock(mutex_);
  for (;;) {
    while (!stopping_ && waiting_.empty()) work_.Wait(mutex_);
    if (waiting_.empty()) return;  // stopping, and every call has had its turn
    Call call = std::move(waiting_.front());
    waiting_.pop_front();
    waiting_bytes_ -= call.bytes;
    --free_threads_;
    const std::string key = call.key;
    const CancelToken token = StartLive(key);
    lock.Unlock();
    RunOne(std::move(call), token);
    lock.Relock();
    ++free_threads_;
    live_.erase(key);
    if (live_.empty()) idle_.NotifyAll();
  }
}

// A separate function, so that everything the call holds is freed before it
// counts as ended.
// NOLINTNEXTLINE(performance-unnecessary-value-param)
void Calls::RunOne(Call call, const CancelToken& token) { call.work(token); }

}  // namespace forge::mcp
