// The readable view of an answer, `content`.
//
//   src/a.c
//   12:5:int foo(void)
//   13-{
//
//   1 match in 1 file; 10 files searched in /home/me/project.
//   Note: 2 files larger than max_file_size_bytes (2000000) were skipped; ...
//
// It depends only on the request, the configuration and the tree. The whole
// text is bounded by content_max_bytes, because hosts cut longer texts (Codex
// at about 12,000 characters). ladder.h makes it fit. `matches` has everything.
// Notes say what was not searched (R7).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "forge/search.h"
#include "search/request.h"

namespace forge {

// What a reader must know about the answer besides its matches.
std::vector<std::string> MakeNotes(const SearchResponse& response, const CheckedRequest& request,
                                   const LeftOut& left_out);

// Needs everything else of the response to be in place, notes included.
std::string BuildContent(const SearchResponse& response, const CheckedRequest& request);

}  // namespace forge
