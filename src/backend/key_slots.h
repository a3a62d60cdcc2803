// A map from 64-bit keys to small values, for tables so large that each look at memory
// counts: the slots lie in one array, so a lookup touches one cache line, or two.
//
// Keys are hashes already; 0 stands for "empty" and counts as 1. Linear probing, at most
// half full. Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace forge {

template <typename Value>
class KeySlots {
 public:
  // Null if it is not there. Valid until the next change.
  Value* Find(std::uint64_t key) {
    if (slots_.empty()) return nullptr;
    Slot& slot = slots_[Place(Key(key))];
    return slot.key == 0 ? nullptr : &slot.value;
  }

  // Tells the processor that Find() will be called soon.
  void Expect(std::uint64_t key) const {
    if (!slots_.empty()) __builtin_prefetch(&slots_[Home(Key(key))]);
  }

  // The key must not be there. If there is no memory (std::bad_alloc), nothing changes.
  void Insert(std::uint64_t key, Value value) {
    if (2 * (size_ + 1) > slots_.size()) Grow();
    slots_[Place(Key(key))] = {Key(key), value};
    ++size_;
  }

  // The key must be there.
  void Erase(std::uint64_t key) {
    const std::size_t mask = slots_.size() - 1;
    std::size_t hole = Place(Key(key));
    // Slots behind the hole move into it, unless that is before their home.
    for (std::size_t next = (hole + 1) & mask; slots_[next].key != 0; next = (next + 1) & mask) {
      const std::size_t from_home = (next - Home(slots_[next].key)) & mask;
      if (from_home < ((next - hole) & mask)) continue;
      slots_[hole] = slots_[next];
      hole = next;
    }
    slots_[hole] = {};
    --size_;
  }

  std::size_t size() const { return size_; }

 private:
  struct Slot {
    std::uint64_t key = 0;
    Value value = {};
  };
  static constexpr std::size_t kFirstSlots = 16;

  static std::uint64_t Key(std::uint64_t key) { return key == 0 ? 1 : key; }
  // The caller may have chosen this table by the lowest bits.
  std::size_t Home(std::uint64_t key) const { return static_cast<std::size_t>(key >> 8U) & (slots_.size() - 1); }
  // Where the key is, or would be.
  std::size_t Place(std::uint64_t key) const {
    std::size_t at = Home(key);
    while (slots_[at].key != 0 && slots_[at].key != key) at = (at + 1) & (slots_.size() - 1);
    return at;
  }

  void Grow() {
    std::vector<Slot> old(slots_.empty() ? kFirstSlots : 2 * slots_.size());
    slots_.swap(old);
    for (const Slot& slot : old) {
      if (slot.key != 0) slots_[Place(slot.key)] = slot;
    }
  }

  std::vector<Slot> slots_;  // a power of two
  std::size_t size_ = 0;
};

}  // namespace forge
