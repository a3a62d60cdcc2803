// What files held and hold, so that an answer can be compared with the tree as it
// was while the answer was made.
//
// The tree changes all the time, so no scan that begins after an answer could
// judge it. Instead each change is written down: a file with its version, when the
// write began and when it was complete. An answer for a file is right if it shows
// a version that was there at some moment between the request and the answer: not
// one that had been replaced before the request (read your writes), and not one
// that was written after the answer.
//
//   auto change = ledger.Begin(7);              // then the file is replaced
//   ledger.End(7, change);
//   ...
//   ledger.Judge(7, asked, answered, version)   // "" or what is wrong
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace forge::testing {

class Ledger {
 public:
  using Clock = std::chrono::steady_clock;
  using Version = std::uint64_t;  // 0: the file is not there

  explicit Ledger(std::size_t files) : files_(files) {}

  // The next version, or 0 for a removal; the caller then changes the file.
  Version Begin(std::size_t file, bool removes) {
    File& f = files_[file];
    const std::lock_guard lock(f.mutex);
    f.changes.push_back({removes ? 0 : ++f.last, Clock::now(), std::nullopt});
    return f.changes.back().version;
  }
  void End(std::size_t file) {
    File& f = files_[file];
    const std::lock_guard lock(f.mutex);
    f.changes.back().complete = Clock::now();
    // An answer that takes longer than a minute is a failure of its own.
    while (f.changes.size() > 2 && *f.changes[1].complete < Clock::now() - std::chrono::minutes(2)) {
      f.changes.pop_front();
    }
  }

  // `shown`: the version in the answer, 0 if the file is not in it.
  std::string Judge(std::size_t file, Clock::time_point asked, Clock::time_point answered, Version shown) {
    File& f = files_[file];
    const std::lock_guard lock(f.mutex);
    std::string possible;
    // A version can be seen from the begin of its write to the completion of the
    // next one's.
    for (std::size_t i = 0; i < f.changes.size(); ++i) {
      const Change& change = f.changes[i];
      const bool began = change.began <= answered;
      const bool replaced = i + 1 < f.changes.size() && f.changes[i + 1].complete && *f.changes[i + 1].complete < asked;
      if (!began || replaced) continue;
      if (change.version == shown) return "";
      possible += (possible.empty() ? "" : ", ") + std::to_string(change.version);
    }
    return "file " + std::to_string(file) + ": the answer shows version " + std::to_string(shown) + "; possible were " +
           possible;
  }

  std::size_t size() const { return files_.size(); }

 private:
  struct Change {
    Version version;
    Clock::time_point began;
    std::optional<Clock::time_point> complete;
  };
  struct File {
    std::mutex mutex;
    Version last = 0;
    std::deque<Change> changes;
  };
  std::vector<File> files_;
};

}  // namespace forge::testing
