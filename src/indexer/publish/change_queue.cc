#include "indexer/publish/change_queue.h"

#include <algorithm>
#include <utility>

namespace forge::indexer {

void ChangeQueue::Add(const std::string& path, std::int64_t now_ns, std::int64_t not_before_ns) {
  const auto [at, added] = entries_.try_emplace(path);
  Entry& entry = at->second;
  if (added) {
    entry.queued_ns = now_ns;
    by_age_.emplace(now_ns, at->first);
  } else {
    not_before_.erase(not_before_.find(entry.not_before_ns));
  }
  entry.number = ++last_number_;
  entry.not_before_ns = not_before_ns;
  not_before_.insert(not_before_ns);
}

void ChangeQueue::Forget(Entries::const_iterator at) {
  by_age_.erase({at->second.queued_ns, at->first});
  not_before_.erase(not_before_.find(at->second.not_before_ns));
  entries_.erase(at);
}

void ChangeQueue::Remove(const std::string& path) {
  if (const auto at = entries_.find(path); at != entries_.end()) Forget(at);
}

void ChangeQueue::Clear() {
  by_age_.clear();
  not_before_.clear();
  entries_.clear();
}

const ChangeQueue::Entry* ChangeQueue::Find(const std::string& path) const {
  const auto found = entries_.find(path);
  return found == entries_.end() ? nullptr : &found->second;
}

std::optional<std::int64_t> ChangeQueue::FirstDue() const {
  return not_before_.empty() ? std::nullopt : std::optional(*not_before_.begin());
}

std::vector<std::string> ChangeQueue::Due(std::int64_t now_ns, std::size_t most) const {
  std::vector<std::string> paths;
  for (auto at = by_age_.begin(); at != by_age_.end() && paths.size() < most; ++at) {
    std::string path(at->second);
    if (entries_.find(path)->second.not_before_ns <= now_ns) paths.push_back(std::move(path));
  }
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
