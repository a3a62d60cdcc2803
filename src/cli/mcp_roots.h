// Which folders an MCP server may search. It cannot ask a user.
//
// Highest first: --root; allowed_roots of the configuration; FORGE_SEARCH_ROOT;
// CLAUDE_PROJECT_DIR, which Claude Code sets; the roots that the client offers;
// the top of the git work tree around the current folder; the current folder.
//
// Some hosts start servers in / or in the home folder. No user wants to search
// all of that, so we refuse both, and all between, unless --root names them.
#pragma once

#include <string>
#include <vector>

#include "base/environment.h"
#include "forge/config.h"
#include "forge/result.h"

namespace forge::cli {

struct RootSources {
  std::vector<std::string> flags;  // --root
  SandboxConfig sandbox;
  Environment environment;
  std::string folder;                    // the current one, or that of --cwd
  std::vector<std::string> client = {};  // only those that are folders count
};

// Whether we would use the client's roots.
bool WantsClientRoots(const RootSources& sources);

Result<std::vector<std::string>> ChooseRoots(const RootSources& sources);

}  // namespace forge::cli
