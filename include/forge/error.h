// What can go wrong, as values.
//
// A kind exists only where somebody acts differently on it: a model corrects
// its arguments on kBadArgs, asks for another path on kSandboxViolation, tells
// its user on kExecutionFailed. "No match", "cut short" and "file skipped" are
// parts of an answer, never errors.
#pragma once

#include <string>
#include <string_view>
#include <utility>

namespace forge {

enum class ErrorKind {
  kBadArgs,           // the request is wrong; the message names the field
  kSandboxViolation,  // outside the allowed roots, denied, or disabled
  kExecutionFailed,   // the request is fine, but it could not be carried out
  kTimeout,
  kCancelled,
  kUnknownTool,
  kDuplicateTool,
  kStaleFile,
};

// Why a sandbox said no.
enum class SandboxReason { kNone, kPathOutsideSandbox, kDeniedPatternMatched, kDisabled, kLimitsExceeded };

struct Error {
  ErrorKind kind = ErrorKind::kExecutionFailed;
  std::string message;
  SandboxReason reason = SandboxReason::kNone;
};

// "BadArgs", "SandboxViolation", ...: the names used in JSON.
std::string_view Name(ErrorKind kind);
std::string_view Name(SandboxReason reason);

inline Error BadArgs(std::string message) { return {ErrorKind::kBadArgs, std::move(message)}; }
inline Error ExecutionFailed(std::string message) { return {ErrorKind::kExecutionFailed, std::move(message)}; }
inline Error Cancelled() { return {ErrorKind::kCancelled, "the call was cancelled"}; }
inline Error SandboxViolation(SandboxReason reason, std::string message) {
  return {ErrorKind::kSandboxViolation, std::move(message), reason};
}

}  // namespace forge
