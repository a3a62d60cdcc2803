#include "search/eligible.h"

#include <algorithm>
#include <utility>

namespace forge {

EligibleFiles::EligibleFiles(std::unique_ptr<EligibleStream> stream, std::uint64_t max_files)
    : stream_(std::move(stream)), max_files_(max_files) {}

EligibleFiles::EligibleFiles(std::optional<std::string> file) : file_(std::move(file)) {}

bool EligibleFiles::Next(FileItem& item) {
  if (stream_) return NextFromStream(item);
  if (!file_) return false;
  item = {++count_, std::move(*file_)};
  file_.reset();
  return true;
}

// Counts files that are not handed out. False if there are more than max_files.
bool EligibleFiles::Skip(std::uint64_t files) {
  const std::uint64_t room = max_files_ - count_;
  cut_ = files > room;
  const std::uint64_t skipped = std::min(files, room);
  count_ += skipped;
  excluded_ += skipped;
  return !cut_;
}

void EligibleFiles::AddAside(WalkEntry& entry) {
  if (entry.kind == WalkEntry::Kind::kDenied) {
    ++asides_.denied;
    if (asides_.denied_paths.size() < Asides::kMostNamed) asides_.denied_paths.push_back(std::move(entry.path));
  } else {
    asides_.failures.push_back({std::move(entry.path), std::move(entry.error)});
  }
}

// The memory of the item's path and parts goes to the entry that comes next.
bool EligibleFiles::NextFromStream(FileItem& item) {
  while (!cut_ && !next_.end) {
    next_.vouched = nullptr;
    next_.parts.clear();
    stream_->Next(next_);
    if (!Skip(next_.excluded) || next_.end) return false;
    WalkEntry& entry = next_.entry;
    if (entry.kind != WalkEntry::Kind::kFile) {
      AddAside(entry);
      continue;
    }
    if (count_ == max_files_) {
      cut_ = true;
      return false;
    }
    item.position = ++count_;
    item.path.swap(entry.path);
    item.alone = next_.excluded > 0;
    item.asides = std::exchange(asides_, {});
    item.vouched = next_.vouched;
    item.parts.swap(next_.parts);
    return true;
  }
  return false;
}

}  // namespace forge
