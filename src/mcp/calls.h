// Runs calls in parallel; each can be cancelled by its key.
//
// At most `limits.running` calls run at once, so that a slow one does not delay
// a fast one. Further calls wait, up to a limit in number and in bytes, so that
// a client that only sends cannot fill the memory. Threads start when they are
// first needed. We rejected a thread for each call: a client may send
// thousands.
//
// Thread-safe.
#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/mutex.h"
#include "forge/cancel.h"

namespace forge::mcp {

struct CallLimits {
  std::size_t running = 16;
  std::size_t waiting = 10'000;
  std::size_t waiting_bytes = std::size_t{64} << 20;
};

class Calls {
 public:
  // Called exactly once, on another thread, with a token that is already
  // cancelled if the call was cancelled while it waited. Must not throw.
  using Work = std::function<void(const CancelToken&)>;

  enum class Started { kYes, kKeyInUse, kTooMany };

  explicit Calls(CallLimits limits = {}) : limits_(limits) {}
  ~Calls();  // calls Stop()
  Calls(const Calls&) = delete;
  Calls& operator=(const Calls&) = delete;

  // `bytes` is what the call holds in memory while it waits.
  Started Start(const std::string& key, std::size_t bytes, Work work);

  // Does nothing if there is no such call: it may have just ended.
  void Cancel(const std::string& key);

  // Waits until no call runs or waits, but no longer than this. False: some
  // remain.
  bool Drain(std::chrono::milliseconds longest);

  // Cancels all calls and waits for their end.
  void Stop();

 private:
  struct Call {
    std::string key;
    std::size_t bytes = 0;
    Work work;
  };
  // A call that waits needs no descriptor, and a process may have only 1,024: its
  // source comes when it runs.
  struct Live {
    bool cancelled = false;
    std::optional<CancelSource> source = {};
  };

  bool HaveThread() REQUIRES(mutex_);
  void Run();
  CancelToken StartLive(const std::string& key) REQUIRES(mutex_);
  void RunOne(Call call, const CancelToken& token);

  const CallLimits limits_;
  Mutex mutex_;
  Condition work_;  // a call waits, or the end has come
  Condition idle_;  // the last call has ended
  std::deque<Call> waiting_ GUARDED_BY(mutex_);
  std::size_t waiting_bytes_ GUARDED_BY(mutex_) = 0;
  std::map<std::string, Live> live_ GUARDED_BY(mutex_);  // waiting or running
  std::vector<std::thread> threads_ GUARDED_BY(mutex_);
  std::size_t free_threads_ GUARDED_BY(mutex_) = 0;
  bool stopping_ GUARDED_BY(mutex_) = false;
};

}  // namespace forge::mcp
