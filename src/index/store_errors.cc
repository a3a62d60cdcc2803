#include "index/store_errors.h"

#include <cerrno>

#include "index/store.h"

namespace forge::index {
namespace {

constexpr std::string_view kDiskFull = "no space left for the index: ";
constexpr std::string_view kLocked = "another process holds the index: ";

Error Make(std::string_view kind, std::string_view what, std::string_view advice) {
  return ExecutionFailed(std::string(kind) + std::string(what) + std::string(advice));
}

}  // namespace

Error DiskFull(std::string_view what) {
  return Make(kDiskFull, what, "; free some, or set index_path to a folder with more");
}

Error Locked(std::string_view what) { return Make(kLocked, what, "; try again, or raise index_lock_timeout_ms"); }

Error SystemError(std::string_view what, const os::OsError& error) {
  const std::string sentence = std::string(what) + ": " + error.message();
  if (error.code == ENOSPC || error.code == EDQUOT) return DiskFull(sentence);
  return ExecutionFailed(sentence);
}

bool IsDiskFull(const Error& error) { return error.message.starts_with(kDiskFull); }
bool IsLocked(const Error& error) { return error.message.starts_with(kLocked); }

}  // namespace forge::index
