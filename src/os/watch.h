// Changes of folders, as the operating system reports them.
//
// One watcher watches many folders, none recursively. The kernel queues an
// event before the call that caused it returns. So a reader that drains the
// queue after a write has completed sees that write (R1).
//
// A watcher does not report: writes through a hard link in a folder that is not
// watched, stores through a shared mapping, changes that another machine makes
// on a network file system (see WatchableFolder), and changes in a new folder
// before it is watched. So watch first, then list.
//
// An event names the file by the name that it was opened by, even if the file has
// lost that name since and has another one, or none; "#" and the number of its
// inode if it was opened without a name (O_TMPFILE).
//
// A folder that is moved or deleted takes the folders below it along. Only the
// watch of its parent and its own report that. The watches below a moved folder
// go on, under paths that are no longer true. If a program holds a deleted
// folder open, the folder's own watch reports the deletion only when it is
// closed. So a caller that sees a folder leave must remove the watches below
// it.
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
  std::string name = {};   // name of the entry; empty for attributes of the watched folder itself
  bool is_folder = false;  // the entry is a folder
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

  // Reports nothing more for this watch, not even events that are queued.
  virtual void Remove(WatchId watch) = 0;

  // Appends the events that are queued at the time of the call; does not wait.
  // False: the watcher is broken for good. After kFolderGone there are no more
  // events for that watch; a folder that was moved must be added again under
  // its new path.
  virtual bool Drain(std::vector<WatchEvent>& events) = 0;

  // A descriptor for poll(2): readable when an event is queued.
  virtual int fd() const = 0;

  // Whether the kernel queues an event before the call that caused it returns. If
  // not, events tell what to index again, and a search has to look for itself (R1).
  virtual bool vouches() const { return true; }
};

// inotify, or ReadDirectoryChangesW, which does not vouch. An error if the system has
// none, or the limit of instances is reached.
OsResult<std::unique_ptr<Watcher>> MakeWatcher();

// Whether all changes of files in this folder go through this system, so that it sets
// their stamps and can report them. Not on network and FUSE file systems, /proc and the
// like.
bool WatchableFolder(int folder);

// Two changes of a file here that are this many nanoseconds apart have
// different stamps for certain (E17). os/limits.h says how many watches there
// may be.
std::int64_t StampGranularityNs(int folder);

}  // namespace forge::os
