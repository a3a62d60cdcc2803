// Stopping a search from another thread.
//
//   forge::CancelSource source;
//   std::thread t([&] { engine.Search(request, {.cancel = source.token()}); });
//   source.Cancel();   // the search ends within milliseconds, with kCancelled
//
// Thread-safe; Cancel() may also be called from a signal handler. A token stays
// valid after its source is gone.
#pragma once

#include <memory>

namespace forge {

class CancelToken {
 public:
  CancelToken() = default;  // can never be cancelled

  bool cancelled() const;

 private:
  friend class CancelSource;
  friend struct CancelAccess;  // for the library itself: how it waits for a cancellation
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
