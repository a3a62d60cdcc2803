// What walks met and left out, because it is hidden or ignored.
//
//   .github/     hidden
//   build/       ignored        nothing below it is known
//   src/.clang   hidden
//
// A search that found nothing says what it would have found there (search/hints.h),
// and must not walk the tree for that. So the listing of each folder notes what
// it leaves out: a list for each folder, which the next listing replaces. `.git` is
// not noted, and neither is what is denied, or left out for another reason as well.
//
// Bounded: what comes after kMost entries is not noted. So it is a help and no
// proof: an entry may be missing, and one may be gone.
//
// Thread-safe.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/mutex.h"

namespace forge {

enum class LeftOutBy { kHidden, kIgnored };

struct LeftOutEntry {
  std::string path;  // relative to the root of the walk
  bool is_folder = false;
  LeftOutBy by = LeftOutBy::kHidden;

  friend bool operator==(const LeftOutEntry&, const LeftOutEntry&) = default;
};

class LeftOutList {
 public:
  // About a megabyte.
  static constexpr std::size_t kMost = 10'000;

  // The entries that the listing of `folder` left out; instead of those of its
  // last listing.
  void Replace(const std::string& folder, std::vector<LeftOutEntry> entries) EXCLUDES(mutex_);
  void Clear() EXCLUDES(mutex_);

  // In the order of folders, with paths relative to `folder` ("": the root).
  std::vector<LeftOutEntry> Below(std::string_view folder, LeftOutBy by) const EXCLUDES(mutex_);

 private:
  mutable Mutex mutex_;
  std::map<std::string, std::vector<LeftOutEntry>> by_folder_ GUARDED_BY(mutex_);
  std::size_t count_ GUARDED_BY(mutex_) = 0;
};

}  // namespace forge
