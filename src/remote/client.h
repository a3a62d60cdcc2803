// Decides for each engine whether the shared server answers or this process.
//
//   host.create_engine = [&](EngineOptions options) { return remote::CreateEngine(std::move(options), setup); };
//
// With mode `auto`, only an engine with an index goes to the server: without one,
// the server has nothing that is warm. An engine that would index in the
// background (an agent's) starts the server; any other joins a tree that the
// server has. With `on`, every engine does both. Whatever stands in the way, the
// engine is created here, as it would be without a server.
#pragma once

#include <memory>
#include <string>

#include "base/environment.h"
#include "forge/engine.h"
#include "forge/result.h"
#include "os/clocks.h"
#include "remote/place.h"
#include "remote/remote_engine.h"

namespace forge::remote {

struct ClientSetup {
  Place place;
  Environment environment;
  std::string program;  // the path of this program
  LocalFactory local;   // Engine::Create
  const os::Clocks* clocks = &os::Clocks::System();
};

Result<std::unique_ptr<Engine>> CreateEngine(EngineOptions options, const ClientSetup& setup);

}  // namespace forge::remote
