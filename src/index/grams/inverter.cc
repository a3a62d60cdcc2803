#include "index/grams/inverter.h"

#include <algorithm>

#include "index/format/byte_io.h"

namespace forge::index {
namespace {

constexpr std::uint8_t kTopLevel = 7;      // pieces of 256 bytes
constexpr std::uint32_t kLinkBytes = 4;    // place of the piece before, with its level in the low three bits
constexpr std::uint32_t kLevelMask = 0x7;  // places are multiples of 8

constexpr std::uint32_t PieceSize(std::uint32_t level) { return 2U << level; }

// By the lowest byte of a number.
std::uint8_t CodeOf(std::uint32_t byte) { return kByteCodes[byte & 0xFFU]; }
bool HasCode(std::uint32_t byte) {
  const char c = static_cast<char>(byte & 0xFFU);
  return CodeOf(byte) != kColdCode && FoldByte(c) == c;
}

}  // namespace

std::uint32_t SlabBytes::Allocate(std::uint32_t size) {
  if (kSlabSize - used_ < size) {
    slabs_.push_back(std::make_unique_for_overwrite<char[]>(kSlabSize));
    used_ = 0;
  }
  const auto place = static_cast<std::uint32_t>((slabs_.size() - 1) << kSlabBits) + used_;
  used_ += size;
  return place;
}

void SlabBytes::Clear() {
  slabs_.clear();
  used_ = kSlabSize;
}

inline Inverter::Slot& Inverter::SlotAt(std::uint32_t spot) {
  if (spot < kHotSpots) return hot_[spot];
  const std::uint32_t key = spot - kHotSpots;
  std::unique_ptr<Group>& group = groups_[key >> 8U];
  if (group == nullptr) [[unlikely]] {
    group = std::make_unique<Group>();
    ++group_count_;
  }
  return (*group)[key & 0xFFU];
}

bool Inverter::MayHaveSlots(std::uint32_t pair) const {
  if (groups_[pair] != nullptr) return true;
  if (!HasCode(pair >> 8U) || !HasCode(pair)) return false;
  const Slot* const row = &hot_[HotSpot(CodeOf(pair >> 8U), CodeOf(pair), 0)];
  return std::any_of(row, row + kColdCode, [](const Slot& slot) { return slot.level != 0; });
}

const Inverter::Slot* Inverter::Find(std::uint32_t key) const {
  if (HasCode(key >> 16U) && HasCode(key >> 8U) && HasCode(key)) {
    return &hot_[HotSpot(CodeOf(key >> 16U), CodeOf(key >> 8U), CodeOf(key))];
  }
  const std::unique_ptr<Group>& group = groups_[key >> 8U];
  return group == nullptr ? nullptr : &(*group)[key & 0xFFU];
}

void Inverter::Add(std::uint32_t doc, std::span<const std::uint32_t> spots) {
  const auto number = static_cast<std::uint16_t>(doc);
  for (const std::uint32_t spot : spots) {
    Slot& slot = SlotAt(spot);
    const std::uint32_t gap = number - slot.last - 1U;
    if (gap < 0x80 && slot.left != 0) [[likely]] {
      *pieces_.At(slot.end++) = static_cast<char>(gap);
      --slot.left;
      slot.last = number;
    } else {
      AppendSlowly(slot, number);
    }
  }
}

void Inverter::AppendSlowly(Slot& slot, std::uint16_t doc) {
  if (slot.level == 0) {
    slot.level = 1;
  } else {
    if (slot.level == 1) PutGap(slot, slot.last);
    PutGap(slot, doc - slot.last - 1U);
  }
  slot.last = doc;
}

void Inverter::PutGap(Slot& slot, std::uint32_t gap) {
  for (bool more = true; more; gap >>= 7U) {
    more = gap >= 0x80;
    if (slot.left == 0) Grow(slot);
    *pieces_.At(slot.end++) = static_cast<char>(more ? gap | 0x80U : gap);
    --slot.left;
  }
}

void Inverter::Grow(Slot& slot) {
  // A piece is full when it is left, so its start follows from its end.
  const std::uint32_t link = slot.level == 1 ? 0 : (slot.end - PieceSize(slot.level)) | slot.level;
  slot.level = std::min<std::uint8_t>(static_cast<std::uint8_t>(slot.level + 1), kTopLevel);
  const std::uint32_t place = pieces_.Allocate(PieceSize(slot.level));
  StoreWord(pieces_.At(place), link);
  slot.end = place + kLinkBytes;
  slot.left = static_cast<std::uint8_t>(PieceSize(slot.level) - kLinkBytes);
}

void Inverter::CollectGaps(const Slot& slot, std::string& gaps) {
  gaps.clear();
  if (slot.level == 1) return PutVarint(gaps, slot.last);
  // Starts with the newest piece, so it collects from the back and reverses at
  // the end.
  std::vector<std::string_view> parts;
  const std::uint32_t newest = slot.end + slot.left - PieceSize(slot.level);
  std::uint32_t used = PieceSize(slot.level) - slot.left;
  for (std::uint32_t link = newest | slot.level; link != 0;) {
    const char* const piece = pieces_.At(link & ~kLevelMask);
    parts.emplace_back(piece + kLinkBytes, used - kLinkBytes);
    link = LoadWord<std::uint32_t>(piece);
    used = PieceSize(link & kLevelMask);
  }
  for (auto part = parts.rbegin(); part != parts.rend(); ++part) gaps += *part;
}

void Inverter::Clear() {
  std::fill(hot_.begin(), hot_.end(), Slot());
  for (std::unique_ptr<Group>& group : groups_) group.reset();
  group_count_ = 0;
  pieces_.Clear();
}

std::size_t Inverter::memory() const {
  return hot_.size() * sizeof(Slot) + groups_.size() * sizeof(groups_[0]) + group_count_ * sizeof(Group) +
         pieces_.memory();
}

}  // namespace forge::index
