// Where the eligible files of a folder come from: a walk, or the catalog of an
// index that stands in for it. Both give the same entries in the same order,
// but for files that provably cannot match: those are only counted.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "index/snapshot/exclusion.h"
#include "search/request.h"
#include "tree/walk.h"

namespace forge {

struct EligibleEntry {
  std::uint64_t excluded = 0;  // files before this entry that cannot match
  bool end = false;            // there is no entry
  WalkEntry entry;
};

class EligibleStream {
 public:
  virtual ~EligibleStream() = default;
  virtual void Next(EligibleEntry& out) = 0;
  virtual bool timed_out() const = 0;
};

// What of an index a stream may use.
struct IndexUse {
  index::SnapshotPtr snapshot;
  std::string prefix;                            // the search root, relative to the index root
  std::shared_ptr<const index::Exclusion> test;  // null: nothing can be excluded
};

// A walk; with an index, files whose state is the indexed one may be excluded.
std::unique_ptr<EligibleStream> StreamFromWalk(const Sandbox& sandbox, const std::string& folder,
                                               const CheckedRequest& request, const IndexUse& use,
                                               const Deadline& deadline);

// The catalog, which is known to be what a walk would find.
std::unique_ptr<EligibleStream> StreamFromCatalog(const std::string& folder, const CheckedRequest& request,
                                                  const IndexUse& use, const Deadline& deadline);

// Which files of a folder a request asks for, by their paths alone. For paths
// that come in order: it remembers what it found out about the last folder.
class PathFilter {
 public:
  // `sees_hidden`: the paths may have hidden parts, which the request may not
  // want.
  PathFilter(const CheckedRequest& request, bool sees_hidden);

  // Nothing is filtered.
  bool open() const { return open_; }

  // `path` is relative to the search root; of a folder that is denied, it ends
  // in '/'.
  bool Wants(std::string_view path);

 private:
  struct Verdict {
    bool pruned = false;    // an exclude pattern takes the folder
    bool included = false;  // an include pattern takes all of it
  };
  Verdict Judge(std::string_view folder);

  const CheckedRequest& request_;
  const bool drops_hidden_;
  bool open_;
  std::string folder_;
  Verdict verdict_;
  bool known_ = false;
};

}  // namespace forge
