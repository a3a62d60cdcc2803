// What no search may see, whatever the request says (I2).
//
// A pattern is tried on the absolute path; an anchored one ("secrets/*.txt") on
// the path relative to each allowed root as well. "X/**" also denies the folder
// X itself: it is kept as "X/", which says the same, because a path is denied
// with everything below it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "forge/config.h"
#include "forge/result.h"
#include "glob/glob.h"

namespace forge {

class DenyList {
 public:
  // Fails, naming the setting, on a configured pattern that does not parse.
  static Result<DenyList> Create(const SandboxConfig& config, std::vector<std::string> roots);

  // `path` itself, not its parents.
  bool DeniesEntry(std::string_view path, bool is_folder) const;

  // `path` or any of its parents.
  bool Denies(std::string_view path, bool is_folder) const;

  // All patterns as text: two lists that say the same deny the same.
  const std::string& description() const { return description_; }

 private:
  Status Add(std::string_view pattern);

  std::string description_;
  std::vector<std::string> roots_;
  std::vector<Glob> any_depth_;
  std::vector<Glob> anchored_;
};

}  // namespace forge
