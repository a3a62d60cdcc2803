#include "forge/error.h"

namespace forge {

std::string_view Name(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::kBadArgs: return "BadArgs";
    case ErrorKind::kSandboxViolation: return "SandboxViolation";
    case ErrorKind::kExecutionFailed: return "ExecutionFailed";
    case ErrorKind::kTimeout: return "Timeout";
    case ErrorKind::kCancelled: return "Cancelled";
    case ErrorKind::kUnknownTool: return "UnknownTool";
    case ErrorKind::kDuplicateTool: return "DuplicateTool";
    case ErrorKind::kStaleFile: return "StaleFile";
  }
  return "ExecutionFailed";
}

std::string_view Name(SandboxReason reason) {
  switch (reason) {
    case SandboxReason::kNone: return "";
    case SandboxReason::kPathOutsideSandbox: return "PathOutsideSandbox";
    case SandboxReason::kDeniedPatternMatched: return "DeniedPatternMatched";
    case SandboxReason::kDisabled: return "Disabled";
    case SandboxReason::kLimitsExceeded: return "LimitsExceeded";
  }
  return "";
}

}  // namespace forge
