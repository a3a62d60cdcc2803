#include <utility>

#include "scope/paths.h"
#include "search/eligible_stream.h"

namespace forge {
namespace {

WalkOptions OptionsOf(const CheckedRequest& checked, bool stat) {
  WalkOptions options;
  options.include = checked.include;
  options.exclude = checked.exclude;
  options.recursive = checked.request.recursive;
  options.hidden = checked.request.hidden;
  options.follow = checked.request.follow;
  options.no_ignore = checked.request.no_ignore;
  options.stat = stat;
  return options;
}

class WalkStream final : public EligibleStream {
 public:
  WalkStream(const Sandbox& sandbox, const std::string& folder, const CheckedRequest& request, IndexUse use,
             const Deadline& deadline)
      : use_(std::move(use)),
        max_file_size_(request.max_file_size_bytes),
        walk_(sandbox, folder, OptionsOf(request, use_.test != nullptr), deadline) {}

  void Next(EligibleEntry& out) override {
    out.excluded = 0;
    while (walk_.Next(out.entry)) {
      if (out.entry.kind != WalkEntry::Kind::kFile || !Excludes(out.entry)) return;
      ++out.excluded;
    }
    out.end = true;
  }

  bool timed_out() const override { return walk_.timed_out(); }

 private:
  // Only what was indexed, as it is now, may be judged by the index (R1).
  bool Excludes(const WalkEntry& entry) const {
    if (!use_.test || entry.info.links == 0 || entry.info.size > max_file_size_) return false;
    const index::PackedRow* row = use_.snapshot->catalog.Find(JoinPath(use_.prefix, entry.path));
    return row != nullptr && row->kind == index::CatalogRow::Kind::kFile && row->info == entry.info &&
           !use_.test->MayMatch(*row);
  }

  const IndexUse use_;
  const std::uint64_t max_file_size_;
  Walk walk_;
};

}  // namespace

std::unique_ptr<EligibleStream> StreamFromWalk(const Sandbox& sandbox, const std::string& folder,
                                               const CheckedRequest& request, const IndexUse& use,
                                               const Deadline& deadline) {
  return std::make_unique<WalkStream>(sandbox, folder, request, use, deadline);
}

}  // namespace forge
