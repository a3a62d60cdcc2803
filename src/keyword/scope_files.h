// Files of the searched folder that someone else names, such as a model.
//
// The sandbox finds them, so a name cannot be used to ask what exists outside of
// the roots or is denied: it gets the same "no" as a name of nothing. For names
// outside of the searched folder the file system is not asked at all.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "scope/sandbox.h"

namespace forge::keyword {

class ScopeFiles {
 public:
  // `root` lies in the sandbox, around its working folder. Both must outlive this.
  ScopeFiles(const Sandbox& sandbox, const std::string& root);

  // The path, relative to the root, of the regular file of that name; `name` is
  // absolute or relative to the root.
  std::optional<std::string> Find(std::string_view name) const;

 private:
  const Sandbox& sandbox_;
  const std::string& root_;
  const std::string way_;  // from the working folder
};

}  // namespace forge::keyword
