#include "remote/remote_engine.h"

#include <algorithm>
#include <utility>

#include "config/limits.h"

namespace forge::remote {
namespace {

using std::chrono::milliseconds;

// A wait this short is not taken off the time of a request.
constexpr milliseconds kNoWait{5};

milliseconds TimeOf(const SearchRequest& request, const Config& config) {
  return std::max(request.timeout.value_or(config.search.default_timeout), milliseconds(1));
}

// A request with little time must have some left when the server is lost.
milliseconds SilenceFor(milliseconds time) { return std::clamp(time / 4, 3 * kAliveEvery, kLongestSilence); }

// Progress never falls back, also when another engine begins anew.
class Rising {
 public:
  explicit Rising(const ProgressSink& sink) : sink_(sink) {}
  void Report(const Progress& progress) {
    if (!sink_ || progress.done < done_) return;
    done_ = progress.done;
    sink_(progress);
  }

 private:
  const ProgressSink& sink_;
  std::uint64_t done_ = 0;
};

}  // namespace

struct RemoteEngine::Call {
  Call(const SearchRequest& the_request, const SearchOptions& the_options, const Config& config)
      : request(the_request),
        options(the_options),
        time(TimeOf(the_request, config)),
        progress(the_options.on_progress) {}

  // The request with the time that is left.
  SearchRequest Now() const {
    SearchRequest out = request;
    const auto spent = std::chrono::duration_cast<milliseconds>(Clock::now() - start);
    const bool valid = !request.timeout || request.timeout->count() > 0;
    if (valid && spent > kNoWait) out.timeout = std::max(time - spent, milliseconds(1));
    return out;
  }

  // True if the caller may go on listening.
  bool Take(std::string_view events) {
    wire::Reader reader(events);
    while (reader.ok() && !reader.done()) {
      Event event;
      reader.Get(event);
      if (!reader.ok() || options.cancel.cancelled()) break;
      if (options.on_event) {
        delivered.Add(event);
        options.on_event(event);
      }
      if (options.keep_events) matches.push_back(std::move(event));
      if (AskEnough()) break;
    }
    return reader.ok();
  }

  bool Take(const std::optional<FileReport>& file) {
    if (!file || !options.on_file) return false;
    ++files;
    options.on_file(*file);
    AskEnough();
    return true;
  }

  bool AskEnough() {
    enough = enough || (options.enough && options.enough());
    return enough;
  }

  bool Take(const std::optional<ProgressReport>& report) {
    if (report) progress.Report({report->done, report->total, report->what});
    return report.has_value();
  }

