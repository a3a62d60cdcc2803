// The paths that no search may see, whatever the request says (I2).
//
// A pattern is tried on the absolute path. An anchored one ("secrets/*.txt") is
// also tried on the path relative to each allowed root. "X/**" also denies the
// folder X itself: it is kept as "X/", which means the same, because a denied
// path takes everything below it along.
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

  // Checks `path` itself, not its parents.
  bool DeniesEntry(std::string_view path, bool is_folder) const;

  // Checks `path` and all of its parents.
  bool Denies(std::string_view path, bool is_folder) const;

  // All patterns as text: lists with equal text deny the same paths.
  const std::string& description() const { return description_; }

 private:
  Status Add(std::string_view pattern);

  std::string description_;
  std::vector<std::string> roots_;
  std::vector<Glob> any_depth_;
  std::vector<Glob> anchored_;
};

}  // namespace forge
