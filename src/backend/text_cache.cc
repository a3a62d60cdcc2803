#include "backend/text_cache.h"

#include <cstring>
#include <iterator>
#include <new>
#include <utility>

namespace forge {
namespace {

std::uint64_t CostOf(std::uint64_t size) { return size + TextCache::kOverhead; }

}  // namespace

std::size_t TextCache::HashOf::operator()(const File& file) const {
  constexpr std::uint64_t kMix = 0x9E3779B97F4A7C15;
  const std::uint64_t mixed = (file.inode ^ (file.device << 32U)) * kMix;
  return static_cast<std::size_t>(mixed ^ (mixed >> 32U));
}

TextCache::TextCache(std::uint64_t max_bytes, const os::Memory& memory, const os::Clocks& clocks)
    : part_bytes_(max_bytes / kParts), memory_(memory), clocks_(clocks) {}

TextCache::Turn TextCache::BeginTurn() {
  wanted_ = clocks_.Steady();
  return ++turns_;
}

TextCache::Part& TextCache::PartOf(const os::FileInfo& state) {
  return parts_[HashOf()({state.device, state.inode}) % kParts];
}

TextCache::Text TextCache::Find(const os::FileInfo& state, Turn turn) {
  Part& part = PartOf(state);
  const Lock lock(part.mutex);
  const auto found = part.by_file.find({state.device, state.inode});
  if (found == part.by_file.end()) return {};
  const auto entry = found->second;
  if (entry->state != state) return {};
  if (entry->used < turn) entry->used = turn;
  part.entries.splice(part.entries.begin(), part.entries, entry);
  return entry->text;
}

// A text that takes more than a quarter of its part would drop too many others.
bool TextCache::CanHold(const os::FileInfo& state) const { return !closed_ && CostOf(state.size) <= part_bytes_ / 4; }

// Whether texts that this search has not used make room.
bool TextCache::HasRoomIn(Part& part, std::uint64_t cost, Turn turn) {
  return part.bytes + cost <= part_bytes_ || part.entries.back().used < turn;
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
    const auto old = part.by_file.find({state.device, state.inode});
    if (old != part.by_file.end()) Drop(part, old->second);
    while (part.bytes + cost > part_bytes_) {
      if (!HasRoomIn(part, cost, turn)) return;
      Drop(part, std::prev(part.entries.end()));
    }
    Insert(part, {state, Text(std::move(copy), bytes.size()), turn}, cost);
  } catch (const std::bad_alloc&) {
    return;  // then it is read again
  }
  Tend();
}

void TextCache::Insert(Part& part, Entry entry, std::uint64_t cost) {
  const File file{entry.state.device, entry.state.inode};
  part.entries.push_front(std::move(entry));
  try {
    part.by_file.emplace(file, part.entries.begin());
  } catch (const std::bad_alloc&) {
    part.entries.pop_front();
    throw;
  }
  part.bytes += cost;
  bytes_ += cost;
  ++texts_;
}

void TextCache::Drop(Part& part, std::list<Entry>::iterator entry) {
  const std::uint64_t cost = CostOf(entry->state.size);
  part.by_file.erase({entry->state.device, entry->state.inode});
  part.entries.erase(entry);
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
    while (part.bytes > part_bytes) Drop(part, std::prev(part.entries.end()));
  }
  os::ReturnFreedMemory();
}

}  // namespace forge
