#include "index/damage.h"

#include <string_view>

namespace forge::index {
namespace {
constexpr std::string_view kPrefix = "the index is damaged: ";
}

Error Damaged(std::string what) { return ExecutionFailed(std::string(kPrefix) + std::move(what)); }

bool IsDamage(const Error& error) {
  return error.kind == ErrorKind::kExecutionFailed && error.message.starts_with(kPrefix);
}

}  // namespace forge::index
