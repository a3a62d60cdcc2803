// Searches a text that is not a file, such as standard input.
//
//   forge::SearchInput({.pattern = "ERROR"}, {}, [](char* buffer, std::size_t size) { ... },
//                      {.on_event = Print, .show_as = "<stdin>"});
//
// It works as the text comes: a line is reported before the next one is there, so
// that `tail -f log | ...` is of use. Patterns mean the same as in Engine::Search.
#pragma once

#include <cstddef>
#include <functional>

#include "forge/config.h"
#include "forge/result.h"
#include "forge/search.h"

namespace forge {

// Waits for some bytes; 0 at the end.
using ReadInput = std::function<std::size_t(char* buffer, std::size_t size)>;

// The fields of the request that choose files do not count.
Result<SearchResponse> SearchInput(const SearchRequest& request, const SearchConfig& config, const ReadInput& read,
                                   const SearchOptions& options);

}  // namespace forge
