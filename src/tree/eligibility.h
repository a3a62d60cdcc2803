// Which entries of a tree a request asks for: one rule for all callers.
//
// The rule goes through these in order, and the first that applies is the
// answer:
//
//   hidden        its name begins with '.', and hidden entries are not wanted
//   too deep      a folder, and only the root's own files are wanted; or deeper
//                 than wanted
//   excluded      an exclude glob takes it
//   not included  a file that no include glob takes, by itself or by its folder;
//                 or that is of another type
//   ignored       by .ignore, .gitignore and the like
//   denied        by the sandbox; denied entries that nothing above took are counted
//
// A folder that is not eligible takes everything below it along. The walk uses
// the rule for each entry, the catalog's stream for paths, and a request for a
// file that it names. (A file over the size limit is eligible: it is counted,
// and skipped when it is opened.)
#pragma once

#include <cstdint>
#include <string_view>

#include "base/pace.h"
#include "glob/glob.h"
#include "scope/sandbox.h"
#include "tree/ignore_scope.h"

namespace forge {

// What a walk sees of a tree. A walk made the catalog; a request that sees more
// than that walk cannot be answered from it.
struct Traversal {
  bool hidden = false;
  bool follow = false;     // symlinks, where they stay inside the sandbox
  bool no_ignore = false;  // ignore rules are not applied

  // Whether a walk of this kind meets everything that one of `other` meets.
  bool Covers(const Traversal& other) const {
    return hidden >= other.hidden && follow >= other.follow && no_ignore >= other.no_ignore;
  }
  friend bool operator==(const Traversal&, const Traversal&) = default;
};

struct EligibilityRules {
  Traversal traversal = {};
  GlobSet include = {};
  GlobSet exclude = {};
  GlobSet include_any_case = {};  // either of the two will do
  GlobSet exclude_any_case = {};
  GlobSet types = {};  // a file must also match one of these
  GlobSet exclude_types = {};
  bool recursive = true;
  std::uint64_t max_depth = UINT64_MAX;  // 1: the root's own files

  bool has_include() const { return !include.empty() || !include_any_case.empty(); }
  // Whether a path alone can make an entry ineligible.
  bool filters_paths() const;
  bool HidesName(std::string_view name) const { return !traversal.hidden && name.starts_with('.'); }
  // An include glob takes the folder and so everything in it.
  bool IncludesWhole(std::string_view folder, Pace* pace = nullptr) const;
};

enum class Eligibility { kEligible, kHidden, kTooDeep, kExcluded, kNotIncluded, kIgnored, kDenied };

// An entry of a folder; the folder itself is eligible.
struct Entry {
  std::string_view relative;  // to the search root
  std::string_view name;      // its last component
  bool is_folder = false;
  bool folder_included = false;  // IncludesWhole() of a folder above it

  // For entries that a walk meets. Null: the rule was applied before, when the
  // entry became a row of the catalog.
  const IgnoreScope* ignore = nullptr;
  const Sandbox* sandbox = nullptr;
  std::string_view absolute = {};  // as it is reached
  std::string_view real = {};      // where it really is, if behind a link
  Pace* pace = nullptr;            // null: take any time
};

// Without meaning when the entry's pace is over.
Eligibility Judge(const EligibilityRules& rules, const Entry& entry);

// A file that the request names itself: hidden and ignore rules do not apply to
// it, and the sandbox has admitted it (B12).
Eligibility JudgeNamedFile(const EligibilityRules& rules, std::string_view name);

}  // namespace forge
