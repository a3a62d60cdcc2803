// forge-search search

#include <algorithm>
#include <istream>
#include <iterator>
#include <ostream>
#include <string_view>
#include <utility>

#include "base/deadline.h"
#include "base/path.h"
#include "base/strings.h"
#include "base/utf8.h"
#include "cli/common.h"
#include "cli/glob_scope.h"
#include "cli/progress_line.h"
#include "cli/search_flags.h"
#include "cli/search_notes.h"
#include "cli/search_output.h"
#include "cli/search_paths.h"
#include "forge/search_input.h"
#include "os/conversation.h"
#include "os/named_file.h"
#include "os/terminal.h"
#include "tool/hints.h"

namespace forge::cli {
namespace {

constexpr const char* kFooter = R"(Examples:
  forge-search search TODO                      every TODO below the current folder
  forge-search search -w -t cpp main src        the word main in C++ files of src
  forge-search search -F -C 2 'a[i]++'          plain text, with two lines around
  forge-search search -l TODO | wc -l           how many files have one
  forge-search search -o -r '$1' 'id=(\w+)'     the first group of each match
  git log | forge-search search -i fix          standard input
  forge-search search --fuzzy 1 recive          one character wrong, missing or extra

Letters and meanings are those of ripgrep. Differences: case is smart by default
(-s respects it), files are always in order, patterns are in PCRE2's syntax.

Exit status: 0 something was found, 1 nothing was found, 2 an error (a file
that cannot be read is one), or a search that did not reach its end and found
nothing.)";

constexpr std::uint64_t kMaxPatternFile = 16 << 20;
constexpr const char* kInputName = "<stdin>";
constexpr int kStandardError = 2;
constexpr std::size_t kUsualColumns = 80;

// The pattern, and a caret under the place at `offset`, in bytes.
void PointAt(std::uint64_t offset, const std::string& pattern, Host& host) {
  constexpr std::size_t kMostShown = 1000;
  if (pattern.size() > kMostShown) return;  // the message has the number
  std::string before = Sanitize(LossyUtf8(pattern.substr(0, std::min<std::size_t>(offset, pattern.size()))));
  std::erase_if(before, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; });  // one cell each
  std::string shown = Sanitize(LossyUtf8(pattern));
  std::replace(shown.begin(), shown.end(), '\n', ' ');
  host.err << "  " << shown << "\n  " << std::string(before.size(), ' ') << "^\n";
}

void FailSearch(Host& host, const Error& error, const std::string& pattern) {
  Fail(host, InOptions(error.message));
  if (error.code == ErrorCode::kBadPattern && error.offset) PointAt(*error.offset, pattern, host);
}

Report ReportFor(OutputMode mode) {
  switch (mode) {
    case OutputMode::kLines: return Report::kLines;
    case OutputMode::kCount:
    case OutputMode::kCountMatches: return Report::kCounts;
    case OutputMode::kNames: return Report::kNames;
    case OutputMode::kFiles:
    case OutputMode::kFilesWithout:
    case OutputMode::kQuiet:
    case OutputMode::kTypes: break;
  }
  return Report::kFirst;
}

bool Decide(Choice choice, bool by_default) { return choice == Choice::kDefault ? by_default : choice == Choice::kYes; }

// An option that asks for more than the configuration allows is an order, not a
// mistake: the limits are there for agents.
void Raise(const std::optional<std::int64_t>& asked, std::int64_t& limit) {
  if (asked) limit = std::max(limit, *asked);
}

std::string ReadAll(std::istream& in) { return {std::istreambuf_iterator<char>(in), {}}; }

struct SearchCommand : Command {
  SearchFlags flags;

  void Define(Options& options) override { flags.Define(options); }
  std::optional<UsageError> Resolve() override { return flags.Resolve(); }

