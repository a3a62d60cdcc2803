#include "tree/walk.h"

#include <algorithm>
#include <functional>
#include <thread>

#include "base/unicode.h"
#include "tree/folder_queue.h"
#include "tree/lister.h"
#include "tree/paced_sort.h"

namespace forge {
namespace {

// Below this many folders, starting threads costs more than it saves.
constexpr std::uint64_t kFoldersBeforeHelpers = 32;
constexpr unsigned kMaxThreads = 8;
constexpr std::uint64_t kEntriesBetweenClockReads = 64;

int HelperCount(int threads) {
  if (threads > 0) return threads - 1;
  return static_cast<int>(std::clamp(std::thread::hardware_concurrency(), 1U, kMaxThreads)) - 1;
}

WalkEntry::Kind KindOf(Item::Kind kind) {
  switch (kind) {
    case Item::Kind::kFile: return WalkEntry::Kind::kFile;
    case Item::Kind::kDenied: return WalkEntry::Kind::kDenied;
    case Item::Kind::kError:
    case Item::Kind::kFolder: return WalkEntry::Kind::kError;
  }
  return WalkEntry::Kind::kError;
}

void ToEntry(const Folder& folder, Item& item, WalkEntry& entry) {
  entry.kind = KindOf(item.kind);
  entry.path.assign(folder.path);
  if (!folder.path.empty() && !item.name.empty()) entry.path.push_back('/');
  entry.path.append(item.name);
  entry.error.clear();
  entry.info = {};
  entry.is_folder = item.is_folder;
  if (!item.extra) return;
  entry.error = std::move(item.extra->error);
  entry.info = item.extra->info;
}

// An entry with its whole key, to sort folders that are merged.
struct Keyed {
  std::string key;
  WalkEntry entry;

  bool operator<(const Keyed& other) const {
    if (const int order = key.compare(other.key); order != 0) return order < 0;
    return entry.path < other.entry.path;
  }
};

}  // namespace

class Walk::Impl {
 public:
  Impl(const SearchRoot& root, WalkOptions options, Deadline deadline)
      : options_(std::move(options)),
        deadline_(std::move(deadline)),
        lister_(root, options_, deadline_),
        root_(lister_.MakeRoot()),
        queue_(lister_, root_) {}

  bool Next(WalkEntry& entry) {
    if (done_) return false;
    if (calls_++ % kEntriesBetweenClockReads == 0 && deadline_.over()) return TimeOut();
    if (!started_) {
      started_ = true;
      if (!Await(*root_)) return TimeOut();
      if (Open(root_, entry)) return true;
    }
    while (!done_) {
      if (TakeMerged(entry) || TakeItem(entry)) return true;
    }
    return false;
  }

  bool timed_out() const { return timed_out_; }
  std::uint64_t folders_listed() const { return lister_.folders_listed(); }
  std::vector<std::string> rule_inputs() const { return lister_.rule_inputs(); }
  std::vector<std::string> rule_files() const { return lister_.rule_files(); }
  std::vector<std::string> repositories() const { return repositories_; }
  bool root_in_repository() const { return lister_.root_in_repository(); }

 private:
  struct Frame {
    FolderPtr folder;
    std::size_t next = 0;
  };

  bool TimeOut() {
    done_ = timed_out_ = true;
    return false;
  }

  bool Await(Folder& folder) {
    if (++folders_read_ == kFoldersBeforeHelpers) queue_.StartHelpers(HelperCount(options_.threads));
    if (deadline_.over() || !queue_.Await(folder, deadline_)) return false;
    if (folder.repository && !folder.path.empty()) repositories_.push_back(folder.path);
    return true;
  }

  // Enters a listed folder. True if there is an error to return instead.
  bool Open(FolderPtr folder, WalkEntry& entry) {
    if (!folder->error.empty()) {
      entry = {WalkEntry::Kind::kError, folder->path, folder->error, true, {}};
      return true;
    }
    stack_.push_back({std::move(folder)});
    return false;
  }

