// Finds sequences of byte sets in many texts: with Shift-And at first, and with
// Hyperscan once there was so much text that compiling pays.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "base/deadline.h"
#include "match/byte_sequence.h"
#include "match/hyperscan.h"
#include "match/shift_and.h"

namespace forge {

// Thread-safe without a lock: `bytes_` and `hyperscan_` are atomic; everything
// else but `owned_` is constant; and only one thread touches `owned_` (see
// Expect).
class SetFinder {
 public:
  // For this much text, Shift-And takes about as long as loading and compiling.
  static constexpr std::uint64_t kShiftAndBytes = 4 << 20;

  // Uses Hyperscan for all text after the first `shift_and_bytes`.
  explicit SetFinder(std::vector<ByteSequence> sequences, std::uint64_t shift_and_bytes = kShiftAndBytes);

  // For tests: both find the same.
  bool uses_hyperscan() const { return hyperscan_.load(std::memory_order_acquire) != nullptr; }

  // Hyperscan gets this much at a time, in whole lines.
  static constexpr std::size_t kPiece = 64 * 1024;
  // Shift-And looks at the clock after so much, which takes a millisecond or two.
  static constexpr std::size_t kBlock = 1024 * 1024;

  class Cursor {
   public:
    Cursor(SetFinder& finder, std::string_view text, const Deadline& deadline);
    ~Cursor();
    Cursor(const Cursor&) = delete;
    Cursor& operator=(const Cursor&) = delete;

    // An offset inside an occurrence that ends at or after `from`, or npos.
    // `from` is the beginning of a line and never goes back. npos at the deadline.
    std::size_t Next(std::size_t from);
    bool interrupted() const { return interrupted_; }

   private:
    std::size_t FindInBlocks(std::string_view text, std::size_t from);
    void StartPiece(std::size_t from);
    std::size_t NextInPiece(std::size_t from);

    const ShiftAnd& shift_and_;
    Hyperscan* const hyperscan_;
    const std::string_view text_;
    const Deadline& deadline_;
    bool interrupted_ = false;
    std::unique_ptr<Hyperscan::Workspace> workspace_;  // null: Shift-And alone
    std::size_t piece_begin_ = 0;
    std::size_t piece_end_ = 0;
    bool scanned_ = false;  // Hyperscan has scanned the piece
  };

 private:
  // Counts `bytes` of text to come. The thread whose text takes the count past
  // the limit compiles; there is exactly one, because fetch_add() gives every
  // thread another stretch of the count.
  Hyperscan* Expect(std::uint64_t bytes);

  const std::vector<ByteSequence> sequences_;
  const ShiftAnd shift_and_;
  const std::uint64_t shift_and_bytes_;
  std::atomic<std::uint64_t> bytes_{0};
  std::unique_ptr<Hyperscan> owned_;  // written once, before hyperscan_ is published
  std::atomic<Hyperscan*> hyperscan_{nullptr};
};

}  // namespace forge
