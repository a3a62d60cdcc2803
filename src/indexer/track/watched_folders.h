// Which folders of a root are watched, by path and by watch.
//
// A folder that is moved keeps its watch, so for a moment two paths may have the
// same one: the last path that was added owns it.
//
// Thread-safe: the threads of a walk add folders, others ask how many there are.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/mutex.h"
#include "os/watch.h"

namespace forge::indexer {

class WatchedFolders {
 public:
  using ByWatch = std::unordered_map<os::WatchId, std::string>;

  // `folder` is relative to the root; "" is the root itself. Returns the other path that
  // had this watch, if one did.
  std::optional<std::string> Add(const std::string& folder, os::WatchId watch) EXCLUDES(mutex_);
  bool Contains(const std::string& folder) const EXCLUDES(mutex_);
  std::optional<std::string> FolderOf(os::WatchId watch) const EXCLUDES(mutex_);
  std::size_t size() const EXCLUDES(mutex_);  // watches

  // Forgets a folder and all below it.
  struct Forgotten {
    std::vector<std::string> folders;
    std::vector<os::WatchId> watches;  // that no other path owns: to be ended
  };
  Forgotten Forget(const std::string& folder) EXCLUDES(mutex_);

  // For a scan, which adds every folder anew: forgets all folders and returns
  // the watches. If the scan was cut short, Restore() keeps the folders that it
  // did not reach; else Unseen() has the watches to end.
  ByWatch StartScan() EXCLUDES(mutex_);
  void Restore(ByWatch before) EXCLUDES(mutex_);
  std::vector<os::WatchId> Unseen(const ByWatch& before) const EXCLUDES(mutex_);

 private:
  mutable Mutex mutex_;
  std::map<std::string, os::WatchId> by_folder_ GUARDED_BY(mutex_);
  ByWatch by_watch_ GUARDED_BY(mutex_);
};

}  // namespace forge::indexer
