// Contents of files in memory, so that a warm search need not open what it has
// read before.
//
//   const TextCache::Turn turn = cache.BeginTurn();        // one search
//   if (auto text = cache.Find(row.info, turn)) Scan(text.view());
//   else ...read the file..., cache.Keep(row.info, bytes, turn);
//
// Why it cannot change an answer. A text is kept under a state F of its file
// (FileInfo: device, inode, size, both times, links), and these rules hold:
//
//   keep  The caller has read all bytes of the file after the row of the
//         catalog with state F was made, that row is settled (E17), and the
//         file was in state F after the reading. "Settled" means: a write that
//         began after the row's own reading shows in the stamps. The stamps
//         show none, so none has begun.
//   end   A write that began before both readings may end after one of them, or
//         between them: the kernel stamps the file when it begins. Its end is an
//         event. Then the caller forgets the text, and what searches that began
//         before that event read is not kept.
//   find  The caller asks for F only where the catalog, which is trusted in
//         this request, vouches for F: the row is settled, indexed, and has one
//         link (R1, R11). By that rule the file may be left unread if it cannot
//         match. So all events of the file are known. Since the last of them,
//         no write has begun and none has ended: what was kept is its content.
//   same  A text never changes once it is here. A search that has one keeps it
//         alive, whatever is dropped meanwhile.
//
// So a text is believed exactly where an exclusion is; the same exemptions hold
// (docs/guarantees.md), and there is no rule here that could differ. A file with
// a NUL, or one that the size limit or a deny rule leaves out, is not kept.
//
// Memory. All texts with what manages them take at most `max_bytes`; a search
// may hold texts that were dropped meanwhile, one for each thread. If there is
// no room, the text that was used least recently goes first (by second chance: a
// text moves to the end of the queue only when its turn to go comes, so finding
// one touches no other). But no search drops what it used itself: a search through more text than fits would otherwise
// drop each text just before the next such search needs it, and all would be read again each time. While memory is
// short, half of the texts go each second, and none is added. Texts that no search wanted for ten minutes go, too.
// Nothing is ever written to disk.
//
// Rejected: mapping the files instead of copying them. A mapping shows later
// writes, in the middle of a scan, and a file that is cut short kills the
// process. Also compression: LZ4 would hold twice the text, and cost four times
// the time of a scan.
//
// Thread-safe: 16 parts by inode, each with its own lock and its own share of the
// bytes.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <string_view>

#include "backend/key_slots.h"
#include "base/mutex.h"
#include "os/clocks.h"
#include "os/file.h"
#include "os/memory.h"

namespace forge {

class TextCache {
 public:
  static constexpr std::size_t kParts = 16;
  static constexpr std::chrono::seconds kBetweenLooks{1};
  static constexpr std::chrono::minutes kIdle{10};
  static constexpr std::uint64_t kOverhead = 256;  // of a text, beside its bytes: an upper bound

  // With 0 bytes, it keeps nothing. `memory` and `clocks` must outlive it.
  explicit TextCache(std::uint64_t max_bytes, const os::Memory& memory = os::Memory::System(),
                     const os::Clocks& clocks = os::Clocks::System());

  bool enabled() const { return part_bytes_ > 0; }

  // The number of one search. Later searches have higher ones.
  using Turn = std::uint64_t;
  Turn BeginTurn();

  class Text {
   public:
    Text() = default;
    Text(std::shared_ptr<const char[]> bytes, std::size_t size) : bytes_(std::move(bytes)), size_(size) {}
    explicit operator bool() const { return bytes_ != nullptr; }
    std::string_view view() const { return {bytes_.get(), size_}; }

   private:
    std::shared_ptr<const char[]> bytes_;
    std::size_t size_ = 0;
  };

