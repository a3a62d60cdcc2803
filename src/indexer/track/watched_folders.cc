#include "indexer/track/watched_folders.h"

#include <utility>

#include "index/catalog/catalog.h"

namespace forge::indexer {

std::optional<std::string> WatchedFolders::Add(const std::string& folder, os::WatchId watch) {
  const Lock lock(mutex_);
  by_folder_[folder] = watch;
  const auto [at, is_new] = by_watch_.try_emplace(watch, folder);
  if (is_new || at->second == folder) return std::nullopt;
  return std::exchange(at->second, folder);
}

bool WatchedFolders::Contains(const std::string& folder) const {
  const Lock lock(mutex_);
  return by_folder_.contains(folder);
}

std::optional<std::string> WatchedFolders::FolderOf(os::WatchId watch) const {
  const Lock lock(mutex_);
  const auto found = by_watch_.find(watch);
  return found == by_watch_.end() ? std::nullopt : std::optional(found->second);
}

std::size_t WatchedFolders::size() const {
  const Lock lock(mutex_);
  return by_watch_.size();
}

WatchedFolders::Forgotten WatchedFolders::Forget(const std::string& folder) {
  Forgotten out;
  const Lock lock(mutex_);
  auto at = by_folder_.lower_bound(folder);
  while (at != by_folder_.end() && at->first.starts_with(folder)) {
    if (at->first != folder && !index::InFolder(at->first, folder)) {
      ++at;
      continue;
    }
    // Folders below one that was moved may be known by their new paths already.
    if (const auto owner = by_watch_.find(at->second); owner != by_watch_.end() && owner->second == at->first) {
      out.watches.push_back(at->second);
      by_watch_.erase(owner);
    }
    out.folders.push_back(at->first);
    at = by_folder_.erase(at);
  }
  return out;
}

WatchedFolders::ByWatch WatchedFolders::StartScan() {
  const Lock lock(mutex_);
  by_folder_.clear();
  return std::exchange(by_watch_, {});
}

void WatchedFolders::Restore(ByWatch before) {
  const Lock lock(mutex_);
  by_watch_.merge(before);
}

std::vector<os::WatchId> WatchedFolders::Unseen(const ByWatch& before) const {
  const Lock lock(mutex_);
  std::vector<os::WatchId> unseen;
  for (const auto& [watch, folder] : before) {
    if (!by_watch_.contains(watch)) unseen.push_back(watch);
  }
  return unseen;
}

}  // namespace forge::indexer
