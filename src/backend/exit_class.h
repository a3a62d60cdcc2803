// What the exit of a searcher means (FR-LS-ERR-03, FR-LSI-EXIT-01).
//
// The exit code alone does not tell: ugrep 3 exits with 1 although it has
// matches if it could not read a file; ripgrep and later ugreps exit with 2 in
// that case. So an exit with 2 is a success with per-file errors if every
// complaint is about a single file; otherwise it is an error of the backend
// (C15).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "backend/searcher.h"
#include "os/process.h"

namespace forge {

enum class ExitClass { kOkWithMatches, kOkNoMatches, kTruncated, kTimedOut, kBackendError };
std::string_view Name(ExitClass exit_class);

// By the exit code alone.
ExitClass ClassifyExitCode(int exit_code);

// Whether the run is an error of the backend. The caller knows whether all
// lines on standard error are about single files.
bool IsBackendError(const os::RunOutcome& outcome, bool only_file_complaints);

}  // namespace forge
