// The rule of eligibility for whole paths, as a catalog has them: a path is
// eligible if it is eligible itself and so is each folder above it.
//
// For paths that come in order: it keeps the verdict on the last folder.
#pragma once

#include <string>
#include <string_view>

#include "tree/eligibility.h"

namespace forge {

class PathFilter {
 public:
  // `sees_hidden`: the paths may have hidden parts. `pace` may be null, and must
  // outlive this; when it is over, no path is wanted any more.
  PathFilter(const EligibilityRules& rules, bool sees_hidden, Pace* pace = nullptr);

  // Every path is wanted.
  bool open() const { return !rules_.filters_paths(); }

  // `path` is relative to the search root; that of a folder ends in '/'.
  bool Wants(std::string_view path);

 private:
  struct Folder {
    bool eligible = true;
    bool included = false;  // an include glob takes all of it
  };
  Folder Judged(std::string_view folder) const;

  EligibilityRules rules_;
  Pace* const pace_;
  std::string folder_path_;
  Folder folder_;
};

}  // namespace forge
