// Where a keyword search looks (REQ-KWS-002).
//
// It looks in the git work tree around the working folder: from the nearest
// folder upwards that holds a `.git` (a folder, or a file in a linked work tree
// or a submodule, H14). If that lies above the sandbox, it looks in the sandbox's
// root (H7). Without git, it looks in the working folder.
//
// The search sends what it finds to a third party, so it refuses the home folder
// and the folders above it unless the user named exactly that folder as a root.
#pragma once

#include <string>
#include <vector>

#include "forge/result.h"
#include "scope/sandbox.h"

namespace forge::keyword {

// `named_roots` are the roots that the user named, canonical or not; `home` is the
// value of HOME. Returns an absolute, canonical folder.
Result<std::string> FindScope(const Sandbox& sandbox, const std::vector<std::string>& named_roots,
                              const std::string& home);

}  // namespace forge::keyword
