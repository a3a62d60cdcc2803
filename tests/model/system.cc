#include "tests/model/system.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

#include "base/names.h"
#include "forge/engine.h"
#include "tests/equivalence/request_json.h"
#include "tests/testing/json_view.h"
#include "tests/testing/mcp_session.h"
#include "tests/testing/places.h"
#include "tool/write.h"

namespace forge::testing {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr std::chrono::seconds kLongEnough{10};  // to settle; a step goes on without

template <typename Condition>
bool Becomes(const Condition& condition) {
  const auto end = Clock::now() + kLongEnough;
  while (!condition()) {
    if (Clock::now() > end) return false;
    std::this_thread::sleep_for(milliseconds(2));  // asking without a pause would be half of the test's work
  }
  return true;
}

Command Program(const Setting& setting, const Folders& folders, std::vector<std::string> args) {
  Command command;
  command.argv = {ProgramPath()};
  command.argv.insert(command.argv.end(), args.begin(), args.end());
  command.argv.insert(command.argv.end(), {"--root", folders.tree, "--backend", setting.backend});
  command.env = {{"PATH", "/usr/bin:/bin"},
                 {"HOME", folders.home},
                 {"XDG_RUNTIME_DIR", folders.home},
                 {"GIT_CONFIG_NOSYSTEM", "1"},
                 {"FORGE_SEARCH_INDEX_PATH", folders.cache},
                 {"FORGE_SEARCH_INDEX_STORAGE", setting.storage},
                 {"FORGE_SEARCH_INDEX_TOKEN_STRUCTURE", setting.structure},
                 {"FORGE_SEARCH_INDEX_DEFAULT_HIDDEN", setting.hidden ? "true" : "false"},
                 {"FORGE_SEARCH_INDEX_DEFAULT_NO_IGNORE", setting.no_ignore ? "true" : "false"},
                 {"FORGE_SEARCH_INDEX_WATCH_DEBOUNCE_MS", "0"},
                 {"FORGE_SEARCH_INDEX_BUILD_THROTTLE_MS", "0"},
                 {"FORGE_SEARCH_INDEX_TEXT_CACHE_BYTES", std::to_string(setting.text_cache_bytes)},
                 {"FORGE_SEARCH_INDEX_MAX_TOKENIZED_BYTES", "65536"},
                 {"FORGE_SEARCH_MAX_FILE_SIZE_BYTES", std::to_string(setting.max_file_size)},
                 {"FORGE_SEARCH_DEFAULT_MAX_RESULTS", "100000"},
                 {"FORGE_SEARCH_MAX_MATCHES_PER_FILE", "100000"},
                 {"FORGE_SEARCH_EMIT_STATS", "true"},
                 {"FORGE_SEARCH_DEFAULT_TIMEOUT_MS", "600000"}};
  command.cwd = folders.tree;
  return command;
}

// A build by another process on the same store, killed at any moment.
void KillABuild(const Setting& setting, const Folders& folders, Random& random) {
  RunningProgram build(Program(setting, folders, {"index", "build", "--server", "off"}));
  (void)build.EndsWithin(std::chrono::microseconds(random.Below(30'000)));
  build.Kill();
}

class InProcess final : public System {
 public:
  InProcess(const Setting& setting, const Folders& folders, IndexMode mode) : setting_(setting), folders_(folders) {
    EngineOptions options;
    options.roots = {folders.tree};
    options.indexing = EngineOptions::Indexing::kBackground;
    options.config.sandbox.denied_patterns = {"*" + setting.denied};
    SearchConfig& search = options.config.search;
    search.binary = setting.backend;
    search.fallback_binary = "";
    search.default_timeout = std::chrono::minutes(10);
    search.default_max_results = search.max_matches_per_file = 100'000;
    search.max_file_size_bytes = static_cast<std::int64_t>(setting.max_file_size);
    search.index.mode = mode;
    search.index.path = folders.cache;
    search.index.storage = *FromName<IndexStorage>(setting.storage);
    search.index.token_structure = *FromName<TokenStructure>(setting.structure);
    search.index.default_hidden = setting.hidden;
    search.index.default_no_ignore = setting.no_ignore;
    search.index.watch_debounce = milliseconds(0);
    search.index.build_throttle = milliseconds(0);
    search.index.max_tokenized_bytes = 1 << 16;
    search.index.text_cache_bytes = static_cast<std::int64_t>(setting.text_cache_bytes);
    auto engine = Engine::Create(options);
    EXPECT_TRUE(engine.ok()) << engine.error().message;
    if (engine) engine_ = *std::move(engine);
    if (engine_) engine_->StartIndexing();
  }

  std::string Answer(const SearchRequest& request) override {
    auto response = engine_->Search(request);
    std::ostringstream out;
    if (response) {
      tool::ToDocument(std::move(*response)).Write(out);
    } else {
      tool::ToDocument(response.error()).Write(out);
    }
    return out.str();
  }

  bool Settle() override {
    return Becomes([&] {
      const auto statuses = engine_->index_status();
      return !statuses.empty() && statuses.front().state == IndexState::kComplete &&
             statuses.front().pending_files == 0;
    });
  }

  void Kill(Random& random) override { KillABuild(setting_, folders_, random); }

 private:
  const Setting setting_;
  const Folders folders_;
  std::unique_ptr<Engine> engine_;
};

class Session final : public System {
 public:
  Session(const Setting& setting, const Folders& folders, const std::string& index, const std::string& server)
      : setting_(setting), folders_(folders), index_(index), server_(server) {
    Begin();
  }
  ~Session() override {
    session_.reset();
    // A server with another configuration would go on beside the next one.
    if (server_ == "on") RunProgram(Program(setting_, folders_, {"serve", "--stop"}));
  }

  std::string Answer(const SearchRequest& request) override {
    const auto line = session_->Search(RequestJson(request));
    if (!line) return "";
    nlohmann::json answer = nlohmann::json::parse(*line, nullptr, false);
    if (!answer.contains("result")) return *line;
    nlohmann::json& result = answer["result"];
    if (!result.contains("structuredContent")) return result.dump();
    nlohmann::json& document = result["structuredContent"];
    if (document.contains("stats")) state_ = document["stats"].value("index_safety_state", "");
    document.erase("stats");
    document.erase("content");  // says some notes only once in a session
    return document.dump();
  }

  bool Settle() override {
    SearchRequest request;
    request.pattern = "nowhere_to_be_found";
    return Becomes([&] { return Answer(request).empty() || state_ == "COMPLETE"; });
  }

  void Kill(Random& random) override {
    if (server_ == "on" && random.OneIn(2)) {
      const JsonView status(RunProgram(Program(setting_, folders_, {"serve", "--status", "--json"})).out);
      if (const int server = std::atoi(status.At("/process").c_str()); server > 0) kill(server, SIGKILL);
      return;
    }
    if (random.OneIn(2)) return KillABuild(setting_, folders_, random);
    session_->program().Kill();
    Begin();
  }

 private:
  void Begin() {
    session_.reset();
    session_ = std::make_unique<McpSession>(
        Program(setting_, folders_,
                {"mcp", "--index", index_, "--server", server_, "--set", "mcp.structured=true", "--set",
                 "tools.sandbox.denied_patterns=[\"*" + setting_.denied + "\"]"}));
    EXPECT_TRUE(session_->began());
  }

  const Setting setting_;
  const Folders folders_;
  const std::string index_;
  const std::string server_;
  std::unique_ptr<McpSession> session_;
  std::string state_;
};

}  // namespace

Setting RandomSetting(Random& random) {
  Setting setting;
  setting.way = static_cast<WayIn>(random.Below(3));
  setting.backend = random.OneIn(3) ? (random.OneIn(2) ? "rg" : "ugrep") : "native";
  setting.storage = random.OneIn(2) ? "memory" : "sqlite";
  setting.structure = random.OneIn(2) ? "postings" : "bloom";
  setting.hidden = random.OneIn(3);
  setting.no_ignore = random.OneIn(3);
  setting.denied = random.OneIn(3) ? ".c" : random.OneIn(3) ? "f1" : ".none";
  setting.max_file_size = random.OneIn(3) ? 300 : 2'000'000;
  setting.text_cache_bytes = random.OneIn(2) ? 0 : 200'000;
  return setting;
}

std::string Describe(const Setting& s) {
  static const char* const kWays[] = {"in process", "mcp", "shared server"};
  return std::string(kWays[static_cast<int>(s.way)]) + ", " + s.backend + ", " + s.storage + ", " + s.structure +
         (s.hidden ? ", hidden" : "") + (s.no_ignore ? ", no_ignore" : "") + ", denied *" + s.denied +
         ", files up to " + std::to_string(s.max_file_size) + ", texts " + std::to_string(s.text_cache_bytes);
}

std::unique_ptr<System> MakeSystem(const Setting& setting, const Folders& folders) {
  switch (setting.way) {
    case WayIn::kInProcess: return std::make_unique<InProcess>(setting, folders, IndexMode::kOn);
    case WayIn::kMcp: return std::make_unique<Session>(setting, folders, "on", "off");
    case WayIn::kSharedServer: return std::make_unique<Session>(setting, folders, "on", "on");
  }
  return nullptr;
}

std::unique_ptr<System> MakeReference(const Setting& setting, const Folders& folders) {
  if (setting.way == WayIn::kInProcess) return std::make_unique<InProcess>(setting, folders, IndexMode::kOff);
  return std::make_unique<Session>(setting, folders, "off", "off");
}

}  // namespace forge::testing