  int Run(const GlobalOptions& global, Host& host) override {
    if (flags.mode == OutputMode::kTypes) {
      host.out << flags.types().List();
      return 0;
    }
    if (const auto error = ReadPatterns(host)) return Fail(host, error->message, error->hint);
    if (flags.request.max_matches_per_file == 0 && flags.mode != OutputMode::kNames) return kExitNotFound;
    auto loaded = LoadConfigAndWarn(global, host, config::Profile::kPeople);
    if (!loaded) return Fail(host, loaded.error());
    if (const std::string by = SearchDisabledBy(*loaded); !by.empty()) {
      return Fail(host, "searching is switched off by " + by);
    }
    const SearchPlaces places =
        FindPlaces({flags.paths, host.in_has_text && flags.mode != OutputMode::kNames}, global, loaded->config.sandbox);
    AdaptConfig(places, global, loaded->config);
    const Style style = StyleFor(places, global, host);
    PrepareRequest(style, global);
    return Session(*this, places, *loaded, style, global.json, host).Run();
  }

  UsageError UnknownOption(const std::string& option, UsageError usual) const override {
    if (auto advice = AdviceForForeignOption(option)) return *std::move(advice);
    usual.hint += (usual.hint.ends_with('?') ? " Or," : "; or,") + (" if it is the pattern, write -e " + option);
    return usual;
  }

 private:
  // One run: every place in turn, one output.
  class Session {
   public:
    Session(const SearchCommand& command, const SearchPlaces& places, const config::Loaded& loaded, const Style& style,
            bool json, Host& host)
        : flags_(command.flags),
          places_(places),
          loaded_(loaded),
          config_(loaded.config),
          json_(json && flags_.mode == OutputMode::kLines),
          host_(host),
          output_(flags_, style, json_, host, StartProgress()) {}

    int Run() {
      for (const std::string& path : places_.missing) {
        if (!flags_.no_messages) Fail(host_, ShownName(path) + ": no such file or folder");
        failed_ = true;
      }
      for (const SearchPlace& place : places_.list) {
        if (output_.enough() || IsFull() || engine_failed_) break;
        const int status = place.is_input ? SearchStandardInput() : SearchFiles(place);
        if (output_.closed()) return kExitFound;
        if (status == kExitInterrupted) return status;
        failed_ |= status == kExitError;
      }
      if (failed_ && !searched_ && !json_) return kExitError;  // else a summary follows, as ripgrep prints it
      output_.Finish(files_, bytes_, Clock::now() - start_);
      progress_.reset();  // nothing else is printed through it
      if (SearchedNothing()) {
        notes_.emplace_back(
            "no file was searched: there is none, or globs, types or ignore rules leave all of them out");
      }
      for (const std::string& note : notes_) Note(host_, note);
      const bool found = output_.found() || found_binary_;
      if (found && (!failed_ || flags_.quiet)) return kExitFound;
      if (failed_ || (stopped_early_ && !found)) return kExitError;
      for (const std::string& hint : hints_) host_.err << "  hint: " << hint << '\n';
      return kExitNotFound;
    }

   private:
    // Only where nothing but us writes to the terminal: not beside a pager.
    ProgressLine* StartProgress() {
      if (!host_.out_is_terminal || !host_.err_is_terminal) return nullptr;
      progress_.emplace(host_.err, [] {
        const auto size = os::SizeOfTerminal(kStandardError);
        return size ? size->columns : kUsualColumns;
      });
      return &*progress_;
    }

    bool IsFull() const {
      return flags_.request.max_matches &&
             output_.matched_lines() >= static_cast<std::uint64_t>(*flags_.request.max_matches);
    }

    bool SearchedNothing() const {
      return searched_ && files_ == 0 && !output_.found() && notes_.empty() && !failed_ && !stopped_early_ &&
             flags_.mode != OutputMode::kNames;
    }

    // On a terminal only: there a person is waiting.
    bool MayHint() const {
      return host_.out_is_terminal && places_.list.size() == 1 && flags_.mode == OutputMode::kLines &&
             !flags_.request.invert;
    }

