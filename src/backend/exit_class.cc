#include "backend/exit_class.h"

namespace forge {

std::string_view Name(ExitClass exit_class) {
  switch (exit_class) {
    case ExitClass::kOkWithMatches: return "ok_with_matches";
    case ExitClass::kOkNoMatches: return "ok_no_matches";
    case ExitClass::kTruncated: return "truncated";
    case ExitClass::kTimedOut: return "timed_out";
    case ExitClass::kBackendError: return "backend_error";
  }
  return "backend_error";
}

ExitClass ClassifyExitCode(int exit_code) {
  if (exit_code == 0) return ExitClass::kOkWithMatches;
  if (exit_code == 1) return ExitClass::kOkNoMatches;
  return ExitClass::kBackendError;
}

bool IsBackendError(const os::RunOutcome& outcome, bool only_file_complaints) {
  if (outcome.signal != 0) return true;
  if (ClassifyExitCode(outcome.exit_code) != ExitClass::kBackendError) return false;
  return outcome.exit_code != 2 || !only_file_complaints;
}

}  // namespace forge
