#include "indexer/track/event_sorter.h"

#include <string_view>
#include <utility>

#include "base/path.h"
#include "indexer/track/rule_inputs.h"

namespace forge::indexer {

using Kind = os::WatchEvent::Kind;

namespace {

constexpr std::size_t kEventsBetweenLooks = 64;  // at the clock

}  // namespace

TurnEnd EventSorter::Sort(const Turn& turn, Backlog& backlog, CatalogEdits& edits) {
  for (std::size_t seen = 1; !backlog.events.empty(); ++seen) {
    if (seen % kEventsBetweenLooks == 0 && turn.over()) return TurnEnd::kTooShort;
    const os::WatchEvent event = std::move(backlog.events.front());
    backlog.events.pop_front();
    if (event.kind == Kind::kOverflow) {
      edits.changes().overflow = true;
      continue;
    }
    if (const auto folder = watched_.FolderOf(event.watch)) SortOne(event, *folder, backlog, edits);
  }
  return TurnEnd::kDone;
}

void EventSorter::SortOne(const os::WatchEvent& event, const std::string& folder, Backlog& backlog,
                          CatalogEdits& edits) {
  if (event.kind == Kind::kFolderGone) {
    edits.changes().root_gone |= folder.empty();
    // If it was unmounted, its parent reports nothing.
    if (!folder.empty()) backlog.Relist(folder);
    return;
  }
  if (event.name.empty()) {
    // The folder's own attributes changed. The watch of its parent reports
    // that, too; only the root has no watched parent.
    edits.changes().hidden_by_error |= folder.empty();
    return;
  }
  if (IsRuleFile(event.name) && !no_ignore_) edits.changes().rules_changed = true;
  const std::string path = JoinPath(folder, event.name);
  if (event.kind == Kind::kChanged && !event.is_folder) return SortWrite(path, backlog, edits);
  backlog.relist[folder].insert(event.name);
  if (!event.is_folder) SortName(event, path, backlog);
}

void EventSorter::SortWrite(const std::string& path, Backlog& backlog, CatalogEdits& edits) const {
  const index::PackedRow* row = edits.catalog().Find(path);
  const bool is_file = row != nullptr && row->kind == index::CatalogRow::Kind::kFile;
  if (is_file) edits.Set(FileRow(path, row->info));
  if (!is_file || former_.Knows(path)) backlog.written[path] |= gone_.contains(path);
}

// A file came or went: which file do writes under this name belong to?
void EventSorter::SortName(const os::WatchEvent& event, const std::string& path, Backlog& backlog) {
  if (event.kind == Kind::kCreated) {
    gone_.erase(path);
    newest_ = path;
  }
  if (event.kind != Kind::kRemoved) return;
  gone_.insert(path);
  // Earlier writes were to the file that is gone.
  if (const auto at = backlog.written.find(path); at != backlog.written.end() && !at->second) {
    backlog.written.erase(at);
  }
  // A file that came and went, and nothing else came in between: it has no other
  // name here. (No file has the inode 0.)
  if (newest_ == path) former_.Remember(path, 0);
}

}  // namespace forge::indexer
