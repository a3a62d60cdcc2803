#include "tree/left_out.h"

#include <utility>

namespace forge {
namespace {

bool IsOrIsBelow(std::string_view path, std::string_view folder) {
  return folder.empty() || path == folder ||
         (path.size() > folder.size() && path.starts_with(folder) && path[folder.size()] == '/');
}

}  // namespace

void LeftOutList::Replace(const std::string& folder, std::vector<LeftOutEntry> entries) {
  const Lock lock(mutex_);
  const auto old = by_folder_.find(folder);
  if (old != by_folder_.end()) {
    count_ -= old->second.size();
    by_folder_.erase(old);
  }
  if (entries.empty() || count_ >= kMost) return;
  if (entries.size() > kMost - count_) entries.resize(kMost - count_);
  count_ += entries.size();
  by_folder_.emplace(folder, std::move(entries));
}

void LeftOutList::Clear() {
  const Lock lock(mutex_);
  by_folder_.clear();
  count_ = 0;
}

std::vector<LeftOutEntry> LeftOutList::Below(std::string_view folder, LeftOutBy by) const {
  const std::size_t skip = folder.empty() ? 0 : folder.size() + 1;
  std::vector<LeftOutEntry> out;
  const Lock lock(mutex_);
  for (const auto& [parent, entries] : by_folder_) {
    if (!IsOrIsBelow(parent, folder)) continue;
    for (const LeftOutEntry& entry : entries) {
      if (entry.by == by) out.push_back({entry.path.substr(skip), entry.is_folder, by});
    }
  }
  return out;
}

}  // namespace forge
