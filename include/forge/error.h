// What can go wrong, as values.
//
// An error has a kind, a code, details and a text. A caller of the tool acts on
// the kind: a model corrects its arguments on kBadArgs, asks for another path
// on kSandboxViolation, tells its user on kExecutionFailed. Code acts on the
// code and the details: it clears a damaged index, continues in memory when the
// disk is full, draws a caret below a pattern. The text is for people, and no
// code reads it. "No match", "cut short" and "file skipped" are parts of an
// answer, never errors.
#pragma once

#include <cstdint>
#include <optional>
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
};

// A code exists only where some code acts on it, or a caller may: kNotFound.
enum class ErrorCode {
  kNone,
  // Why the sandbox refused. They have names in the tool's JSON.
  kPathOutsideSandbox,
  kDeniedPatternMatched,
  kDisabled,
  // What is wrong with a request.
  kBadPattern,  // details: offset, in bytes of the pattern
  kOverCap,     // a field is above a configured cap; details: field, key, value
  // What the system reported.
  kNotFound,
  kDiskFull,
  kLocked,   // another process holds it
  kDamaged,  // stored bytes are not what was written
};

struct Error {
  ErrorKind kind = ErrorKind::kExecutionFailed;
  std::string message = {};
  ErrorCode code = ErrorCode::kNone;
  // Details, each empty unless the code's comment names it.
  std::string field = {};                    // of the request
  std::string key = {};                      // of the configuration
  std::optional<std::int64_t> value = {};    // that was refused
  std::optional<std::uint64_t> offset = {};  // in the field
};

// "BadArgs", "SandboxViolation", ...: the names used in JSON.
std::string_view Name(ErrorKind kind);
// "PathOutsideSandbox", ...: the reason of a SandboxViolation in JSON. Empty for
// codes that are not one.
std::string_view ReasonName(ErrorCode code);

inline Error BadArgs(std::string message) { return {.kind = ErrorKind::kBadArgs, .message = std::move(message)}; }
inline Error ExecutionFailed(std::string message, ErrorCode code = ErrorCode::kNone) {
  return {.kind = ErrorKind::kExecutionFailed, .message = std::move(message), .code = code};
}
inline Error Cancelled() { return {.kind = ErrorKind::kCancelled, .message = "the call was cancelled"}; }
inline Error SandboxViolation(ErrorCode reason, std::string message) {
  return {.kind = ErrorKind::kSandboxViolation, .message = std::move(message), .code = reason};
}

}  // namespace forge
