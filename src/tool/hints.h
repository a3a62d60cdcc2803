// The words for what would have matched, when a search found nothing
// (search/hints.h).
//
//   with fuzzy = 1 there is a match: "kmalloc_array" in include/linux/slab.h line 650.
//
// Hints depend on time, so the command line and the server add them to their
// text; they are never part of the response.
#pragma once

#include <string>
#include <vector>

#include "forge/search.h"

namespace forge::tool {

// How a change is named: "with case = \"insensitive\"" or "with -i".
enum class HintWords { kFields, kOptions };

// One line for each.
std::vector<std::string> HintLines(const std::vector<Hint>& hints, HintWords words = HintWords::kFields);

}  // namespace forge::tool
