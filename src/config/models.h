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

// Whether the entry is about models: "llm.models[1]" "provider", or an attempt
// to write that in another way.
bool IsOfModels(const Entry& entry);

// An error that says where models must be written instead.
Error NotATable(const std::string& place);

// Stores one value of the file. Entries come in the order of the file, so a new
// number in the section starts the next model.
Status ApplyToModel(const Entry& entry, const std::string& place, Config& config, std::vector<std::string>& warnings);

// Rules that involve several keys: each model has its own name, says what its
// provider calls it, and has at most one source for its API key.
Status CheckModels(const LlmConfig& llm, const std::string& file);

}  // namespace forge::config
