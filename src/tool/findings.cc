#include "tool/findings.h"

#include <algorithm>

namespace forge::tool {

std::string_view Name(Level level) {
  switch (level) {
    case Level::kOk: return "ok";
    case Level::kWarning: return "warning";
    case Level::kFailure: return "failure";
  }
  return "";
}

Level Worst(const std::vector<Finding>& findings) {
  Level worst = Level::kOk;
  for (const Finding& finding : findings) worst = std::max(worst, finding.level);
  return worst;
}

}  // namespace forge::tool
