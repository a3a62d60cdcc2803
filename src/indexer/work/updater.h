// Indexes changed files again, a small segment at a time.
//
//   updater.Maintain(now);   // those whose stamps are reliable now
//
// A search never waits for it: until a file is indexed again it is a candidate of
// every search. Only for the background thread.
#pragma once

#include <cstdint>
#include <string>

#include "indexer/publish/scan_steps.h"
#include "indexer/publish/update_steps.h"
#include "indexer/setup/throttle.h"
#include "indexer/store/store_link.h"
#include "indexer/work/segment_maker.h"

namespace forge::indexer {

enum class UpdateEnd {
  kKept,       // the index is as good as before, or better
  kOverLimit,  // over index_max_memory_bytes or index_max_db_bytes: it keeps nothing
  kFailed,     // what is stored is damaged: it keeps nothing
};

class Updater {
 public:
  // The parts it works with, all of one root.
  struct Parts {
    Throttle& throttle;
    SegmentMaker& maker;
    StoreLink& store;
    UpdateSteps& updates;
    ScanSteps& scans;
    const Published& published;
    const os::Clocks& clocks;
  };

  explicit Updater(const Parts& parts) : parts_(parts) {}

  // `now_ns` is the file clock.
  UpdateEnd Maintain(std::int64_t now_ns);
  // Waits until files that were read too soon after a write have settled, and
  // indexes them again. Gives up after a few attempts: files may go on
  // changing.
  UpdateEnd SettleNow();

 private:
  UpdateEnd Fail(const Error& error);
  UpdateEnd GiveUp(const std::string& why);
  UpdateEnd Store(index::StoreChange change, const std::vector<index::SegmentId>& made);

  const Parts parts_;
};

}  // namespace forge::indexer
