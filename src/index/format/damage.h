// Stored data that is not what was written, or is of another version.
//
// Damage has a code of its own, kDamaged, because its cure is known: the index is
// cleared and built anew.
#pragma once

#include <string>

#include "forge/error.h"

namespace forge::index {

inline Error Damaged(const std::string& what) {
  return ExecutionFailed("the index is damaged: " + what, ErrorCode::kDamaged);
}

}  // namespace forge::index
