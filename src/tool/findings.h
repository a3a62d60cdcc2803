// What an examination of the installation found (`doctor`).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace forge::tool {

enum class Level { kOk, kWarning, kFailure };

std::string_view Name(Level level);  // "ok", "warning", "failure"

struct Finding {
  std::string area;  // "Backends"
  Level level = Level::kOk;
  std::string message;
  std::string hint = {};  // what to do about it
};

Level Worst(const std::vector<Finding>& findings);

}  // namespace forge::tool
