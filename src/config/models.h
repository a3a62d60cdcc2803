// The tables of [[llm.models]].
//
// Only the configuration file can hold them: --set and the environment have no way
// to name one table of many.
#pragma once

#include <string>
#include <vector>

#include "config/keys.h"
#include "forge/config.h"
#include "forge/result.h"

namespace forge::config {

// Whether the entry speaks of models: "llm.models[1]" "provider", or an attempt
// to write it otherwise.
bool IsOfModels(const Entry& entry);

// Says where models must be written instead.
Error NotATable(const std::string& place);

// Stores one value of the file. Entries come in the order of the file, so a new
// number in the section starts the next model.
Status ApplyToModel(const Entry& entry, const std::string& place, Config& config, std::vector<std::string>& warnings);

// What no single key can tell: each model has a name of its own, says what its
// provider calls it, and has at most one source for its API key.
Status CheckModels(const LlmConfig& llm, const std::string& file);

}  // namespace forge::config
