// Changes of folders, as the operating system reports them.
//
// One watcher watches many folders, none recursively. The kernel queues an
// event before the call that caused it returns, so whoever drains the queue
// after a write has completed sees that write (R1).
//
// What no watcher tells: writes through a hard link in a folder that is not
// watched, stores through a shared mapping, changes on another machine of a
// network file system (see WatchableFolder).
//
// Thread-safe.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "os/file.h"

namespace forge::os {

using WatchId = int;

struct WatchEvent {
  enum class Kind {
    kChanged,     // the content or the attributes of an entry
    kCreated,     // an entry appeared: made, linked or moved here
    kRemoved,     // an entry is gone: deleted or moved away
    kFolderGone,  // the watched folder itself was deleted, moved or unmounted; its watch has ended
    kOverflow,    // events were lost; `watch` means nothing
  };
  Kind kind = Kind::kChanged;
  WatchId watch = -1;
  std::string name;        // of the entry
  bool is_folder = false;  // the entry is one
  std::uint32_t move = 0;  // the same number for both ends of one move; 0: no move

  friend bool operator==(const WatchEvent&, const WatchEvent&) = default;
};

class Watcher {
 public:
  virtual ~Watcher() = default;

  // Watching a folder twice gives the same number. ENOSPC: the limit of watches
  // is reached.
  virtual OsResult<WatchId> Add(const std::string& absolute_folder) = 0;
  virtual void Remove(WatchId watch) = 0;

  // Appends what is queued, without waiting. False: the watcher is broken for
  // good.
  virtual bool Drain(std::vector<WatchEvent>& events) = 0;

  // Readable when something is queued, for poll(2).
  virtual int fd() const = 0;
};

// inotify. An error if there is none, or the limit of instances is reached.
OsResult<std::unique_ptr<Watcher>> MakeWatcher();

// Whether changes of files in this folder are reported: not on network and FUSE
// file systems, /proc and the like.
bool WatchableFolder(int folder);

// How many watches this user may have, and how many nanoseconds apart two
// changes of a file here must be for its stamps to differ (E17).
std::uint64_t MaxWatches();
std::int64_t StampGranularityNs(int folder);

}  // namespace forge::os
