// The engine that benchmarks ask.
#pragma once

#include <string>

#include "forge/engine.h"

namespace bench {

// An engine that indexes `tree` in the background and has no limit that a
// measurement could meet.
inline forge::EngineOptions OptionsFor(const std::string& tree, forge::IndexMode index_mode) {
  forge::EngineOptions options;
  options.roots = {tree};
  options.indexing = forge::EngineOptions::Indexing::kBackground;
  auto& config = options.config.search;
  config.binary = "native";
  config.max_files = config.max_matches_per_file = 100'000'000;
  config.max_file_size_bytes = 1'000'000'000;
  config.index.mode = index_mode;
  config.index.default_no_ignore = true;
  return options;
}

}  // namespace bench
