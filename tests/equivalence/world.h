// Small worlds for comparing backends: a tree with all kinds of odd files, and
// requests that use every field. The same seed makes the same world.
#pragma once

#include <cstdint>
#include <string>

#include "forge/search.h"
#include "tests/testing/seed.h"
#include "tests/testing/temp_tree.h"

namespace forge::testing {

// Fills `tree` with files: odd names, ignore files, encodings, line endings,
// long lines, NULs, links, folders that sort in odd ways.
void MakeTree(Random& random, const TempTree& tree);

// A pattern from a grammar of the dialect, over the same alphabet as the texts.
std::string MakePattern(Random& random);

SearchRequest MakeRequest(Random& random);

// For messages.
std::string Describe(const SearchRequest& request);

}  // namespace forge::testing
