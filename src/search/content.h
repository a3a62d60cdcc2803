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

// What lies in the tree but was not searched.
struct LeftOut {
  std::uint64_t too_large = 0;  // files
  std::uint64_t binary = 0;     // files with a match and a NUL
  std::uint64_t capped = 0;     // files with more matches than were taken
  std::uint64_t denied = 0;     // files or folders
  bool more_files = false;      // than max_files
};

// What a reader must know about the answer besides its matches.
std::vector<std::string> MakeNotes(const SearchResponse& response, const CheckedRequest& request,
                                   const LeftOut& left_out);

// Needs everything else of the response to be in place, notes included.
std::string BuildContent(const SearchResponse& response, const CheckedRequest& request);

}  // namespace forge
