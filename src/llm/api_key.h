// A model's key, from wherever the configuration says. Errors never hold the
// key, nor what a program that should have printed it printed instead.
#pragma once

#include <string>

#include "base/deadline.h"
#include "base/environment.h"
#include "forge/config.h"
#include "forge/result.h"

namespace forge::llm {

// "" if the model has none.
Result<std::string> ReadApiKey(const ModelConfig& model, const Environment& environment, const Deadline& deadline);

}  // namespace forge::llm
