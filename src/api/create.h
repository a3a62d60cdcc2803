// Creates an engine for a client of another process (R10).
//
// An engine depends on a few variables of the environment: PATH, to find
// searchers; HOME and git's variables, for ignore rules; the variables that name
// the cache folder; those of language models. Engine::Create takes them from the
// process. A server that answers for others must not: its own environment means
// nothing to them.
#pragma once

#include <memory>

#include "base/environment.h"
#include "forge/engine.h"
#include "forge/result.h"

namespace forge {

Result<std::unique_ptr<Engine>> CreateEngineIn(const Environment& environment, EngineOptions options);

}  // namespace forge
