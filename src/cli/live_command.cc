// forge-search live

#include <utility>

#include "cli/common.h"
#include "cli/search_flags.h"
#include "cli/search_notes.h"
#include "cli/search_paths.h"
#include "config/limits.h"
#include "live/screen.h"
#include "live/session.h"
#include "os/home.h"
#include "os/terminal.h"

namespace forge::cli {
namespace {

constexpr const char* kFooter = R"(Examples:
  forge-search live                             type, and see what matches
  forge-search live -t cpp Mutex src            start with this

Keys: Enter opens $VISUAL, else $EDITOR, else vi at the line; Tab takes globs; Alt
with C, W, F, Z changes case, words, plain text, fuzzy; F1 shows all keys; ^C quits.
In a large tree it builds an index in the background, as an agent's session does.)";

// Of one search at a time: the first few thousand lines are enough to look at.
struct LiveCommand : Command {
  SearchFlags flags;

  void Define(Options& options) override { flags.DefineLive(options); }
  std::optional<UsageError> Resolve() override { return flags.Resolve(); }

  int Run(const GlobalOptions& global, Host& host) override {
    const Descriptors ends = host.descriptors.value_or(Descriptors{});
    if (!os::IsTerminal(ends.in) || !os::IsTerminal(ends.out)) {
      return Fail(host, "live needs a terminal for its input and output", "forge-search search prints what it finds");
    }
    // The engine is an agent's, so that both share what is warm. The limits are for
    // people.
    auto loaded = LoadConfigAndWarn(global, host, config::Profile::kRecommended);
    if (!loaded) return Fail(host, loaded.error());
    const auto people = LoadConfig(global, host, config::Profile::kPeople);
    if (!people) return Fail(host, people.error());
    if (const std::string by = SearchDisabledBy(*loaded); !by.empty()) {
      return Fail(host, "searching is switched off by " + by);
    }
    const SearchPlaces places = FindPlaces({flags.paths, false}, global, loaded->config.sandbox);
    for (const std::string& path : places.missing) return Fail(host, path + ": no such file or folder");
    if (places.roots.size() > global.roots.size()) loaded->config.sandbox.allow_absolute = true;
    auto engine = StartEngine(places, *loaded, global, host);
    if (!engine) return Fail(host, engine.error());
    return Show(places, people->config, **engine, global, host);
  }

 private:
  static Result<std::unique_ptr<Engine>> StartEngine(const SearchPlaces& places, const config::Loaded& loaded,
                                                     const GlobalOptions& global, Host& host) {
    auto engine = host.create_engine({.config = loaded.config,
                                      .roots = places.roots,
                                      .working_dir = places.working_dir,
                                      .indexing = MayIndex(places, global, host) ? EngineOptions::Indexing::kBackground
                                                                                 : EngineOptions::Indexing::kStored});
    if (!engine) return engine;
    WarnPeople(**engine, loaded, host);
    (*engine)->StartIndexing();
    return engine;
  }

  // Only where a project may be: not the whole home folder, nor a second tree that
  // was named just for this search.
  static bool MayIndex(const SearchPlaces& places, const GlobalOptions& global, const Host& host) {
    return places.roots.size() <= global.roots.size() &&
           !os::HoldsHome(WorkingFolder(global), host.environment.Get("HOME"));
  }

  int Show(const SearchPlaces& places, const Config& config, Engine& engine, const GlobalOptions& global, Host& host) {
    auto screen = live::OpenScreen({.color = host.environment.Get("NO_COLOR").empty()});
    if (!screen) return Fail(host, screen.error());
    std::vector<live::Place> shown;
    shown.reserve(places.list.size());
    for (const SearchPlace& place : places.list) shown.push_back({place.path, place.show_as});
    live::Session{.engine = engine,
                  .screen = **screen,
                  .input = host.descriptors->in,
                  .request = flags.request,
                  .limits = config::LimitsOf(config.search),
                  .places = std::move(shown),
                  .folder = global.cwd,
                  .notes = [&](const SearchResponse& response) { return NotesFor(response, flags, config.search); },
                  .environment = host.environment,
                  .stop = host.stop.token()}
        .Run();
    return host.stop.token().cancelled() ? kExitInterrupted : 0;
  }
};

}  // namespace

CommandEntry LiveEntry() { return {"live", "Show what matches while you type", kFooter, Make<LiveCommand>}; }

}  // namespace forge::cli
