// A configuration as TOML text.
#pragma once

#include <string>

#include "config/load.h"

namespace forge::config {

// Every key with its value, in the order of Keys(), as a file that loads again.
// With origins, each line ends in a comment that says where the value is from,
// and which value other commands take if it is only a default.
std::string Print(const Loaded& loaded, bool with_origins);

// The file that `config init` writes: every key with its meaning. Keys with a
// recommended value are set to it; the others are commented out, with their
// default.
std::string RecommendedFile();

}  // namespace forge::config
