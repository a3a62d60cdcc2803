// Patterns and lines that take a regular-expression engine long.
#pragma once

#include <string>
#include <vector>

#include "tests/testing/seed.h"

namespace forge::testing {

// Shapes that people and models write, and on which engines that backtrack are
// known to be slow.
const std::vector<std::string>& KnownBadPatterns();

// Nested repetitions, overlapping alternatives, look-around that reads to the
// end of the line, back-references, recursion, large counts and classes.
std::string MakeBadPattern(Random& random);

// A line of about so many bytes: few different characters, so that much of it
// nearly matches.
std::string MakeBadLine(Random& random, std::size_t bytes);

}  // namespace forge::testing
