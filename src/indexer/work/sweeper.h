// Compares rows with their files, a few at a time: what changed without an event
// (a store through a shared mapping, a write through a hard link outside) is
// found within a minute.
//
//   sweeper.Sweep(now);   // the next rows, as many as the schedule says
//
// It looks only at rows that a search may exclude, and at ignore files, without a lock, and goes on
// where it stopped, by path: the catalog may be another one by then. Only for the
// background thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "indexer/publish/published.h"
#include "indexer/setup/root_setup.h"

namespace forge::indexer {

class Sweeper {
 public:
  Sweeper(const RootSetup& setup, Published& published) : setup_(setup), published_(published) {}

  void Sweep(std::int64_t now_ns);

 private:
  std::uint64_t RowsToSweep(std::int64_t now_ns);
  // These rows differ from their files. Each that no event explains counts as
  // unreported, and as changed.
  void Report(const std::vector<index::CatalogRow>& differing);
  // Ignore files have no rows; they are looked at once a round.
  void LookAtRules();

  const RootSetup& setup_;
  Published& published_;
  std::string next_;  // the path to begin with
};

}  // namespace forge::indexer
