#include "indexer/change_queue.h"

#include <algorithm>
#include <utility>

namespace forge::indexer {

void ChangeQueue::Add(const std::string& path, std::int64_t now_ns, std::int64_t not_before_ns) {
  Entry& entry = entries_[path];
  entry.number = ++last_number_;
  if (entry.queued_ns == 0) entry.queued_ns = now_ns;
  entry.not_before_ns = not_before_ns;
}

const ChangeQueue::Entry* ChangeQueue::Find(const std::string& path) const {
  const auto found = entries_.find(path);
  return found == entries_.end() ? nullptr : &found->second;
}

std::optional<std::int64_t> ChangeQueue::FirstDue() const {
  std::optional<std::int64_t> first;
  for (const auto& [path, entry] : entries_) first = std::min(first.value_or(entry.not_before_ns), entry.not_before_ns);
  return first;
}

std::vector<std::string> ChangeQueue::Due(std::int64_t now_ns, std::size_t most) const {
  std::vector<std::pair<std::int64_t, std::string>> due;
  for (const auto& [path, entry] : entries_) {
    if (entry.not_before_ns <= now_ns) due.emplace_back(entry.queued_ns, path);
  }
  std::sort(due.begin(), due.end());
  if (due.size() > most) due.resize(most);
  std::vector<std::string> paths;
  paths.reserve(due.size());
  for (auto& [queued_ns, path] : due) paths.push_back(std::move(path));
  return paths;
}

std::int64_t ChangeQueue::LongestWait(std::int64_t now_ns, std::int64_t within_ns) const {
  std::int64_t longest = 0;
  for (const auto& [path, entry] : entries_) {
    const std::int64_t wait = entry.not_before_ns - now_ns;
    if (wait <= within_ns) longest = std::max(longest, wait);
  }
  return longest;
}

}  // namespace forge::indexer
