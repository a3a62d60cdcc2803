#include "indexer/track/backlog.h"

#include <iterator>
#include <utility>

namespace forge::indexer {

bool Backlog::TakeEvents(os::Watcher& watcher) {
  std::vector<os::WatchEvent> taken;
  const bool works = watcher.Drain(taken);
  std::move(taken.begin(), taken.end(), std::back_inserter(events));
  return works;
}

void Backlog::Relist(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  const std::string folder = slash == std::string::npos ? std::string() : path.substr(0, slash);
  relist[folder].insert(path.substr(slash + 1));
}

}  // namespace forge::indexer
