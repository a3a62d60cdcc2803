// What a person must know about a search besides its matches: in the words of the
// command line, and with the names of files.
#pragma once

#include <string>
#include <vector>

#include "cli/search_flags.h"
#include "forge/config.h"
#include "forge/search.h"

namespace forge::cli {

// One sentence each. Nothing about a limit that an option asked for and that did
// what it was asked.
std::vector<std::string> NotesFor(const SearchResponse& response, const SearchFlags& flags, const SearchConfig& config);

// A search that stopped early has not shown that there is no match.
bool StoppedEarly(const SearchResponse& response);

// What the library says about a field of the request, said about the option:
// "include_glob[0]: ..." becomes "-g: ...".
std::string InOptions(std::string message);

}  // namespace forge::cli
