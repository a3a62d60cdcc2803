// Stored data that differs from what was written, or has another version.
//
// Damage has its own code, kDamaged, because we know what to do: clear the
// index and build it anew.
#pragma once

#include <string>

#include "forge/error.h"

namespace forge::index {

inline Error Damaged(const std::string& what) {
  return ExecutionFailed("the index is damaged: " + what, ErrorCode::kDamaged);
}

}  // namespace forge::index
