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

// Counts files that are not handed out. False if they reach over max_files.
bool EligibleFiles::Skip(std::uint64_t files) {
  const std::uint64_t room = max_files_ - count_;
  cut_ = files > room;
  const std::uint64_t skipped = std::min(files, room);
  count_ += skipped;
  excluded_ += skipped;
  return !cut_;
}

bool EligibleFiles::NextFromStream(FileItem& item) {
  EligibleEntry next;
  while (!cut_ && !next.end) {
    stream_->Next(next);
    if (!Skip(next.excluded) || next.end) return false;
    WalkEntry& entry = next.entry;
    if (entry.kind != WalkEntry::Kind::kFile) {
      asides_.push_back(
          {count_, entry.kind == WalkEntry::Kind::kDenied, std::move(entry.path), std::move(entry.error)});
      continue;
    }
    if (count_ == max_files_) {
      cut_ = true;
      return false;
    }
    item = {++count_, std::move(entry.path), next.excluded > 0};
    return true;
  }
  return false;
}

std::optional<Aside> EligibleFiles::TakeAside(std::uint64_t before) {
  if (asides_.empty() || asides_.front().after >= before) return std::nullopt;
  Aside aside = std::move(asides_.front());
  asides_.pop_front();
  return aside;
}

bool PassesGlobs(const CheckedRequest& request, const std::string& name) {
  const auto matches = [&](const Glob& glob) { return glob.Matches(name, false); };
  const bool included = request.include.empty() || std::any_of(request.include.begin(), request.include.end(), matches);
  return included && std::none_of(request.exclude.begin(), request.exclude.end(), matches);
}

}  // namespace forge
