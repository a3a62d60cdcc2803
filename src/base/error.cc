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
  }
  return "ExecutionFailed";
}

std::string_view ReasonName(ErrorCode code) {
  switch (code) {
    case ErrorCode::kPathOutsideSandbox: return "PathOutsideSandbox";
    case ErrorCode::kDeniedPatternMatched: return "DeniedPatternMatched";
    case ErrorCode::kDisabled: return "Disabled";
    default: return "";
  }
}

}  // namespace forge