    // Nothing if no file there can satisfy the globs.
    std::optional<SearchRequest> RequestFor(const SearchPlace& place) const {
      SearchRequest request = flags_.request;
      request.path = place.path;
      if (place.is_file) {
        WithoutFilters(request);
        if (flags_.mode != OutputMode::kLines) request.text = true;
      } else if (!IsAbsolutePath(place.path) && !MoveGlobs(place.path, request)) {
        return std::nullopt;
      }
      if (request.max_matches) *request.max_matches -= static_cast<std::int64_t>(output_.matched_lines());
      return request;
    }

    // As in ripgrep, who names a file wants it searched.
    static void WithoutFilters(SearchRequest& request) {
      request.max_file_size_bytes.reset();
      for (auto* globs : {&request.include_glob, &request.exclude_glob, &request.include_iglob, &request.exclude_iglob,
                          &request.type_glob, &request.exclude_type_glob}) {
        globs->clear();
      }
    }

    SearchOptions OptionsFor(std::optional<std::string> show_as) {
      SearchOptions options{.cancel = host_.stop.token(),
                            .on_event = [this](const Event& event) { output_.OnEvent(event); },
                            .enough = [this] { return output_.enough(); }};
      options.on_file = [this](const FileReport& file) { output_.OnFile(file); };
      // --json ends a file for which it printed a line, also if that was no match.
      options.on_any_file = flags_.mode == OutputMode::kFilesWithout || flags_.mode == OutputMode::kNames ||
                            (json_ && flags_.request.passthru) ||
                            (flags_.include_zero && flags_.request.report == Report::kCounts);
      if (progress_) options.on_progress = [this](const Progress& progress) { progress_->Report(progress); };
      options.show_as = std::move(show_as);
      options.hints = MayHint();
      options.keep_events = false;
      return options;
    }

    int SearchFiles(const SearchPlace& place) {
      if (!engine_) {
        auto created =
            host_.create_engine({.config = config_, .roots = places_.roots, .working_dir = places_.working_dir});
        engine_failed_ = !created;
        if (!created) return Fail(host_, created.error());
        engine_ = *std::move(created);
        WarnPeople(*engine_, loaded_, host_);
      }
      const auto request = RequestFor(place);
      output_.SetNamedFile(place.is_file);
      searched_ |= !request;
      return request ? Take(engine_->Search(*request, OptionsFor(place.show_as))) : kExitFound;
    }

    int SearchStandardInput() {
      const Descriptors ends = host_.descriptors.value_or(Descriptors{});
      const os::Conversation conversation(ends.in, ends.out, host_.stop.token());
      const ReadInput read = [&](char* buffer, std::size_t size) -> std::size_t {
        if (host_.descriptors) return conversation.Read(buffer, size);
        host_.in.read(buffer, static_cast<std::streamsize>(size));
        return static_cast<std::size_t>(host_.in.gcount());
      };
      return Take(SearchInput(*RequestFor({}), config_.search, read, OptionsFor(kInputName)));
    }

    int Take(Result<SearchResponse> response) {
      if (output_.closed()) return kExitFound;
      if (host_.stop.token().cancelled()) return kExitInterrupted;
      if (!response) {
        const auto fail = [&] { FailSearch(host_, response.error(), flags_.request.pattern); };
        progress_ ? progress_->Around(fail) : fail();
        return kExitError;
      }
      std::erase_if(response->errors, [this](const FileError& error) { return output_.IsOwnOutput(error.path); });
      searched_ = true;
      files_ += response->files_scanned;
      bytes_ += response->bytes_searched;
      stopped_early_ |= StoppedEarly(*response);
      found_binary_ |= response->left_out.binary > 0 && flags_.mode != OutputMode::kFilesWithout;
      hints_ = tool::HintLines(response->hints, tool::HintWords::kOptions);
      for (std::string& note : NotesFor(*response, flags_, config_.search)) notes_.push_back(std::move(note));
      // A part of the answer is missing.
      return IsFailure(response->end) || !response->errors.empty() ? kExitError : kExitFound;
    }

