// What a searcher's end means (FR-LS-ERR-03, FR-LSI-EXIT-01).
//
// Exit codes alone do not say: ugrep 3 exits 1 with matches if a file could not
// be read, ripgrep and later ugreps exit 2 for the same. So an exit of 2 whose
// every complaint is about a single file is a success with per-file errors; any
// other is an error of the backend (C15).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "backend/searcher.h"
#include "os/process.h"

namespace forge {

enum class ExitClass { kOkWithMatches, kOkNoMatches, kTruncated, kTimedOut, kBackendError };
std::string_view Name(ExitClass exit_class);

// By the table alone.
ExitClass ClassifyExitCode(int exit_code);

// Whether the run is an error of the backend, given whether all that it printed
// on standard error speaks of single files.
bool IsBackendError(const os::RunOutcome& outcome, bool only_file_complaints);

}  // namespace forge
