// What an examination of the installation found (`doctor`).
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace forge::tool {

enum class Level { kOk, kWarning, kFailure };  // in the order of their weight

struct Finding {
  std::string area;  // "Backends"
  Level level = Level::kOk;
  std::string message;
  std::string hint = {};  // what to do about it
};

inline std::string_view Name(Level level) {
  switch (level) {
    case Level::kOk: return "ok";
    case Level::kWarning: return "warning";
    case Level::kFailure: return "failure";
  }
  return "";
}

inline Level Worst(const std::vector<Finding>& findings) {
  Level worst = Level::kOk;
  for (const Finding& finding : findings) worst = std::max(worst, finding.level);
  return worst;
}

}  // namespace forge::tool
