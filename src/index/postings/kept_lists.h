// Short lists of a segment that were read lately, in memory.
//
// A search for a rare word reads some 40 lists, and searches that follow each other
// share most of theirs: a word is asked for again, then with more around it. To read a
// list takes a system call, and the kernel's way to a page that the processor's cache
// has lost. Linux sources, 6 segments, 39 lists of 1.5 KB, all caches cold: a search that
// takes 0.52 ms takes 0.45 with lists from here.
//
// A list comes here after it was compared with its checksum, or after its stripe was.
// So it is right even if the file is damaged later.
//
// Each list has one slot that it may be in, by its place in the segment. A list in a slot
// gives way to the next one that wants it. So the memory is bounded: 1 MiB a segment.
// Rejected: whole stripes of 64 KiB (40 times the memory), and a queue of those that
// were used least recently (longer than reading the list).
//
// Thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/mutex.h"

namespace forge::index {

class KeptLists {
 public:
  static constexpr std::size_t kSlots = 256;
  static constexpr std::size_t kMostBytes = 4096;  // of a list with its slack; a longer one is not kept

  // Makes `out` what was kept for this place, if that has this size. It keeps its memory.
  bool Find(std::uint64_t place, std::size_t size, std::string& out) const;
  void Keep(std::uint64_t place, const std::string& bytes);

  std::size_t memory() const;

 private:
  struct Slot {
    std::uint64_t place = 0;
    std::string bytes;  // empty: nothing is kept
  };

  static std::size_t SlotOf(std::uint64_t place);

  mutable Mutex mutex_;
  std::vector<Slot> slots_ GUARDED_BY(mutex_);  // none before the first list comes
};

}  // namespace forge::index