  Text Find(const os::FileInfo& state, Turn turn);
  // Tells the processor that Find() will be called soon, for the states of several items; a
  // null stands for none. And that each text will be read from a place on: `begin_of` its
  // item. In a large cache, Find() waits three times for memory, each time for an address
  // that it got from there. This waits three times for all of them. Linux sources: searches
  // with 12,000 texts take 7 % less time, and 3 % less for what is read first.
  template <typename Items, typename StateOf, typename BeginOf>
  void Expect(const Items& items, const StateOf& state_of, const BeginOf& begin_of) {
    const auto for_each = [&](const auto& expect) {
      for (const auto& item : items) {
        const os::FileInfo* const state = std::invoke(state_of, item);
        if (state != nullptr) expect(*state, item);
      }
    };
    for_each([&](const os::FileInfo& state, const auto&) { ExpectSlot(state); });
    for_each([&](const os::FileInfo& state, const auto&) { ExpectEntry(state); });
    for_each([&](const os::FileInfo& state, const auto& item) { ExpectText(state, std::invoke(begin_of, item)); });
  }
  // Whether Keep would find room. To ask before reading more than the search needs.
  bool HasRoom(const os::FileInfo& state, Turn turn);
  void Keep(const os::FileInfo& state, std::string_view bytes, Turn turn);
  // For an event of the file in this state, or of one in another.
  void Forget(const os::FileInfo& state);

  // Whether Tend() is to be called now and then.
  bool NeedsTending() const { return texts_ > 0 || !IsIdle(); }
  // Drops texts if memory is short, or if no search has wanted any for long. Looks
  // at most once a second.
  void Tend();
  void Clear();

  std::uint64_t bytes() const { return bytes_; }
  std::uint64_t texts() const { return texts_; }

 private:
  struct Entry {
    os::FileInfo state;
    Text text;
    Turn used;    // last
    Turn queued;  // when it came to its place in the queue
  };
  using Queue = std::list<Entry>;
  struct Part {
    Mutex mutex;
    Queue queue GUARDED_BY(mutex);                        // front: the next to go
    KeySlots<Queue::iterator> entries GUARDED_BY(mutex);  // by KeyOf: one for each key
    std::uint64_t bytes GUARDED_BY(mutex) = 0;
    Turn forgot GUARDED_BY(mutex) = 0;  // turns up to this one may have read what was to be forgotten
  };

  bool IsIdle() const { return clocks_.Steady() - wanted_.load() >= kIdle; }
  // Of the file. Two files on two devices may have the same.
  static std::uint64_t KeyOf(const os::FileInfo& state);
  Part& PartOf(const os::FileInfo& state) { return parts_[KeyOf(state) % kParts]; }
  // The entry of the file, in whatever state; null if there is none.
  Entry* EntryOf(Part& part, const os::FileInfo& state) REQUIRES(part.mutex);
  void ExpectSlot(const os::FileInfo& state);
  void ExpectEntry(const os::FileInfo& state);
  void ExpectText(const os::FileInfo& state, std::size_t begin);
  bool CanHold(const os::FileInfo& state) const;
  // The next to go, of those that are there.
  Queue::iterator Oldest(Part& part) REQUIRES(part.mutex);
  bool HasRoomIn(Part& part, std::uint64_t cost, Turn turn) REQUIRES(part.mutex);
  void Insert(Part& part, const os::FileInfo& state, Text text, Turn turn) REQUIRES(part.mutex);
  void Drop(Part& part, Queue::iterator entry) REQUIRES(part.mutex);
  void ShrinkTo(std::uint64_t part_bytes);

  const std::uint64_t part_bytes_;
  const os::Memory& memory_;
  const os::Clocks& clocks_;
  std::array<Part, kParts> parts_;
  std::atomic<Turn> turns_ = 0;
  std::atomic<std::uint64_t> bytes_ = 0;
  std::atomic<std::uint64_t> texts_ = 0;
  std::atomic<bool> closed_ = false;  // memory is short: nothing is added
  std::atomic<Clock::time_point> looked_ = Clock::time_point();
  std::atomic<Clock::time_point> wanted_ = Clock::time_point();
};

}  // namespace forge
