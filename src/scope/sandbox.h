// Which paths a request may name, and which files a search may see.
//
// The rules (TOOL_EXECUTOR FR-VAL-04 as settled in docs/decisions.md):
//  * A relative path starts at the working folder; an absolute one is taken
//    only if allow_absolute.
//  * Components are resolved one by one, physically: "link/.." is the parent of
//    what the link points to. A ".." is allowed only where it starts and ends
//    inside an allowed root, so that no answer depends on whether something
//    outside exists (no existence oracle).
//  * The canonical result must lie in an allowed root, component-wise ("/a"
//    does not contain "/ab").
//  * Deny patterns are matched against the path as named and as resolved, for
//    the path and each of its parents; they win over everything.
//  * All this is checked before the existence of the target is.
//
// Immutable after Create(), so thread-safe.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "forge/config.h"
#include "forge/result.h"
#include "os/file.h"
#include "scope/deny_list.h"
#include "scope/paths.h"

namespace forge {

// What a request's `path` turned out to be.
struct Target {
  std::string canonical;                     // absolute, no trailing slash (but for "/")
  os::FileType type = os::FileType::kOther;  // kRegular, kDirectory or kOther
};

class Sandbox {
 public:
  // `roots` must exist; they are canonicalized. `working_dir` (empty: the first
  // root) must lie inside one of them. Errors name the setting at fault.
  static Result<Sandbox> Create(const std::vector<std::string>& roots, const std::string& working_dir,
                                const SandboxConfig& config);

  // SandboxViolation as above; BadArgs for a NUL; ExecutionFailed for a target
  // that does not exist or whose parents cannot be traversed.
  Result<Target> Resolve(std::string_view path) const;

  // For the walk: an entry of a folder that was itself admitted. `absolute` is
  // the lexical absolute path of the entry.
  bool DeniesEntry(std::string_view absolute, bool is_folder) const;

  // For a followed symlink: `canonical` lies in a root and nothing on its way
  // there is denied.
  bool Admits(std::string_view canonical, bool is_folder) const;

  const DenyList& denies() const { return denies_; }
  const std::vector<std::string>& roots() const { return roots_; }
  const std::string& working_dir() const { return working_dir_; }

  // How a path is shown: relative to the working folder if inside it, else
  // absolute. Raw bytes; callers make it UTF-8 (D3).
  std::string Display(std::string_view absolute) const;

 private:
  friend class PathResolver;

  bool InRoots(std::string_view path) const;

  std::vector<std::string> roots_;
  std::string working_dir_;
  DenyList denies_;
  bool allow_absolute_ = true;
};

}  // namespace forge
