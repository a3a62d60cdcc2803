// The way back of one call: events, progress, signs of life, and the answer.
//
// The thread that searches adds to it. Small pieces are held back for some
// milliseconds, so that a short answer is one message. Another thread calls Tick()
// every kAliveEvery, which sends what is held back, or a sign of life.
//
// A client that reads slowly makes the searching thread wait. One that is gone
// cancels the search.
//
// Thread-safe.
#pragma once

#include <string>

#include "base/mutex.h"
#include "forge/cancel.h"
#include "forge/search.h"
#include "remote/channel.h"

namespace forge::remote {

class Reply {
 public:
  // Both must outlive this.
  Reply(Channel& channel, CancelSource& cancel) : channel_(channel), cancel_(cancel) {}

  void Add(const Event& event);
  void Add(const FileReport& file);
  void Report(const Progress& progress);
  void Tick();
  // The end. False: the client is gone, or the payload is too large for it.
  bool Finish(Type type, std::string_view payload);

 private:
  void HoldEvents() REQUIRES(mutex_);
  bool Send() REQUIRES(mutex_);

  Channel& channel_;
  CancelSource& cancel_;
  Mutex mutex_;
  wire::Writer events_ GUARDED_BY(mutex_);
  std::string held_ GUARDED_BY(mutex_);  // whole frames
  Clock::time_point sent_ GUARDED_BY(mutex_) = Clock::now();
  Clock::time_point reported_ GUARDED_BY(mutex_) = {};
  bool gone_ GUARDED_BY(mutex_) = false;
};

}  // namespace forge::remote
