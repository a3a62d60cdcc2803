// Changes of folders, as the operating system reports them.
//
// One watcher watches many folders, none recursively. The kernel queues an
// event before the call that caused it returns, so whoever drains the queue
// after a write has completed sees that write (R1).
//
// What no watcher tells: writes through a hard link in a folder that is not
// watched, stores through a shared mapping, changes on another machine of a
// network file system (see WatchableFolder), and whatever happens in a new
// folder before it is watched: watch first, then list.
//
// A folder that is moved or deleted takes others with it. Only its parent's
// watch and its own tell; watches below a moved folder go on under paths that
// are no longer true, and a deleted folder that somebody holds open is gone for
// its own watch only when closed. Whoever sees a folder leave must remove the
// watches below it.
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
  std::string name = {};   // of the entry; empty for attributes of the watched folder itself
  bool is_folder = false;  // the entry is one
  std::uint32_t move = 0;  // the same number for both ends of one move; 0: no move

  friend bool operator==(const WatchEvent&, const WatchEvent&) = default;
};

class Watcher {
 public:
  virtual ~Watcher() = default;

  // Watches the folder that is open as `folder`, wherever it is now; `path` is
  // the name that it goes by. Watching a folder twice gives the same number; a
  // number is never used again. ENOSPC: the limit of watches is reached.
  virtual OsResult<WatchId> Add(int folder, const std::string& path) = 0;

  // Nothing more is reported for it, not even what is queued.
  virtual void Remove(WatchId watch) = 0;

  // Appends what is queued at the time of the call, without waiting. False: the
  // watcher is broken for good. After kFolderGone nothing more is reported for
  // that watch; a folder that was moved must be added again under its new path.
  virtual bool Drain(std::vector<WatchEvent>& events) = 0;

  // Readable when something is queued, for poll(2).
  virtual int fd() const = 0;
};

// inotify. An error if there is none, or the limit of instances is reached.
OsResult<std::unique_ptr<Watcher>> MakeWatcher();

// Whether changes of files in this folder are reported: not on network and FUSE
// file systems, /proc and the like.
bool WatchableFolder(int folder);

// How many nanoseconds apart two changes of a file here must be for its stamps
// to differ for certain (E17). How many watches there may be: os/limits.h.
std::int64_t StampGranularityNs(int folder);

}  // namespace forge::os
