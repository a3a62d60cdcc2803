// forge-search mcp

#include <chrono>
#include <filesystem>
#include <istream>
#include <ostream>
#include <system_error>
#include <thread>

#include "cli/commands.h"
#include "cli/mcp_roots.h"
#include "cli/root_engines.h"
#include "mcp/serve.h"
#include "os/conversation.h"
#include "tool/registry.h"

namespace forge::cli {
namespace {

// After the input has ended, for answers to what was asked before.
constexpr std::chrono::milliseconds kDrainTime{1000};

RootSources SourcesOf(const CommandLine& line, const config::Loaded& loaded, const Host& host) {
  std::error_code error;  // the current folder may be gone; then its name is ""
  const std::string folder = line.cwd.empty() ? std::filesystem::current_path(error).string() : line.cwd;
  return {line.roots, loaded.config.sandbox, host.environment, folder};
}

// Tests talk through streams; the program through descriptors.
mcp::Read InputOf(Host& host, const os::Conversation& conversation) {
  if (host.descriptors) return [&](char* buffer, std::size_t size) { return conversation.Read(buffer, size); };
  return [&](char* buffer, std::size_t size) {
    host.in.read(buffer, static_cast<std::streamsize>(size));
    return static_cast<std::size_t>(host.in.gcount());
  };
}

mcp::Sink OutputOf(Host& host, const os::Conversation& conversation) {
  if (host.descriptors) return [&](std::string_view line) { return conversation.Write(line); };
  return [&](std::string_view line) { return static_cast<bool>(host.out << line << std::flush); };
}

}  // namespace

int RunMcp(const CommandLine& line, Host& host) {
  const auto loaded = LoadConfigAndWarn(line, host);
  if (!loaded) return Fail(host, loaded.error());
  const RootSources sources = SourcesOf(line, *loaded, host);
  mcp::ClientRoots client_roots(WantsClientRoots(sources));
  RootEngines engine(
      [&] {
        RootSources with_client = sources;
        with_client.client = client_roots.Get();
        return ChooseRoots(with_client);
      },
      [&](const RootEngines::Roots& roots) {
        auto created = host.create_engine({.config = loaded->config,
                                           .roots = roots,
                                           .working_dir = line.cwd,
                                           .indexing = EngineOptions::Indexing::kBackground});
        if (!created) return created;
        WarnOfIndex(**created, host);
        (*created)->StartIndexing();
        return created;
      });
  tool::Registry registry;
  if (const Status added = AddTools(
          *loaded, [&engine] { return engine.Get(); }, registry);
      !added)
    return Fail(host, added.error());

  const Descriptors ends = host.descriptors.value_or(Descriptors{});
  const os::Conversation conversation(ends.in, ends.out, host.stop.token());
  const bool structured = line.structured || loaded->config.mcp.structured;
  mcp::Server server(registry, {.structured = structured, .roots = &client_roots}, OutputOf(host, conversation));
  // An index starts with the server (FR-LSI-BG-02), unless the client has to say
  // of which folder. Beside the conversation, which must not wait for it.
  std::thread early;
  if (loaded->config.search.index.mode != IndexMode::kOff && !WantsClientRoots(sources)) {
    try {
      early = std::thread([&engine] { (void)engine.Get(); });
    } catch (const std::system_error&) {
      // A limit on processes: the first call starts it.
    }
  }
  mcp::Serve(server, InputOf(host, conversation));
  if (early.joinable()) early.join();
  if (!host.stop.token().cancelled() && !server.closed()) server.Drain(kDrainTime);
  host.stop.Cancel();  // so that a call that waits for its answer to be read ends too
  server.Stop();
  return 0;
}

}  // namespace forge::cli
