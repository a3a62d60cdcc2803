// The connections of one client to one tree of the shared server.
//
// A call takes a connection and gives it back after a whole answer; a call that was
// cancelled or lost its server does not. After a failure we do not ask again for a
// while, twice as long each time. After several in a row we give up for good:
// then the client indexes for itself, as it would without a server.
//
// Thread-safe.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "base/mutex.h"
#include "os/clocks.h"
#include "remote/channel.h"

namespace forge::remote {

class Connections {
 public:
  // A connection with the tree open on it; null: there is none to be had.
  using Connect = std::function<std::unique_ptr<Channel>(const CancelToken&)>;

  static constexpr int kMostFailures = 4;
  static constexpr std::chrono::milliseconds kFirstPause{500};

  Connections(Connect connect, std::unique_ptr<Channel> first, const os::Clocks& clocks);

  // Null: go on without.
  std::unique_ptr<Channel> Take(const CancelToken& cancel);
  void GiveBack(std::unique_ptr<Channel> channel);
  // The server broke off a call, or fell silent.
  void NoteFailure();

  bool given_up() const;

 private:
  std::unique_ptr<Channel> TakeIdle();
  bool MayTry();

  const Connect connect_;
  const os::Clocks& clocks_;
  mutable Mutex mutex_;
  std::vector<std::unique_ptr<Channel>> idle_ GUARDED_BY(mutex_);
  int failures_ GUARDED_BY(mutex_) = 0;
  Clock::time_point next_try_ GUARDED_BY(mutex_) = Clock::time_point::min();
};

}  // namespace forge::remote
