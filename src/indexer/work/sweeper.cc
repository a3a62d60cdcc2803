#include "indexer/work/sweeper.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "os/file.h"

namespace forge::indexer {

using index::Catalog;
using index::PackedRow;
using index::Page;

namespace {

// Looks at files in path order. Keeps the last folder open: one system call a
// file.
class Looker {
 public:
  explicit Looker(int root) : root_(root) {}

  bool Differs(std::string_view path, const os::FileInfo& info) {
    const std::size_t slash = path.rfind('/');
    const std::string_view folder = slash == std::string_view::npos ? std::string_view() : path.substr(0, slash);
    if (!opened_ || folder != folder_) Enter(folder);
    if (!folder.empty() && !fd_.ok()) return true;
    const auto now = os::StatEntry(folder.empty() ? root_ : fd_->get(), std::string(path.substr(slash + 1)));
    return !now.ok() || *now != info;
  }

 private:
  void Enter(std::string_view folder) {
    folder_ = folder;
    opened_ = true;
    if (!folder.empty()) fd_ = os::OpenFolderBeneath(root_, folder_);
  }

  const int root_;
  bool opened_ = false;
  std::string folder_;
  os::OsResult<os::Fd> fd_ = os::OsError{};
};

}  // namespace

void Sweeper::Sweep(std::int64_t now_ns) {
  std::uint64_t rows = RowsToSweep(now_ns);
  const index::SnapshotPtr snapshot = published_.snapshot();
  if (!snapshot || rows == 0) return;
  const auto root = SearchRoot::Open(*setup_.sandbox, setup_.root, setup_.key.traversal.follow);
  if (!root.ok()) return;  // the next search finds that out
  const Catalog& catalog = snapshot->catalog;
  std::vector<index::CatalogRow> differing;
  Looker looker(root->fd());
  Catalog::Position at = catalog.LowerBound(next_);
  for (rows = std::min(rows, catalog.rows()); rows > 0; --rows) {
    if (at.page == catalog.pages()) at = {};
    const Page& page = catalog.page(at.page);
    const PackedRow& row = page.row(at.row);
    const bool believed = row.kind == index::CatalogRow::Kind::kFile && !index::IsAlwaysCandidate(row);
    if (believed && looker.Differs(page.path(at.row), row.info)) differing.push_back(page.Unpack(at.row));
    if (++at.row == page.size()) at = {at.page + 1, 0};
  }
  next_ = at.page == catalog.pages() ? std::string() : std::string(catalog.page(at.page).path(at.row));
  if (!differing.empty()) Report(differing);
  if (next_.empty()) LookAtRules();
}

void Sweeper::LookAtRules() {
  if (!published_.follower.RuleFilesDiffer()) return;
  published_.CatchUp();  // as in Report()
  const Lock lock(published_.mutex);
  if (published_.follower.trust(published_.now) != Trust::kFull) return;
  ++published_.now.unreported;
  published_.now.Happen(index::Trigger::kIgnoreChanged);
}

std::uint64_t Sweeper::RowsToSweep(std::int64_t now_ns) {
  const Lock lock(published_.mutex);
  const index::SnapshotPtr& snapshot = published_.now.snapshot;
  const std::uint64_t rows = snapshot ? published_.now.schedule.RowsToSweep(snapshot->catalog.rows(), now_ns) : 0;
  published_.now.schedule.Swept(now_ns);
  return rows;
}

void Sweeper::Report(const std::vector<index::CatalogRow>& differing) {
  published_.CatchUp();  // most differences have an event
  const Lock lock(published_.mutex);
  if (published_.follower.trust(published_.now) != Trust::kFull) return;
  for (const index::CatalogRow& row : differing) {
    const PackedRow* now = published_.now.snapshot->catalog.Find(row.path);
    if (now == nullptr || index::IsAlwaysCandidate(*now) || now->info != row.info) continue;
    published_.follower.Doubt(row.path);
    ++published_.now.unreported;
  }
  published_.follower.Follow(published_.now, {Deadline(), &published_.waiting});
}

}  // namespace forge::indexer
