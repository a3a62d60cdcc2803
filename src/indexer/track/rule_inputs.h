// What ignore rules depend on outside the watched folders: the user's git
// configuration, .git/info/exclude, ignore files above the root, and ignore files with
// several names, of which one may be outside.
//
// They are few, and no watcher sees them. Each request that wants to trust the
// catalog stats them instead.
//
// Not thread-safe: TreeTracker owns it.
#pragma once

#include <string>
#include <vector>

#include "os/file.h"

namespace forge::indexer {

class RuleInputs {
 public:
  RuleInputs() = default;
  // Remembers the present state of these files, whether they exist or not. In order.
  explicit RuleInputs(const std::vector<std::string>& paths);

  // Whether all of these are among them.
  bool HasAll(const std::vector<std::string>& paths) const;
  // Whether one of them has changed since.
  bool Changed() const;
  // Whether one was written so shortly before `began_ns` that its stamps may
  // not show the next change (E17). `now_ns` is later than that.
  bool Racy(std::int64_t began_ns, std::int64_t now_ns, std::int64_t granularity_ns) const;

 private:
  struct Input {
    std::string path;
    int error = 0;
    os::FileInfo info;
  };
  static Input Look(const std::string& path);

  std::vector<Input> inputs_;
};

}  // namespace forge::indexer
