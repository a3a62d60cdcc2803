// forge-search mcp

#include <chrono>
#include <deque>
#include <istream>
#include <ostream>
#include <system_error>
#include <thread>
#include <vector>

#include "agent/search_tool.h"
#include "base/strings.h"
#include "cli/common.h"
#include "cli/mcp_roots.h"
#include "cli/root_engines.h"
#include "llm/registry.h"
#include "mcp/serve.h"
#include "os/conversation.h"
#include "os/file.h"
#include "os/memory.h"
#include "tool/keyword_tool.h"
#include "tool/registry.h"

namespace forge::cli {
namespace {

constexpr const char* kFooter = R"(Speaks the Model Context Protocol; started by a host such as Claude Code:
  claude mcp add forge-search -- forge-search mcp

Searches the folders of --root, else of the configuration, else of
$FORGE_SEARCH_ROOT, else of $CLAUDE_PROJECT_DIR, else the git work tree around
the current folder, else the current folder. Ends when its input ends.)";

// After the input has ended, earlier calls are answered: each has its own time limit.
// So often we look whether anyone still reads.
constexpr std::chrono::milliseconds kDrainStep{100};

RootSources SourcesOf(const GlobalOptions& global, const config::Loaded& loaded, const Host& host) {
  return {global.roots, loaded.config.sandbox, host.environment, WorkingFolder(global)};
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

// Starts the index as soon as the folders are known (FR-LSI-BG-02), in a thread of
// its own, because the conversation must not wait for it. The destructor joins
// the threads. For the thread that reads the conversation.
class EarlyStarts {
 public:
  EarlyStarts() = default;
  void Start(std::function<void()> start) {
    // Those that came earlier have ended long ago, or end soon.
    if (threads_.size() == RootEngines::kMost) {
      threads_.front().join();
      threads_.pop_front();
    }
    try {
      threads_.emplace_back(std::move(start));
    } catch (const std::system_error&) {
      // The system limits processes: the first call starts the index.
    }
  }
  ~EarlyStarts() {
    for (std::thread& thread : threads_) thread.join();
  }
  EarlyStarts(const EarlyStarts&) = delete;
  EarlyStarts& operator=(const EarlyStarts&) = delete;

 private:
  std::deque<std::thread> threads_;
};

// A tool that cannot work only costs tokens, so it is not listed. A model that
// calls it anyway learns why.
std::string KeywordSearchOffBecause(const config::Loaded& loaded, const Host& host) {
  if (std::string by = KeywordDisabledBy(loaded); !by.empty()) return by;
  const Config& config = loaded.config;
  if (llm::Registry(config.llm, host.environment).Pick(config.keyword.model)) return "";
  return "the lack of a language model, which only the user can configure; use `Search`";
}

Status AddToolsForModels(const config::Loaded& loaded, const tool::EngineProvider& engine, const Host& host,
                         tool::Registry& registry) {
  if (Status added = registry.Add(agent::MakeSearchTool(engine), SearchDisabledBy(loaded)); !added) return added;
  return registry.Add(tool::MakeKeywordTool(engine), KeywordSearchOffBecause(loaded, host));
}

struct McpCommand : Command {
  bool structured = false;
  std::string tool_prefix;

  void Define(Options& options) override {
    options.Flag("--structured", structured, "Also send answers as data, which many hosts show instead of text");
    options.Text("--tool-prefix", tool_prefix, "TEXT",
                 "Put this before the names of the tools, for a host that has a tool of the same name");
  }

  std::optional<UsageError> Resolve() override {
    if (config::IsToolPrefix(tool_prefix)) return std::nullopt;
    return UsageError{"--tool-prefix " + Echo(tool_prefix) + ": is not a part of a name",
                      "use " + std::string(config::kToolPrefixRule)};
  }

  int Run(const GlobalOptions& global, Host& host) override {
    os::PreferSmallMemory();
    const auto loaded = LoadConfigAndWarn(global, host, config::Profile::kRecommended);
    if (!loaded) return Fail(host, loaded.error());
    const RootSources sources = SourcesOf(global, *loaded, host);
    mcp::ClientRoots client_roots(WantsClientRoots(sources));
    RootEngines engines(
        [&] {
          RootSources with_client = sources;
          with_client.client = client_roots.Get();
          return ChooseRoots(with_client);
        },
        [&](const RootEngines::Roots& roots) { return StartEngine(global, *loaded, roots, host); });
    tool::Registry registry(tool_prefix.empty() ? loaded->config.mcp.tool_prefix : tool_prefix);
    const auto provider = [&engines] { return engines.Get(); };
    if (const Status added = AddToolsForModels(*loaded, provider, host, registry); !added) {
      return Fail(host, added.error());
    }
    return Converse(registry, client_roots, engines, *loaded, host);
  }

 private:
  static Result<std::unique_ptr<Engine>> StartEngine(const GlobalOptions& global, const config::Loaded& loaded,
                                                     const RootEngines::Roots& roots, Host& host) {
    auto created = host.create_engine({.config = loaded.config,
                                       .roots = roots,
                                       .working_dir = global.cwd,
                                       .indexing = EngineOptions::Indexing::kBackground,
                                       .log = [&host](const std::string& line) { Note(host, "warning: " + line); }});
    if (!created) return created;
    Warn(**created, host);
    (*created)->StartIndexing();
    return created;
  }

  // Starts the index as soon as the folders are known, not with the first call.
  static void ServeAndIndex(mcp::Server& server, const mcp::Read& read, mcp::ClientRoots& client_roots,
                            RootEngines& engines) {
    EarlyStarts early;
    const auto start = [&] { early.Start([&engines] { (void)engines.Get(); }); };
    // Else the client may name the folders, but has not done so yet.
    if (!client_roots.wanted()) start();
    client_roots.OnKnown(start);
    mcp::Serve(server, read);
    client_roots.OnKnown(nullptr);
  }

  // Until the input ends. The exit status.
  int Converse(const tool::Registry& registry, mcp::ClientRoots& client_roots, RootEngines& engines,
               const config::Loaded& loaded, Host& host) const {
    const Descriptors ends = host.descriptors.value_or(Descriptors{});
    const os::Conversation conversation(ends.in, ends.out, host.stop.token());
    mcp::Server server(registry, {.structured = structured || loaded.config.mcp.structured, .roots = &client_roots},
                       OutputOf(host, conversation));
    if (loaded.config.search.index.mode == IndexMode::kOff) {
      mcp::Serve(server, InputOf(host, conversation));
    } else {
      ServeAndIndex(server, InputOf(host, conversation), client_roots, engines);
    }
    const auto listens = [&] {
      return !host.stop.token().cancelled() && !server.closed() && (!host.descriptors || conversation.HasReader());
    };
    while (listens() && !server.Drain(kDrainStep)) continue;
    host.stop.Cancel();  // also ends a call that waits for the client to read its answer
    server.Stop();
    if (conversation.failure() == 0) return 0;
    return Fail(host, "the conversation with the client failed: " + os::OsError{conversation.failure()}.message());
  }
};

}  // namespace

CommandEntry McpEntry() { return {"mcp", "Serve agents over standard input and output", kFooter, Make<McpCommand>}; }

}  // namespace forge::cli
