#include "index/format/damage.h"

namespace forge::index {

Error Damaged(std::string what) { return ExecutionFailed("the index is damaged: " + what, ErrorCode::kDamaged); }

bool IsDamage(const Error& error) { return error.code == ErrorCode::kDamaged; }

}  // namespace forge::index
