#include "index/postings/kept_lists.h"

#include <new>
#include <numeric>

namespace forge::index {

std::size_t KeptLists::SlotOf(std::uint64_t place) {
  constexpr std::uint64_t kMix = 0x9E3779B97F4A7C15;
  return (place * kMix >> 32U) % kSlots;
}

bool KeptLists::Find(std::uint64_t place, std::size_t size, std::string& out) const {
  const Lock lock(mutex_);
  if (slots_.empty() || size == 0) return false;
  const Slot& slot = slots_[SlotOf(place)];
  if (slot.place != place || slot.bytes.size() != size) return false;
  out = slot.bytes;
  return true;
}

void KeptLists::Keep(std::uint64_t place, const std::string& bytes) {
  if (bytes.size() > kMostBytes) return;
  const Lock lock(mutex_);
  try {
    if (slots_.empty()) slots_.resize(kSlots);
    Slot& slot = slots_[SlotOf(place)];
    std::string(bytes).swap(slot.bytes);  // of its size, not of the longest that was here
    slot.place = place;
  } catch (const std::bad_alloc&) {
    return;  // then it is read again
  }
}

std::size_t KeptLists::memory() const {
  const Lock lock(mutex_);
  return std::accumulate(slots_.begin(), slots_.end(), slots_.capacity() * sizeof(Slot),
                         [](std::size_t sum, const Slot& slot) { return sum + slot.bytes.capacity(); });
}

}  // namespace forge::index
