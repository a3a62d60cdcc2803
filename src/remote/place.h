// Where the shared server of this user and this program file is found (R10).
//
// The folder is "forge-search" in $XDG_RUNTIME_DIR, else in /run/user/UID if that
// is this user's, else "forge-search-run-UID" in the temporary folder. It must
// belong to this user alone (os/local_socket.h).
//
// The name is made from the program file: device, inode, size and time. So a
// client only ever meets a server of its own build, and while a new version is
// installed, the old and the new server do not disturb each other. A hash of the
// content was rejected: it takes longer than a search.
#pragma once

#include <string>

#include "base/environment.h"
#include "os/file.h"

namespace forge::remote {

struct Place {
  std::string folder;  // absolute
  std::string build;   // which program file this is; also the socket's name

  std::string LockFile() const { return folder + "/" + build + ".lock"; }
  std::string StartLockFile() const { return folder + "/" + build + ".start"; }
};

std::string BuildOf(const os::FileInfo& program);

// Of the process that runs; `build` is "" where that cannot be known.
Place FindPlace(const Environment& environment);

}  // namespace forge::remote
