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

bool EligibleFiles::NextFromStream(FileItem& item) {
  EligibleEntry next;
  while (!cut_ && !next.end) {
    stream_->Next(next);
    if (!Skip(next.excluded) || next.end) return false;
    WalkEntry& entry = next.entry;
    if (entry.kind != WalkEntry::Kind::kFile) {
      AddAside(entry);
      continue;
    }
    if (count_ == max_files_) {
      cut_ = true;
      return false;
    }
    item = {++count_,     std::move(entry.path), next.excluded > 0, std::exchange(asides_, {}),
            next.vouched, std::move(next.parts)};
    return true;
  }
  return false;
}

}  // namespace forge
