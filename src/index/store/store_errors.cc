#include "index/store/store_errors.h"

#include "os/private_file.h"

namespace forge::index {

Error DiskFull(std::string_view what) {
  return ExecutionFailed(
      "no space left for the index: " + std::string(what) + "; free some, or set index_path to a folder with more",
      ErrorCode::kDiskFull);
}

Error Locked(std::string_view what) {
  return ExecutionFailed(
      "another process holds the index: " + std::string(what) + "; try again, or raise index_lock_timeout_ms",
      ErrorCode::kLocked);
}

bool IsOutOfSpace(int system_error) { return os::MeansNoSpace(system_error); }

Error SystemError(std::string_view what, const os::OsError& error) {
  const std::string sentence = std::string(what) + ": " + error.message();
  if (IsOutOfSpace(error.code)) return DiskFull(sentence);
  return ExecutionFailed(sentence);
}

}  // namespace forge::index
