// Where the eligible files of a folder come from: a walk, or the catalog of an
// index that replaces it. Both give the same entries in the same order, except
// for files that provably cannot match: those are only counted.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "index/snapshot/exclusion.h"
#include "search/request.h"
#include "tree/walk.h"

namespace forge {

struct EligibleEntry {
  std::uint64_t excluded = 0;  // files before this entry that cannot match
  bool end = false;            // there is no entry
  WalkEntry entry;
  // See FileItem. It lives as long as the stream.
  const os::FileInfo* vouched = nullptr;
  std::vector<TextPart> parts;
};

class EligibleStream {
 public:
  virtual ~EligibleStream() = default;
  virtual void Next(EligibleEntry& out) = 0;
  virtual bool timed_out() const = 0;
};

// The part of an index that a stream may use.
struct IndexUse {
  index::SnapshotPtr snapshot;
  std::string prefix;                      // the search root, relative to the index root
  std::shared_ptr<index::Exclusion> test;  // null: nothing can be excluded
};

// A walk. With an index, it may exclude files that are still in the state that
// was indexed. `root` must outlive it.
// `left_out`, if given, notes what is hidden or ignored, and must outlive it, too.
std::unique_ptr<EligibleStream> StreamFromWalk(const SearchRoot& root, const CheckedRequest& request,
                                               const IndexUse& use, const Deadline& deadline,
                                               LeftOutList* left_out = nullptr);

// The catalog, which is known to equal what a walk would find. `root` must
// outlive it.
std::unique_ptr<EligibleStream> StreamFromCatalog(const SearchRoot& root, const CheckedRequest& request,
                                                  const IndexUse& use, const Deadline& deadline);

// Only what is at or below these entries, by the rules of the request. `root` must
// outlive it.
std::unique_ptr<EligibleStream> StreamFromLeftOut(const SearchRoot& root, const CheckedRequest& request,
                                                  std::vector<LeftOutEntry> entries, const Deadline& deadline);

}  // namespace forge
