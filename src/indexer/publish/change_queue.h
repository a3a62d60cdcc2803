// Files that changed and wait to be indexed again.
//
//   queue.Add("a", now, 0);            // at once
//   queue.Add("b", now, now + 50ms);   // not before its stamps are reliable
//   queue.Due(now, 100);               // {"a"}
//
// Each time a file is added it gets a new number. An update that has read the
// file compares the number at the end: another number means that the file
// changed meanwhile, so the update read an old state (F1).
//
// A value that only moves; its owner guards it. No method but LongestWait() looks
// at every entry: after a large move there may be hundreds of thousands. Times
// are nanoseconds of the file clock.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace forge::indexer {

class ChangeQueue {
 public:
  ChangeQueue() = default;
  ChangeQueue(ChangeQueue&&) = default;
  ChangeQueue& operator=(ChangeQueue&&) = default;

  struct Entry {
    std::uint64_t number = 0;
    std::int64_t queued_ns = 0;  // when it was added first
    std::int64_t not_before_ns = 0;
  };

  void Add(const std::string& path, std::int64_t now_ns, std::int64_t not_before_ns);
  void Remove(const std::string& path);
  void Clear();

  bool empty() const { return entries_.empty(); }
  std::size_t size() const { return entries_.size(); }
  // Null if the file does not wait.
  const Entry* Find(const std::string& path) const;
  const std::map<std::string, Entry>& entries() const { return entries_; }

  // When the first of them may be indexed; empty if there is none.
  std::optional<std::int64_t> FirstDue() const;
  // At most `most` that may be indexed now: oldest first, then by path
  // (FR-LSI-TRK-10).
  std::vector<std::string> Due(std::int64_t now_ns, std::size_t most) const;
  // How long the last of the files that are due within `within_ns` has to wait;
  // 0 if none waits.
  std::int64_t LongestWait(std::int64_t now_ns, std::int64_t within_ns) const;

 private:
  using Entries = std::map<std::string, Entry>;
  void Forget(Entries::const_iterator at);

  Entries entries_;
  // Paths are those of entries_, which stay where they are.
  std::set<std::pair<std::int64_t, std::string_view>> by_age_;  // queued_ns, path
  std::multiset<std::int64_t> not_before_;
  std::uint64_t last_number_ = 0;
};

}  // namespace forge::indexer
