// An event that is set once and wakes every thread that waits for it together with
// something else: a file, a child process, another machine.
//
// The descriptor is readable in poll(2) once the event is set, and stays so. On
// Windows it is the handle of an event (os/file.h says why an int holds it).
//
// Thread-safe. Set() may be called from a signal handler.
#pragma once

namespace forge {

class WakeEvent {
 public:
  WakeEvent();
  ~WakeEvent();
  WakeEvent(const WakeEvent&) = delete;
  WakeEvent& operator=(const WakeEvent&) = delete;

  void Set();
  // -1, which poll(2) passes over, if the system had none left.
  int descriptor() const { return descriptor_; }

 private:
  int descriptor_ = -1;
  [[maybe_unused]] int other_end_ = -1;  // where the event is a pipe
};

}  // namespace forge
