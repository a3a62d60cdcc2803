// What ignore rules depend on outside the watched folders: the user's git
// configuration, .git/info/exclude, ignore files above the root, and ignore files with
// several names, of which one may be outside.
//
// They are few, and no watcher sees them. Each request that wants to trust the
// catalog stats them instead.
//
// The same for ignore files in watched folders, whose changes may cause no event, too:
// for those a sweep asks, now and then.
//
// Not thread-safe: TreeTracker owns it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "os/file.h"

namespace forge::indexer {

// Whether an entry of a folder with this name brings rules.
bool IsRuleFile(std::string_view name);

class RuleInputs {
 public:
  RuleInputs() = default;
  // Remembers the present state of these files, whether they exist or not. In order.
  explicit RuleInputs(const std::vector<std::string>& paths);

  // Whether all of these are among them.
  bool HasAll(const std::vector<std::string>& paths) const;
  // Remembers those of them that it does not know yet. In order.
  void Add(const std::vector<std::string>& paths);
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
  bool Has(const std::string& path) const;

  std::vector<Input> inputs_;
};

}  // namespace forge::indexer
