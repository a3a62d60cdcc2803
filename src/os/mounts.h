// Which file systems are mounted where. A mount or unmount changes what a folder
// shows, and no watcher of folders reports it.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "os/file.h"

namespace forge::os {

struct Mount {
  std::string point;     // absolute
  std::string identity;  // differs if something else is mounted there

  friend auto operator<=>(const Mount&, const Mount&) = default;
};

// One thread at a time.
class Mounts {
 public:
  virtual ~Mounts() = default;

  // Whether anything was mounted or unmounted since the last call: one system
  // call.
  virtual bool Changed() = 0;
  // The mounts below a folder, in order. Ask Changed() first: what happens
  // between the two is then reported by the next Changed().
  virtual std::vector<Mount> Below(const std::string& folder) = 0;
};

// Of this process. An error if the system does not tell.
OsResult<std::unique_ptr<Mounts>> OpenMounts();

// The mounts below a folder in a text in the form of /proc/self/mountinfo.
std::vector<Mount> ParseMounts(std::string_view text, const std::string& folder);

}  // namespace forge::os