  const SearchRequest& request;
  const SearchOptions& options;
  const milliseconds time;
  const Clock::time_point start = Clock::now();
  bool enough = false;         // for the caller: it wants no more
  EventChain delivered;        // to on_event
  std::uint64_t files = 0;     // to on_file
  std::vector<Event> matches;  // with keep_events
  Rising progress;
};

RemoteEngine::RemoteEngine(EngineOptions options, Opened opened, LocalFactory local, Connections::Connect connect,
                           std::unique_ptr<Channel> first, const os::Clocks& clocks)
    : options_(std::move(options)),
      opened_(std::move(opened)),
      local_(std::move(local)),
      connections_(std::move(connect), std::move(first), clocks) {}

Result<SearchResponse> RemoteEngine::Search(const SearchRequest& request, const SearchOptions& options) {
  Call call(request, options, options_.config);
  if (auto answer = SearchThere(call)) return *std::move(answer);
  return SearchHere(call);
}

std::optional<Result<SearchResponse>> RemoteEngine::SearchThere(Call& call) {
  if (call.options.cancel.cancelled()) return Cancelled();
  auto channel = connections_.Take(call.options.cancel);
  if (call.options.cancel.cancelled()) return Cancelled();
  if (channel == nullptr) return std::nullopt;
  const std::string bytes =
      wire::Encode(remote::Search{.request = call.Now(),
                                  .counted = call.options.counted,
                                  .keep_events = call.options.keep_events,
                                  .progress = static_cast<bool>(call.options.on_progress),
                                  .files = static_cast<bool>(call.options.on_file),
                                  .any_file = call.options.on_any_file,
                                  .show_as = call.options.show_as,
                                  .hints = call.options.hints,
                                  .limits = call.options.limits.value_or(config::LimitsOf(options_.config.search))});
  if (bytes.size() > kMostRequest) return std::nullopt;
  const Deadline silence = Deadline::After(SilenceFor(call.time), call.options.cancel);
  bool whole = false;
  std::optional<Result<SearchResponse>> answer;
  if (channel->SendBytes(Type::kSearch, bytes, silence)) answer = Listen(call, *channel, whole);
  if (call.options.cancel.cancelled()) return Cancelled();  // and hangs up, which ends the call there
  if (call.enough) return Stopped(call);                    // likewise
  if (whole) {
    connections_.GiveBack(std::move(channel));
  } else {
    connections_.NoteFailure();
  }
  return answer;
}

// The caller has what it wants, and the server is not asked for the rest.
SearchResponse RemoteEngine::Stopped(Call& call) {
  SearchResponse response;
  response.end = SearchEnd::kStopped;
  response.pattern = call.request.pattern;
  response.truncated = true;
  response.matches = std::move(call.matches);
  return response;
}

std::optional<Result<SearchResponse>> RemoteEngine::Listen(Call& call, Channel& channel, bool& whole) {
  // The server ends a call at its deadline; one that does not is hung.
  const Clock::time_point end = Deadline::After(call.time).at();
  const Clock::time_point last = end == Clock::time_point::max() ? end : end + kLongestSilence;
  while (!call.enough) {
    const Clock::time_point quiet = Deadline::After(SilenceFor(call.time)).at();
    Lost lost = Lost::kClosed;
    const auto frame = channel.Receive(Deadline(std::min(quiet, last), call.options.cancel), lost);
    if (!frame || call.options.cancel.cancelled()) return std::nullopt;
    switch (static_cast<Type>(frame->type)) {
      case Type::kAlive: break;
      case Type::kEvents:
        if (!call.Take(frame->payload)) return std::nullopt;
        break;
      case Type::kFile:
        if (!call.Take(wire::Decode<FileReport>(frame->payload))) return std::nullopt;
        break;
      case Type::kProgress:
        if (!call.Take(wire::Decode<ProgressReport>(frame->payload))) return std::nullopt;
        break;
      case Type::kAnswer: {
        auto response = wire::Decode<SearchResponse>(frame->payload);
        if (!response) return std::nullopt;
        whole = true;
        response->matches = std::move(call.matches);
        return *std::move(response);
      }
      case Type::kFailed: {
        auto error = wire::Decode<Error>(frame->payload);
        if (!error) return std::nullopt;
        whole = true;
        return *std::move(error);
      }
      default: return std::nullopt;
    }
  }
  return std::nullopt;
}

Result<SearchResponse> RemoteEngine::SearchHere(Call& call) {
  const auto engine = Here();
  if (!engine) return engine.error();
  SearchOptions options = call.options;
  Replay replay(call.delivered, call.options.on_event);
  if (options.on_event) options.on_event = [&replay](const Event& event) { replay.OnEvent(event); };
  std::uint64_t files = 0;
  if (options.on_file) {
    options.on_file = [&](const FileReport& file) {
      if (++files > call.files) call.options.on_file(file);
    };
  }
  if (options.on_progress) options.on_progress = [&call](const Progress& progress) { call.progress.Report(progress); };
  auto response = (*engine)->Search(call.Now(), options);
  if (response && options.on_event && !replay.same()) {
    response->notes.emplace_back(
        "The server was lost during the search, and the tree has changed since: the first lines are older than the "
        "rest.");
  }
  return response;
}

std::optional<std::vector<IndexStatus>> RemoteEngine::StatusThere() {
  auto channel = connections_.Take({});
  if (channel == nullptr) return std::nullopt;
  const Deadline deadline = Deadline::After(kOpenTime);
  std::optional<std::vector<IndexStatus>> statuses;
  if (channel->SendBytes(Type::kIndexStatus, "", deadline)) {
    statuses = channel->Expect<std::vector<IndexStatus>>(Type::kIndexStatuses, deadline);
  }
  if (statuses) {
    connections_.GiveBack(std::move(channel));
  } else {
    connections_.NoteFailure();
  }
  return statuses;
}

Result<std::unique_ptr<Engine>> RemoteEngine::Create(EngineOptions::Indexing indexing) const {
  EngineOptions options = options_;
  options.indexing = indexing;
  auto engine = local_(std::move(options));
  if (engine) (*engine)->StartIndexing();
  return engine;
}

Result<Engine*> RemoteEngine::Here() const {
  const bool alone = connections_.given_up();
  const Lock lock(mutex_);
  std::unique_ptr<Engine>& engine = alone ? own_ : stored_;
  if (engine == nullptr) {
    auto created = Create(alone ? options_.indexing : EngineOptions::Indexing::kStored);
    if (!created) return created.error();
    engine = *std::move(created);
  }
  return engine.get();
}

Result<KeywordSearchResponse> RemoteEngine::KeywordSearch(const KeywordSearchRequest& request,
                                                          const CancelToken& cancel) {
  const auto engine = Here();
  if (!engine) return engine.error();
  return (*engine)->KeywordSearch(request, cancel);
}

std::vector<BackendReport> RemoteEngine::backends() const {
  const auto engine = Here();
  return engine ? (*engine)->backends() : std::vector<BackendReport>();
}

std::vector<IndexStatus> RemoteEngine::index_status() {
  if (auto statuses = StatusThere()) return *std::move(statuses);
  const auto engine = Here();
  return engine ? (*engine)->index_status() : std::vector<IndexStatus>();
}

Status RemoteEngine::BuildIndexes(bool anew, const std::function<void(const IndexStatus&)>& progress,
                                  const CancelToken& cancel) {
  const auto engine = Here();
  return engine ? (*engine)->BuildIndexes(anew, progress, cancel) : engine.error();
}

Result<std::vector<IndexVerification>> RemoteEngine::VerifyIndexes(const CancelToken& cancel) {
  const auto engine = Here();
  if (!engine) return engine.error();
  return (*engine)->VerifyIndexes(cancel);
}

Status RemoteEngine::ClearIndexes() {
  const auto engine = Here();
  return engine ? (*engine)->ClearIndexes() : engine.error();
}

Result<std::vector<StoredIndexInfo>> RemoteEngine::stored_indexes() {
  const auto engine = Here();
  if (!engine) return engine.error();
  return (*engine)->stored_indexes();
}

Result<IndexExplanation> RemoteEngine::ExplainIndex(const SearchRequest& request) {
  const auto engine = Here();
  if (!engine) return engine.error();
  return (*engine)->ExplainIndex(request);
}

}  // namespace forge::remote
