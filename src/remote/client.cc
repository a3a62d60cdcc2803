#include "remote/client.h"

#include <optional>
#include <utility>

#include "base/path.h"
#include "os/named_file.h"
#include "os/process.h"
#include "remote/contact.h"

namespace forge::remote {
namespace {

struct Use {
  bool start = false;
  bool join_only = false;
};

// Nothing: the engine is for this process.
std::optional<Use> UseOf(const EngineOptions& options) {
  using Indexing = EngineOptions::Indexing;
  const ServerMode mode = options.config.server.mode;
  if (mode == ServerMode::kOff || options.indexing == Indexing::kForeground) return std::nullopt;
  if (mode == ServerMode::kOn) return Use{true, false};
  if (options.config.search.index.mode == IndexMode::kOff) return std::nullopt;
  const bool agent = options.indexing == Indexing::kBackground;
  return Use{agent, !agent};
}

std::optional<std::string> Canonical(const std::string& path) {
  auto canonical = os::CanonicalPath(path);
  if (!canonical.ok()) return std::nullopt;
  return *std::move(canonical);
}

// Our working folder decides what "./tools/ugrep" is.
bool IsRelative(const std::string& program) {
  return program.find('/') != std::string::npos && !IsAbsolutePath(program);
}

// "": there is no such program. `native` is none.
std::string SearcherFile(const std::string& name, const std::string& search_path) {
  const auto path = name.empty() || name == "native" ? std::nullopt : os::FindProgram(name, search_path);
  if (!path) return "";
  const auto info = os::StatPath(*path);
  return info.ok() ? *path + " " + BuildOf(*info) : "";
}

// Everything that this process's environment and working folder decide, resolved.
// Nothing if that fails: the engine here then says what is wrong.
std::optional<Open> Resolve(const EngineOptions& options, const Environment& environment, bool join_only) {
  Open open;
  std::vector<std::string> named = options.roots.empty() ? options.config.sandbox.allowed_roots : options.roots;
  if (named.empty()) named = {"."};
  for (const std::string& root : named) {
    auto canonical = Canonical(root);
    if (!canonical) return std::nullopt;
    open.roots.push_back(*std::move(canonical));
  }
  auto working_dir = options.working_dir.empty() ? open.roots.front() : Canonical(options.working_dir);
  if (!working_dir) return std::nullopt;
  open.working_dir = *std::move(working_dir);
  if (IsRelative(options.config.search.binary) || IsRelative(options.config.search.fallback_binary)) {
    return std::nullopt;
  }
  open.config = EncodeConfig(options.config);
  open.environment = VariablesFor(options.config, environment);
  for (const std::string& name : {options.config.search.binary, options.config.search.fallback_binary}) {
    open.searchers.push_back(SearcherFile(name, environment.Get("PATH")));
  }
  open.join_only = join_only;
  return open;
}

std::optional<Opened> OpenTree(Channel& channel, const Open& open, const CancelToken& cancel) {
  const Deadline deadline = Deadline::After(kOpenTime, cancel);
  const std::string bytes = wire::Encode(open);
  if (bytes.size() > kMostRequest || !channel.SendBytes(Type::kOpen, bytes, deadline)) return std::nullopt;
  auto opened = channel.Expect<Opened>(Type::kOpened, deadline);
  if (opened && (opened->roots != open.roots || opened->working_dir != open.working_dir)) opened.reset();
  return opened;
}

}  // namespace

Result<std::unique_ptr<Engine>> CreateEngine(EngineOptions options, const ClientSetup& setup) {
  const auto use = UseOf(options);
  auto open = use ? Resolve(options, setup.environment, use->join_only) : std::nullopt;
  if (!open) return setup.local(std::move(options));
  const Starter starter{setup.program, setup.environment, options.config.server.idle_timeout};
  const auto meet = [place = setup.place, starter, start = use->start](const CancelToken& cancel) {
    return start ? MeetOrStart(place, starter, cancel).channel : Meet(place, cancel).channel;
  };
  auto first = meet({});
  auto opened = first ? OpenTree(*first, *open, {}) : std::nullopt;
  if (!opened) return setup.local(std::move(options));
  const auto connect = [meet, open = *open](const CancelToken& cancel) {
    auto channel = meet(cancel);
    if (channel && !OpenTree(*channel, open, cancel)) channel.reset();
    return channel;
  };
  return std::unique_ptr<Engine>(std::make_unique<RemoteEngine>(std::move(options), *std::move(opened), setup.local,
                                                                connect, std::move(first), *setup.clocks));
}

}  // namespace forge::remote
