// What `doctor --report` prints (tool/report.h).
#pragma once

#include "cli/cli.h"
#include "cli/command.h"
#include "forge/result.h"
#include "tool/report.h"

namespace forge::cli {

// Counts the files of each root, for a minute at most.
Result<tool::BugReport> MakeBugReport(const GlobalOptions& global, Host& host);

}  // namespace forge::cli
