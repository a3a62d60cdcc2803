// Where a keyword search looks (REQ-KWS-002).
//
// At the top of the git work tree around the working folder: the nearest folder
// upwards with a `.git`, which is a folder, or a file in a linked work tree or a
// submodule (H14). If that lies above the sandbox, the sandbox's root is the top
// (H7). Without git, the working folder.
//
// What is found goes to a third party, so "/" and the home folder are refused
// unless somebody named exactly them as a root.
#pragma once

#include <string>
#include <vector>

#include "forge/result.h"
#include "scope/sandbox.h"

namespace forge::keyword {

// `named_roots` are those that a user named, canonical or not. Returns an
// absolute, canonical folder.
Result<std::string> FindScope(const Sandbox& sandbox, const std::vector<std::string>& named_roots,
                              const std::string& home);

}  // namespace forge::keyword