  bool TakeMerged(WalkEntry& entry) {
    if (next_merged_ == merged_.size()) return false;
    entry = std::move(merged_[next_merged_].entry);
    if (++next_merged_ == merged_.size()) {
      merged_.clear();
      next_merged_ = 0;
    }
    return true;
  }

  bool TakeItem(WalkEntry& entry) {
    if (stack_.empty()) {
      done_ = true;
      return false;
    }
    Frame& frame = stack_.back();
    std::vector<Item>& items = frame.folder->items;
    if (frame.next == items.size()) {
      stack_.pop_back();
      return false;
    }
    Item& item = items[frame.next++];
    if (frame.next < items.size() && MustMerge(item, items[frame.next])) return Merge(frame), false;
    if (item.kind != Item::Kind::kFolder) {
      ToEntry(*frame.folder, item, entry);
      return true;
    }
    FolderPtr folder = std::move(item.extra->folder);
    if (!Await(*folder)) return TimeOut();
    return Open(std::move(folder), entry);
  }

  // Sibling folders with one key: their contents interleave, so we read them to
  // the end and sort them. Such folders are rare and small.
  void Merge(Frame& frame) {
    std::vector<Item>& items = frame.folder->items;
    const std::size_t first = frame.next - 1;
    while (frame.next < items.size() && MustMerge(items[first], items[frame.next])) ++frame.next;
    const std::string prefix = SortKey(frame.folder->path) + (frame.folder->path.empty() ? "" : "/");
    const FolderPtr folder = frame.folder;
    for (std::size_t i = first; i < frame.next && !done_; ++i) Collect(*folder, prefix, items[i]);
    if (done_) return merged_.clear();
    Pace pace(deadline_);
    if (PacedSort(merged_, std::less<>(), pace)) return;
    merged_.clear();
    TimeOut();
  }

  void Collect(const Folder& parent, const std::string& prefix, Item& item) {
    std::string key = prefix + std::string(item.key()) + (item.is_folder ? "/" : "");
    if (item.kind == Item::Kind::kFolder) {
      const FolderPtr folder = std::move(item.extra->folder);
      if (!Await(*folder)) {
        TimeOut();
        return;
      }
      if (folder->error.empty()) {
        for (Item& below : folder->items) {
          if (!done_) Collect(*folder, key, below);
        }
        return;
      }
      merged_.push_back({std::move(key), {WalkEntry::Kind::kError, folder->path, folder->error, true, {}}});
      return;
    }
    Keyed keyed{std::move(key), {}};
    ToEntry(parent, item, keyed.entry);
    merged_.push_back(std::move(keyed));
  }

  const WalkOptions options_;
  const Deadline deadline_;
  Lister lister_;
  const FolderPtr root_;
  FolderQueue queue_;

  bool started_ = false;
  bool done_ = false;
  bool timed_out_ = false;
  std::uint64_t calls_ = 0;
  std::uint64_t folders_read_ = 0;
  std::vector<std::string> repositories_;
  std::vector<Frame> stack_;
  std::vector<Keyed> merged_;
  std::size_t next_merged_ = 0;
};

Walk::Walk(const SearchRoot& root, WalkOptions options, Deadline deadline)
    : impl_(std::make_unique<Impl>(root, std::move(options), std::move(deadline))) {}

Walk::~Walk() = default;

bool Walk::Next(WalkEntry& entry) { return impl_->Next(entry); }

bool Walk::timed_out() const { return impl_->timed_out(); }

std::uint64_t Walk::folders_listed() const { return impl_->folders_listed(); }

std::vector<std::string> Walk::rule_inputs() const { return impl_->rule_inputs(); }

std::vector<std::string> Walk::rule_files() const { return impl_->rule_files(); }

std::vector<std::string> Walk::repositories() const { return impl_->repositories(); }

bool Walk::root_in_repository() const { return impl_->root_in_repository(); }

}  // namespace forge
