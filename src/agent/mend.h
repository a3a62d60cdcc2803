// Finds what a call means, if it cannot be meant as it is written.
//
// Runs the search. A path that does not exist, and a pattern that is no regular
// expression or finds nothing, are read in the other ways that models mean them;
// what was changed becomes a remark. The readings share a small time.
#pragma once

#include <string>
#include <vector>

#include "agent/call.h"
#include "agent/find.h"
#include "forge/result.h"

namespace forge::agent {

struct Mended {
  Call call;  // as it was searched
  Found found;
  std::vector<std::string> remarks = {};
};

// Errors are in words for the model.
Result<Mended> FindMended(Finder& finder, Call call);

}  // namespace forge::agent
