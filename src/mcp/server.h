// An MCP server without a transport: lines go in, lines come out.
//
//   Server server(registry, {}, [](std::string_view line) { ... });
//   server.HandleLine(R"({"jsonrpc":"2.0","id":1,"method":"initialize",...})");
//
// The server decides for each request which era it belongs to (protocol.h): a
// request with a version in `params._meta` is modern, any other belongs to the
// session that `initialize` opened. A client may mix both; one that tries the
// modern era first does.
//
// A request gets exactly one answer, or none if it is cancelled. No input can
// end the process or grow its memory without bound.
//
// One thread at a time may call HandleLine. The sink may be called by any
// thread, one at a time.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <string_view>

#include "mcp/calls.h"
#include "mcp/client_roots.h"
#include "mcp/reply.h"
#include "tool/registry.h"

namespace forge::mcp {

struct ServerOptions {
  bool structured = false;  // see CallResult()
  CallLimits limits = {};
  ClientRoots* roots = nullptr;  // where the client's roots go; must outlive the server; null: never ask
};

class Server {
 public:
  // The registry must outlive the server, and its tools be thread-safe.
  Server(const tool::Registry& registry, ServerOptions options, Sink sink);
  ~Server();  // as Stop()
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  void HandleLine(std::string_view line);
  void HandleTooLongLine();

  // The sink reported that the other side no longer reads.
  bool closed() const;

  // No more lines will come: waits for running calls, but no longer than this.
  // False: some still run.
  bool Drain(std::chrono::milliseconds longest);

  // Cancels the calls that still run, without an answer, and waits for their
  // end.
  void Stop();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace forge::mcp
