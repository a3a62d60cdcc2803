// Indexes changed files again, a small segment at a time.
//
//   updater.Maintain(now);   // those whose stamps are reliable now
//
// A search never waits for it: until a file is indexed again it is a candidate of
// every search. Only for the background thread.
#pragma once

#include <cstdint>
#include <string>

#include "indexer/publish/published.h"
#include "indexer/setup/throttle.h"
#include "indexer/store/store_link.h"
#include "indexer/work/segment_maker.h"

namespace forge::indexer {

class Updater {
 public:
  Updater(Throttle& throttle, SegmentMaker& maker, StoreLink& store, Published& published, const os::Clocks& clocks)
      : throttle_(throttle), maker_(maker), store_(store), published_(published), clocks_(clocks) {}

  // `now_ns` is the file clock.
  void Maintain(std::int64_t now_ns);
  // Waits until files that were read too soon after a write have settled, and
  // indexes them again. Gives up after a few attempts: files may go on
  // changing.
  void SettleNow();

 private:
  void Fail(const Error& error);
  void GiveUp(const std::string& why);
  void Store(index::StoreChange change, const std::vector<index::SegmentId>& made);

  Throttle& throttle_;
  SegmentMaker& maker_;
  StoreLink& store_;
  Published& published_;
  const os::Clocks& clocks_;
};

}  // namespace forge::indexer