    const SearchFlags& flags_;
    const SearchPlaces& places_;
    const config::Loaded& loaded_;
    const Config& config_;
    const bool json_;
    Host& host_;
    std::optional<ProgressLine> progress_;
    SearchOutput output_;
    std::unique_ptr<Engine> engine_;
    bool engine_failed_ = false;
    const Clock::time_point start_ = Clock::now();
    std::vector<std::string> notes_;
    std::vector<std::string> hints_;
    std::uint64_t files_ = 0;
    std::uint64_t bytes_ = 0;
    bool searched_ = false;
    bool found_binary_ = false;  // a file that is not shown
    bool failed_ = false;
    bool stopped_early_ = false;
  };

  std::optional<UsageError> ReadPatterns(Host& host) {
    return flags.ReadPatternFiles([&](const std::string& file) -> Result<std::string> {
      if (file == "-") return ReadAll(host.in);
      auto text = os::ReadSmallFile(file, kMaxPatternFile);
      if (!text.ok()) return ExecutionFailed("cannot be read: " + text.error().message());
      return std::move(*text);
    });
  }

  void AdaptConfig(const SearchPlaces& places, const GlobalOptions& global, Config& config) const {
    const SearchRequest& r = flags.request;
    Raise(r.max_matches_per_file, config.search.max_matches_per_file);
    Raise(r.max_files, config.search.max_files);
    Raise(r.max_file_size_bytes, config.search.max_file_size_bytes);
    // A path outside the working folder is searched as a root of its own.
    if (places.roots.size() > global.roots.size()) config.sandbox.allow_absolute = true;
  }

  Style StyleFor(const SearchPlaces& places, const GlobalOptions& global, const Host& host) const {
    const bool only_input = places.list.size() == 1 && places.list.front().is_input;
    Style style;
    style.terminal = host.out_is_terminal;
    style.color = !global.json && UseColor(flags.color, host.out_is_terminal, host.environment);
    style.colors = flags.colors;
    style.with_filename = Decide(flags.with_filename, flags.vimgrep || !places.one_file);
    style.heading = !flags.vimgrep && Decide(flags.heading, host.out_is_terminal);
    style.column = Decide(flags.column, flags.vimgrep);
    style.line_numbers =
        Decide(flags.line_numbers, (host.out_is_terminal && !only_input) || style.column || flags.vimgrep);
    style.byte_offset = flags.byte_offset;
    if (flags.has_context() && !flags.request.passthru) style.separator = flags.context_separator;
    style.match_separator = flags.match_separator;
    style.context_separator = flags.field_separator;
    style.only_matching = flags.only_matching;
    style.per_match = flags.vimgrep;
    style.replace = flags.request.replacement.has_value();
    style.trim = flags.trim;
    style.null = flags.null;
    if (flags.max_columns) style.max_columns = static_cast<std::uint64_t>(*flags.max_columns);
    style.preview = flags.preview;
    style.knows_all = style.needs_every_match() || style.column || flags.stats;
    if (style.color) style.hyperlink = flags.hyperlink;
    return style;
  }

  void PrepareRequest(const Style& style, const GlobalOptions& global) {
    if (flags.mode == OutputMode::kCount && flags.only_matching) flags.mode = OutputMode::kCountMatches;
    const bool counts = flags.mode == OutputMode::kQuiet && flags.stats;
    flags.request.report = counts ? Report::kCounts : ReportFor(flags.mode);
    flags.request.every_match = style.knows_all || global.json || flags.mode == OutputMode::kCountMatches;
  }
};

}  // namespace

CommandEntry SearchEntry() { return {"search", "Find text in files", kFooter, Make<SearchCommand>}; }

}  // namespace forge::cli
