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
// PathResolver finds and opens what a path names in one go, and all later code
// works on the descriptor. Each request opens the roots anew, at their
// canonical paths and through no link: if another folder has replaced a root,
// we use that folder; if a link has replaced it, that is an error.
//
// Immutable after Create(), so thread-safe.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/path.h"
#include "forge/config.h"
#include "forge/result.h"
#include "os/file.h"
#include "scope/deny_list.h"
#include "scope/target.h"

namespace forge {

class Sandbox {
 public:
  // `roots` must exist; they are canonicalized. `working_dir` (empty: the first
  // root) must lie inside one of them. Errors name the setting at fault.
  static Result<Sandbox> Create(const std::vector<std::string>& roots, const std::string& working_dir,
                                const SandboxConfig& config);

  // SandboxViolation as above; BadArgs for a NUL; ExecutionFailed for a target
  // that does not exist or whose parents cannot be traversed.
  Result<Target> Resolve(std::string_view path) const;

  // The target of a path that the tree itself contains, such as a link's. It
  // starts at `folder`, which is open as `fd`. EXDEV if it leads outside or to
  // something denied; other errors only for targets inside.
  os::OsResult<Target> Follow(const std::string& folder, int fd, std::string_view path) const;

  // Reads a small file that the tree itself names by an absolute path: git's
  // own files. ENOENT, as if it were missing, if it lies outside or is denied.
  // `also` is one more folder that counts as inside; empty: none.
  os::OsResult<std::string> ReadNamedByTree(const std::string& absolute, std::uint64_t limit,
                                            const std::string& also = {}) const;

  // For the walk: an entry of a folder that was itself admitted. `absolute` is
  // the lexical absolute path of the entry.
  bool DeniesEntry(std::string_view absolute, bool is_folder) const;

  // `canonical` lies in a root and nothing on its way there is denied.
  bool Admits(std::string_view canonical, bool is_folder) const;

  bool InRoots(std::string_view path) const;

  const DenyList& denies() const { return denies_; }
  const std::vector<std::string>& roots() const { return roots_; }
  const std::string& working_dir() const { return working_dir_; }

  // How a path is shown: relative to the working folder if inside it, else
  // absolute. Raw bytes; callers make it UTF-8 (D3).
  std::string Display(std::string_view absolute) const;

 private:
  std::vector<std::string> roots_;
  std::string working_dir_;
  DenyList denies_;
  bool allow_absolute_ = true;
};

}  // namespace forge
