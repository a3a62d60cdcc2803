// Stopping a search from another thread.
//
//   forge::CancelSource source;
//   std::thread t([&] { engine.Search(request, {.cancel = source.token()}); });
//   source.Cancel();   // the search ends within milliseconds, with kCancelled
//
// Thread-safe. A token outlives its source. wake_fd() becomes readable on
// cancellation, so that a thread blocked in poll(2) on a child process wakes
// at once instead of polling a flag.
#pragma once

#include <memory>

namespace forge {

class CancelToken {
 public:
  CancelToken() = default;  // can never be cancelled

  bool cancelled() const;
  int wake_fd() const;  // -1 when it can never be cancelled

 private:
  friend class CancelSource;
  struct State;
  std::shared_ptr<State> state_;
};

class CancelSource {
 public:
  CancelSource();
  void Cancel();
  const CancelToken& token() const { return token_; }

 private:
  CancelToken token_;
};

}  // namespace forge
