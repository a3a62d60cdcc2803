// Goes on with a search in another engine, after events of it were delivered.
//
// The answer is the same in every engine, so the second one finds the same events
// again. The first of them were delivered already; a hash tells whether they are
// the same, without keeping them.
//
// For the thread that searches.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>

#include "base/xxhash64.h"
#include "forge/search.h"
#include "wire/codec.h"
#include "wire/types.h"

namespace forge::remote {

// Events in order, as a number and a hash.
class EventChain {
 public:
  void Add(const Event& event) {
    hash_ = XxHash64(wire::Encode(event), hash_);
    ++count_;
  }
  std::uint64_t count() const { return count_; }

  friend bool operator==(const EventChain&, const EventChain&) = default;

 private:
  std::uint64_t count_ = 0;
  std::uint64_t hash_ = 0;
};

// Passes on what comes after the events that were `delivered`.
class Replay {
 public:
  Replay(EventChain delivered, std::function<void(const Event&)> sink)
      : delivered_(delivered), sink_(std::move(sink)) {}

  void OnEvent(const Event& event) {
    if (seen_.count() == delivered_.count()) return sink_(event);
    seen_.Add(event);
  }

  // Whether the events that it left out were those that were delivered. If not, the
  // tree has changed in between.
  bool same() const { return seen_ == delivered_; }

 private:
  const EventChain delivered_;
  const std::function<void(const Event&)> sink_;
  EventChain seen_;
};

}  // namespace forge::remote
