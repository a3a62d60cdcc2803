// Tries the promises on this machine, in a folder of its own, for `doctor --self-test`:
// above all on systems that we cannot run ourselves. What it says can be sent to us; no
// path, name or text of the user is in it.
#pragma once

#include <vector>

#include "cli/cli.h"
#include "tool/findings.h"

namespace forge::cli {

std::vector<tool::Finding> SelfTest(Host& host);

}  // namespace forge::cli
