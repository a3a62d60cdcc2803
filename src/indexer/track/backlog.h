// What is still to be looked at after events, so that a turn that was too short
// can be continued.
//
// EventSorter turns events into the other parts; BacklogWorker works those off.
// A value; TreeTracker guards it.
#pragma once

#include <deque>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "os/watch.h"

namespace forge::indexer {

struct Backlog {
  std::deque<os::WatchEvent> events;                    // not sorted yet
  std::map<std::string, std::set<std::string>> relist;  // folder -> names that came or went
  std::vector<std::string> left;                        // folders that are gone, whose rows are to be removed
  std::vector<std::string> folders;                     // new ones, with all below
  // Written to, but no file of the catalog has this path, or another one had
  // it. True: by a file that no longer had this name.
  std::map<std::string, bool> written;

  bool empty() const { return events.empty() && relist.empty() && left.empty() && folders.empty() && written.empty(); }
  // Adds what the watcher has queued; false if the watcher is broken.
  bool TakeEvents(os::Watcher& watcher);
  // This entry is to be looked at again.
  void Relist(const std::string& path);
};

}  // namespace forge::indexer
