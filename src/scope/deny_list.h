// The paths that no search may see, whatever the request says (I2).
//
// A pattern is tried on the absolute path. An anchored one ("secrets/*.txt") is
// also tried on the path relative to each allowed root. "X/**" also denies the
// folder X itself: it is kept as "X/", which means the same, because a denied
// path takes everything below it along.
//
// The default patterns name files that hold keys and passwords: DefaultDenies().
// They ignore case, because some file systems do. Templates such as .env.example
// are not denied by default. Configured patterns do not ignore case.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "forge/config.h"
#include "forge/result.h"
#include "glob/glob.h"

namespace forge {

// What is denied unless include_default_denies is false, and what of that is
// allowed after all. docs/search.md lists them.
std::span<const std::string_view> DefaultDenies();
std::span<const std::string_view> DefaultAllows();

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
  Status AddConfigured(const std::vector<std::string>& patterns);

  std::string description_;
  std::vector<std::string> roots_;
  GlobSet defaults_;
  GlobSet allowed_;  // of the defaults
  GlobSet any_depth_;
  GlobSet anchored_;
};

}  // namespace forge
