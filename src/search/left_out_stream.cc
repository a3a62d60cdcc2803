#include <atomic>
#include <string>
#include <utility>

#include "search/eligible_stream.h"
#include "search/path_filter.h"
#include "tree/lister.h"

namespace forge {
namespace {

// In the order of the list, depth first, on the caller's thread: it is read for
// some milliseconds.
class LeftOutStream final : public EligibleStream {
 public:
  LeftOutStream(const SearchRoot& root, const CheckedRequest& request, std::vector<LeftOutEntry> entries,
                const Deadline& deadline)
      : entries_(std::move(entries)),
        deadline_(deadline),
        options_{.rules = request.rules, .git = request.git},
        lister_(root, options_, deadline_),
        filter_(request.rules, true, &pace_) {}

  void Next(EligibleEntry& out) override {
    out.excluded = 0;
    while (!deadline_.over()) {
      if (stack_.empty() && next_ == entries_.size()) {
        out.end = true;
        return;
      }
      if (stack_.empty() ? TakeEntry(out) : TakeItem(out)) return;
    }
    timed_out_ = out.end = true;
  }

  bool timed_out() const override { return timed_out_; }

 private:
  struct Frame {
    FolderPtr folder;
    std::size_t next = 0;
  };

  bool TakeEntry(EligibleEntry& out) {
    const LeftOutEntry& entry = entries_[next_++];
    if (!filter_.Wants(entry.is_folder ? entry.path + '/' : entry.path)) return false;
    if (!entry.is_folder) return Yield(entry.path, out);
    if (FolderPtr folder = lister_.Descend(entry.path)) Enter(std::move(folder));
    return false;
  }

  bool TakeItem(EligibleEntry& out) {
    Frame& frame = stack_.back();
    if (frame.next == frame.folder->items.size()) {
      stack_.pop_back();
      return false;
    }
    const Item& item = frame.folder->items[frame.next++];
    if (item.kind == Item::Kind::kFolder) Enter(item.extra->folder);
    return item.kind == Item::Kind::kFile && Yield(JoinPath(stack_.back().folder->path, item.name), out);
  }

  void Enter(FolderPtr folder) {
    lister_.List(*folder, std::atomic<bool>(false));
    stack_.push_back({std::move(folder)});
  }

  static bool Yield(std::string path, EligibleEntry& out) {
    out.entry = {};
    out.entry.path = std::move(path);
    return true;
  }

  const std::vector<LeftOutEntry> entries_;
  const Deadline deadline_;
  Pace pace_{deadline_};
  const WalkOptions options_;
  Lister lister_;
  PathFilter filter_;
  std::size_t next_ = 0;
  std::vector<Frame> stack_;
  bool timed_out_ = false;
};

}  // namespace

std::unique_ptr<EligibleStream> StreamFromLeftOut(const SearchRoot& root, const CheckedRequest& request,
                                                  std::vector<LeftOutEntry> entries, const Deadline& deadline) {
  return std::make_unique<LeftOutStream>(root, request, std::move(entries), deadline);
}

}  // namespace forge
