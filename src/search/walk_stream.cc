#include <utility>

#include "base/path.h"
#include "search/eligible_stream.h"

namespace forge {
namespace {

class WalkStream final : public EligibleStream {
 public:
  WalkStream(const SearchRoot& root, const CheckedRequest& request, IndexUse use, const Deadline& deadline,
             LeftOutList* left_out)
      : use_(std::move(use)),
        size_limit_(request.size_limit),
        walk_(root, {.rules = request.rules, .git = request.git, .stat = use_.test != nullptr, .left_out = left_out},
              deadline) {}

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
  // The index may judge a file only if its indexed state is its state now (R1).
  bool Excludes(const WalkEntry& entry) const {
    if (!use_.test || entry.info.links == 0 || size_limit_.Skips(entry.info.size)) return false;
    const index::PackedRow* row = use_.snapshot->catalog.Find(JoinPath(use_.prefix, entry.path));
    return row != nullptr && row->kind == index::CatalogRow::Kind::kFile && row->info == entry.info &&
           !use_.test->MayMatch(*row);
  }

  const IndexUse use_;
  const SizeLimit size_limit_;
  Walk walk_;
};

}  // namespace

std::unique_ptr<EligibleStream> StreamFromWalk(const SearchRoot& root, const CheckedRequest& request,
                                               const IndexUse& use, const Deadline& deadline, LeftOutList* left_out) {
  return std::make_unique<WalkStream>(root, request, use, deadline, left_out);
}

}  // namespace forge
