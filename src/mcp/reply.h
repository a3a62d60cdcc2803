// Sends answers. Knows messages only as finished JSON texts.
//
// A Reply is the one answer to one request. It can be sent once, and is moved
// to the thread that sends it. If a request must not be answered (a
// notification, a cancelled call), its Reply is destroyed unsent.
//
// The answers to a batch leave together, as one array, when the last Reply of
// the batch is destroyed, sent or not.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "base/mutex.h"

namespace forge::mcp {

// Gets one whole line with its line feed. False: the other side no longer
// reads.
using Sink = std::function<bool(std::string_view)>;

// Thread-safe: lines never mix.
class Outlet {
 public:
  explicit Outlet(Sink sink) : sink_(std::move(sink)) {}

  void Write(std::string message);  // without a line feed
  bool closed() const { return closed_; }

 private:
  Mutex mutex_;
  const Sink sink_ GUARDED_BY(mutex_);
  std::atomic<bool> closed_{false};
};

// Thread-safe.
class Batch {
 public:
  explicit Batch(Outlet& outlet) : outlet_(outlet) {}
  ~Batch();
  Batch(const Batch&) = delete;
  Batch& operator=(const Batch&) = delete;

  void Add(const std::string& message);

 private:
  Outlet& outlet_;
  Mutex mutex_;
  std::string messages_ GUARDED_BY(mutex_);  // joined by commas
};

class Reply {
 public:
  explicit Reply(Outlet& outlet, std::shared_ptr<Batch> batch = nullptr) : outlet_(&outlet), batch_(std::move(batch)) {}
  Reply(Reply&& other) noexcept
      : outlet_(std::exchange(other.outlet_, nullptr)), batch_(std::exchange(other.batch_, nullptr)) {}
  Reply& operator=(Reply&&) = delete;
  ~Reply() = default;

  void Send(std::string message) &&;
  bool in_batch() const { return batch_ != nullptr; }

 private:
  Outlet* outlet_;
  std::shared_ptr<Batch> batch_;
};

}  // namespace forge::mcp
