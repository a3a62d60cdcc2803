// What a search asks of the index of one root: what may it leave out?
//
//   View view = views.Begin({.folder = "/src", .traversal = {}}, deadline);
//   if (view.snapshot) ...   // else view.bypass says why not
//
// A search waits for the mutex, and works on events that happened before it, no
// longer than its share of the time (FR-LSI-BUD-MAINT-01). If that is too short,
// it goes without the index.
//
// Thread-safe.
#pragma once

#include <optional>

#include "base/deadline.h"
#include "forge/result.h"
#include "indexer/publish/published.h"
#include "indexer/publish/view.h"
#include "indexer/setup/root_setup.h"
#include "indexer/store/store_link.h"
#include "indexer/track/tree_tracker.h"
#include "os/wake.h"

namespace forge::indexer {

class Views {
 public:
  // All must outlive this.
  Views(const RootSetup& setup, const TreeTracker& tracker, const StoreLink& store, Published& published,
        os::Wake& wake)
      : setup_(setup), tracker_(tracker), store_(store), published_(published), wake_(wake) {}

  // Fills in all of the view except its build.
  View Begin(const ViewRequest& request, const Deadline& deadline);
  // State and storage alone, for a request that does not need the index.
  View Look(const Deadline& deadline);
  // The snapshot of a view, or the stored index, turned out to be damaged.
  void ReportDamage(const Error& error);

 private:
  Deadline ShareOf(const Deadline& deadline) const;
  View Blank() const;
  View BusyView() const;
  View BeginWith(Contents& now, const ViewRequest& request, const Deadline& share);
  void CatchUp(Contents& now, const Deadline& share, View& view);
  std::optional<BypassReason> BypassOf(const Contents& now, const ViewRequest& request) const;
  bool IsTrusted(const Contents& now, const ViewRequest& request, const std::string& prefix) const;
  void Damage(Contents& now, const Error& error);

  const RootSetup& setup_;
  const TreeTracker& tracker_;
  const StoreLink& store_;
  Published& published_;
  os::Wake& wake_;
};

}  // namespace forge::indexer
