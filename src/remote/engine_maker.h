// How the shared server gets its engines.
#pragma once

#include <functional>
#include <memory>

#include "base/environment.h"
#include "forge/engine.h"
#include "forge/result.h"

namespace forge::remote {

// Creates an engine that takes nothing from the process's own environment.
using EngineMaker = std::function<Result<std::unique_ptr<Engine>>(const Environment&, EngineOptions)>;

}  // namespace forge::remote
