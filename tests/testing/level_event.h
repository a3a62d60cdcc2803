// A descriptor that a test makes readable, and takes that back: for a watcher of its own.
//
// Thread-safe.
#pragma once

namespace forge::testing {

class LevelEvent {
 public:
  LevelEvent();
  ~LevelEvent();
  LevelEvent(const LevelEvent&) = delete;
  LevelEvent& operator=(const LevelEvent&) = delete;

  void Set();
  void Reset();
  // Readable in poll(2) while it is set; on Windows the handle of an event.
  int descriptor() const { return descriptor_; }

 private:
  const int descriptor_;
};

}  // namespace forge::testing
