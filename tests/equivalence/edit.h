// Changes of a tree, for tests in which it changes between requests.
#pragma once

#include <string>

#include "tests/testing/seed.h"
#include "tests/testing/temp_tree.h"

namespace forge::testing {

// One change of a tree that MakeTree() made; every way in which a tree changes
// while a person works on it. Says what it did, or tried to do.
std::string Edit(Random& random, const TempTree& tree);

}  // namespace forge::testing
