#include "backend/text_cache.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

#include "base/expect.h"

namespace forge {
namespace {

std::uint64_t CostOf(std::uint64_t size) { return size + TextCache::kOverhead; }

}  // namespace

std::uint64_t TextCache::KeyOf(const os::FileInfo& state) {
  constexpr std::uint64_t kMix = 0x9E3779B97F4A7C15;
  const std::uint64_t mixed = (state.inode ^ (state.device << 32U)) * kMix;
  return mixed ^ (mixed >> 32U);
}

TextCache::TextCache(std::uint64_t max_bytes, const os::Memory& memory, const os::Clocks& clocks)
    : part_bytes_(max_bytes / kParts), memory_(memory), clocks_(clocks) {}

TextCache::Turn TextCache::BeginTurn() {
  wanted_ = clocks_.Steady();
  return ++turns_;
}

TextCache::Entry* TextCache::EntryOf(Part& part, const os::FileInfo& state) {
  const Queue::iterator* const found = part.entries.Find(KeyOf(state));
  return found == nullptr ? nullptr : &**found;
}

TextCache::Text TextCache::Find(const os::FileInfo& state, Turn turn) {
  Part& part = PartOf(state);
  const Lock lock(part.mutex);
  Entry* const entry = EntryOf(part, state);
  if (entry == nullptr || entry->state != state) return {};
  if (entry->used < turn) entry->used = turn;
  return entry->text;
}

void TextCache::ExpectSlot(const os::FileInfo& state) {
  Part& part = PartOf(state);
  const Lock lock(part.mutex);
  part.entries.Expect(KeyOf(state));
}

void TextCache::ExpectEntry(const os::FileInfo& state) {
  Part& part = PartOf(state);
  const Lock lock(part.mutex);
  const Entry* const entry = EntryOf(part, state);
  if (entry == nullptr) return;
  ExpectBytes(entry, sizeof(Entry));
}

void TextCache::ExpectText(const os::FileInfo& state, std::size_t begin) {
  constexpr std::size_t kAtFirst = 256;  // then it sees by itself where this goes
  Part& part = PartOf(state);
  const Lock lock(part.mutex);
  const Entry* const entry = EntryOf(part, state);
  if (entry == nullptr) return;
  const std::string_view text = entry->text.view();
  ExpectBytes(text.data(), 1);  // its owners are counted beside its bytes
  if (begin < text.size()) ExpectBytes(text.data() + begin, std::min(kAtFirst, text.size() - begin));
}

// A text that takes more than a quarter of its part would drop too many others.
bool TextCache::CanHold(const os::FileInfo& state) const { return !closed_ && CostOf(state.size) <= part_bytes_ / 4; }

// A text that was used since it was queued goes to the end.
TextCache::Queue::iterator TextCache::Oldest(Part& part) {
  while (true) {
    const auto oldest = part.queue.begin();
    if (oldest->used == oldest->queued) return oldest;
    oldest->queued = oldest->used;
    part.queue.splice(part.queue.end(), part.queue, oldest);
  }
}

// Whether texts that this search has not used make room.
bool TextCache::HasRoomIn(Part& part, std::uint64_t cost, Turn turn) {
  return part.bytes + cost <= part_bytes_ || Oldest(part)->used < turn;
}

bool TextCache::HasRoom(const os::FileInfo& state, Turn turn) {
  if (!CanHold(state)) return false;
  Part& part = PartOf(state);
  const Lock lock(part.mutex);
  return HasRoomIn(part, CostOf(state.size), turn);
}

void TextCache::Keep(const os::FileInfo& state, std::string_view bytes, Turn turn) {
  if (!CanHold(state) || bytes.size() != state.size || bytes.find('\0') != std::string_view::npos) return;
  const std::uint64_t cost = CostOf(bytes.size());
  try {
    auto copy = std::make_shared_for_overwrite<char[]>(bytes.size());
    std::memcpy(copy.get(), bytes.data(), bytes.size());
    Part& part = PartOf(state);
    const Lock lock(part.mutex);
    if (turn <= part.forgot) return;
    if (const Queue::iterator* const old = part.entries.Find(KeyOf(state))) Drop(part, *old);
    while (part.bytes + cost > part_bytes_) {
      if (!HasRoomIn(part, cost, turn)) return;
      Drop(part, Oldest(part));
    }
    Insert(part, state, Text(std::move(copy), bytes.size()), turn);
  } catch (const std::bad_alloc&) {
    return;  // then it is read again
  }
  Tend();
}

// The turns of the whole part, and not of the file: to remember files costs memory, and a
// search that comes next keeps what this one may not.
void TextCache::Forget(const os::FileInfo& state) {
  if (!enabled()) return;
  Part& part = PartOf(state);
  const Lock lock(part.mutex);
  part.forgot = turns_;
  if (const Queue::iterator* const old = part.entries.Find(KeyOf(state))) Drop(part, *old);
}

void TextCache::Insert(Part& part, const os::FileInfo& state, Text text, Turn turn) {
  const auto entry = part.queue.insert(part.queue.end(), Entry{state, std::move(text), turn, turn});
  try {
    part.entries.Insert(KeyOf(state), entry);
  } catch (const std::bad_alloc&) {
    part.queue.erase(entry);
    throw;
  }
  part.bytes += CostOf(state.size);
  bytes_ += CostOf(state.size);
  ++texts_;
}

void TextCache::Drop(Part& part, Queue::iterator entry) {
  const std::uint64_t cost = CostOf(entry->state.size);
  part.entries.Erase(KeyOf(entry->state));
  part.queue.erase(entry);
  part.bytes -= cost;
  bytes_ -= cost;
  --texts_;
}

void TextCache::Tend() {
  const Clock::time_point now = clocks_.Steady();
  Clock::time_point looked = looked_;
  if (now - looked < kBetweenLooks || !looked_.compare_exchange_strong(looked, now)) return;
  closed_ = memory_.IsShort();
  constexpr std::uint64_t kNotWorthHalving = 1024 * 1024;
  if (closed_) {
    ShrinkTo(bytes_ > kNotWorthHalving ? bytes_ / 2 / kParts : 0);
  } else if (IsIdle()) {
    Clear();
  }
}

void TextCache::Clear() { ShrinkTo(0); }

void TextCache::ShrinkTo(std::uint64_t part_bytes) {
  if (texts_ == 0) return;
  for (Part& part : parts_) {
    const Lock lock(part.mutex);
    while (part.bytes > part_bytes) Drop(part, Oldest(part));
    if (part.queue.empty()) part.entries = {};
  }
  os::ReturnFreedMemory();
}

}  // namespace forge
