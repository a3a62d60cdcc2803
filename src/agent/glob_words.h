// Globs as models write them.
//
//   "*.cc,*.h"            *.cc and *.h
//   "**/*.{ts,tsx}"       one glob
//   "*.cc *.h"            *.cc and *.h
//   "*.(cc|h)"            *.{cc,h}
//   "src"                 also everything in folders of that name
//   ".ts"                 also *.ts
//
// Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace forge::agent {

bool HasGlobCharacter(std::string_view text);

// The globs in one text, which commas or spaces may separate.
std::vector<std::string> GlobsIn(std::string_view text);

// "ts", ".ts" and "*.ts": *.ts.
std::string GlobOfExtension(std::string_view word);

// The glob, and if it has no special character, what a model means by it beside a
// file of that name: all files in the folder, or all with that ending.
std::vector<std::string> AlsoAsFolder(const std::string& glob);

// A path as the glob that matches nothing else, from the search root.
std::string GlobOfPath(std::string_view path);

}  // namespace forge::agent
