// Finds sequences of byte sets with Hyperscan, or with Vectorscan, which has
// the same interface: two to three times as fast as Shift-And.
//
// We need neither of them to build or to run: we load the library when the
// first text needs it. If it is missing, Shift-And does the work and finds the
// same.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/mutex.h"
#include "match/byte_sequence.h"

namespace forge {

// Thread-safe: the compiled database does not change, and each thread scans with
// a Workspace of its own.
class Hyperscan {
 public:
  // Null if there is no library, if it does not support this processor, or if
  // the sequences would take long to compile.
  static std::unique_ptr<Hyperscan> For(const std::vector<ByteSequence>& sequences);

  // "5.4.0", or nothing if it cannot be used here.
  static std::optional<std::string> Version();

  ~Hyperscan();
  Hyperscan(const Hyperscan&) = delete;
  Hyperscan& operator=(const Hyperscan&) = delete;

  // If a text has more occurrences than this, Shift-And is as fast.
  static constexpr std::size_t kMaxPlaces = 256;

  // The memory that one thread scans with, and what it found.
  class Workspace {
   public:
    ~Workspace();
    Workspace(const Workspace&) = delete;
    Workspace& operator=(const Workspace&) = delete;

    // The last byte of each occurrence in `text`, ascending, for Next. False if
    // they are too many, or the text is too long.
    bool Scan(std::string_view text);

    // The first of them at or after `from` (which never goes back), or npos.
    std::size_t Next(std::size_t from);

   private:
    friend class Hyperscan;
    explicit Workspace(const void* database) : database_(database) {}
    static int Take(unsigned id, unsigned long long from, unsigned long long to, unsigned flags, void* workspace);

    const void* const database_;
    void* scratch_ = nullptr;
    std::array<std::uint32_t, kMaxPlaces> places_;
    std::size_t count_ = 0;
    std::size_t next_ = 0;
    std::unique_ptr<Workspace> below_;  // while it is idle: the next one in the stack
  };

  // Null if there is no memory. The caller returns it after use.
  std::unique_ptr<Workspace> Borrow() EXCLUDES(mutex_);
  void GiveBack(std::unique_ptr<Workspace> workspace) noexcept EXCLUDES(mutex_);

 private:
  explicit Hyperscan(void* database) : database_(database) {}

  void* const database_;
  Mutex mutex_;
  std::unique_ptr<Workspace> idle_ GUARDED_BY(mutex_);  // a stack, linked by below_
};

}  // namespace forge
