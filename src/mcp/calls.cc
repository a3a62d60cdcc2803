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
  const CancelSource& source = live_.emplace(key, CancelSource()).first->second;
  waiting_.push_back({key, bytes, std::move(work), source.token()});
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
  if (const auto found = live_.find(key); found != live_.end()) found->second.Cancel();
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
    for (auto& [key, source] : live_) source.Cancel();
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
    lock.Unlock();
    RunOne(std::move(call));
    lock.Relock();
    ++free_threads_;
    live_.erase(key);
    if (live_.empty()) idle_.NotifyAll();
  }
}

// A separate function, so that everything the call holds is freed before it
// counts as ended.
void Calls::RunOne(Call call) { call.work(call.token); }  // NOLINT(performance-unnecessary-value-param)

}  // namespace forge::mcp
