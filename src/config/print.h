// A configuration as TOML text.
#pragma once

#include <string>

#include "config/load.h"

namespace forge::config {

// Every key with its value, in the order of Keys(), as a file that loads again.
// With origins, each line ends in a comment that says where the value is from.
std::string Print(const Loaded& loaded, bool with_origins);

// The file that `config init` writes: every key with its meaning, those with a
// recommended value set to it, the others commented out at their default.
std::string RecommendedFile();

// Every key with its meaning, type, default and limits, in Markdown: the page
// docs/configuration.md, which a test compares with this.
std::string ReferencePage();

}  // namespace forge::config
