// What would have matched, when a search found nothing.
//
//   Hint: with case = "insensitive" there is a match: src/a.c line 12.
//
// A model that gets "no matches" gives up or guesses; usually its pattern was
// nearly right. So we repeat the search with one thing changed at a time (case,
// plain text, whole words, hidden and ignored files, globs, path, one wrong
// character), each for a single match, as long as there is time.
//
// Hints depend on time, so the command line and the server add them to their
// text; they are never part of the response.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "forge/cancel.h"
#include "forge/engine.h"

namespace forge::tool {

// How a change is named: "with case = \"insensitive\"" or "with -i".
enum class HintWords { kFields, kOptions };

// For a request that found nothing after `elapsed`. Uses what is left of the
// request's time, and no more than a second.
std::vector<std::string> HintsForNothing(Engine& engine, const SearchRequest& request,
                                         std::chrono::milliseconds elapsed, const CancelToken& cancel,
                                         HintWords words = HintWords::kFields);

}  // namespace forge::tool
