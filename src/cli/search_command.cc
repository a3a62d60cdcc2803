// forge-search search

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <ostream>

#include "base/deadline.h"
#include "base/strings.h"
#include "base/utf8.h"
#include "cli/common.h"
#include "cli/printer.h"
#include "tool/hints.h"
#include "tool/lines.h"

namespace forge::cli {
namespace {

constexpr const char* kFooter = R"(Examples:
  forge-search search 'fn \w+_index' src        a regular expression
  forge-search search -F 'a[i]++'               plain text
  forge-search search -C 2 -g '!*_test.cc' Open two lines around, tests left out
  forge-search search -e '-foo'                 a pattern that starts with '-'
  forge-search search --json TODO | jq .        for a program

--root, --cwd, --config, --set and --backend work here too: forge-search --help.
Exit status: 0 something was found, 1 nothing was found, 2 an error.)";

// What users of grep and ripgrep may try.
struct ForeignOption {
  const char* option;
  const char* advice;
};
constexpr ForeignOption kForeign[] = {
    {"-A", "-C N shows lines before and after"},
    {"-B", "-C N shows lines before and after"},
    {"-n", "line numbers are always printed; leave it out"},
    {"-H", "file names are always printed; leave it out"},
    {"-r", "folders are always searched with their subfolders; leave it out"},
    {"-R", "folders are always searched with their subfolders; leave it out"},
    {"-E", "patterns are regular expressions already; leave it out"},
    {"-P", "patterns are in PCRE2's syntax already; leave it out"},
    {"-l", "there is no list of files; in a shell: ... | cut -d: -f1 | uniq"},
    {"-c", "there is no count; in a shell: ... | cut -d: -f1 | uniq -c"},
    {"-v", "lines that do not match cannot be asked for"},
    {"-t", "write a glob: -g '*.py'"},
    {"-T", "write a glob: -g '!*.py'"},
    {"-o", "--json gives the matched text"},
    {"-u", "--no-ignore and --hidden search more"},
    {"-U", "a match never spans lines"},
    {"-q", "send the output to /dev/null; the exit status tells"},
};

void PrintNotes(const SearchResponse& response, Host& host) {
  for (const FileError& error : response.errors) Note(host, error.path + ": " + error.error);
  if (response.stderr_text) Note(host, *response.stderr_text);
  for (const std::string& note : response.notes) Note(host, note);
}

// The pattern, and a caret under the place at `offset`, in bytes.
void PointAt(std::uint64_t offset, const std::string& pattern, Host& host) {
  std::string before = Sanitize(LossyUtf8(pattern.substr(0, std::min<std::size_t>(offset, pattern.size()))));
  std::erase_if(before, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; });  // one cell each
  std::string shown = Sanitize(LossyUtf8(pattern));
  std::replace(shown.begin(), shown.end(), '\n', ' ');
  host.err << "  " << shown << "\n  " << std::string(before.size(), ' ') << "^\n";
}

// What to write instead.
std::string HintFor(const Error& error) {
  if (error.code != ErrorCode::kOverCap || !error.value) return "";
  return "--set " + error.key + "=" + std::to_string(*error.value) + " raises the limit";
}

int FailSearch(Host& host, const Error& error, const std::string& pattern) {
  const int status = Fail(host, error.message, HintFor(error));
  if (error.code == ErrorCode::kBadPattern && error.offset) PointAt(*error.offset, pattern, host);
  return status;
}

// On a terminal, where a person waits for an idea.
void PrintHints(Engine& engine, const SearchRequest& request, Clock::duration elapsed, Host& host) {
  if (!host.out_is_terminal) return;
  constexpr auto kWords = tool::HintWords::kOptions;
  const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(elapsed);
  for (const std::string& hint : tool::HintsForNothing(engine, request, ms, host.stop.token(), kWords)) {
    host.err << "  hint: " << hint << '\n';
  }
}

// Prints events as they come, and ends the search when the reader is gone.
class Output {
 public:
  Output(Style style, bool json, Host& host) : host_(host), printer_(host.out, style), lines_(host.out), json_(json) {}

  void OnEvent(const Event& event) {
    if (closed_) return;
    found_ |= event.type == Event::Type::kMatch;
    json_ ? lines_.OnEvent(event) : printer_.OnEvent(event);
    if (host_.out_is_terminal) host_.out.flush();
    if (host_.out) return;
    closed_ = true;
    host_.stop.Cancel();
  }

  void Finish(const SearchResponse& response) {
    if (json_ && !closed_) lines_.Finish(response);
  }

  bool closed() const { return closed_; }
  bool found() const { return found_; }

 private:
  Host& host_;
  Printer printer_;
  tool::JsonLines lines_;
  bool json_;
  bool closed_ = false;
  bool found_ = false;
};

struct SearchCommand : Command {
  SearchRequest request;
  ColorChoice color = ColorChoice::kAuto;

  // As written; Resolve() puts their meaning into the request.
  std::optional<std::string> first;
  std::optional<std::string> second;
  std::vector<std::string> patterns;  // -e
  std::vector<std::string> globs;
  bool no_recursive = false;

  void Define(Options& options) override {
    DefinePattern(options);
    DefineScope(options);
    DefineOutput(options);
  }

  std::optional<UsageError> Resolve() override {
    request.recursive = !no_recursive;
    for (const std::string& glob : globs) {
      const bool excludes = glob.starts_with('!');
      (excludes ? request.exclude_glob : request.include_glob).push_back(glob.substr(excludes ? 1 : 0));
    }
    return ResolvePattern();
  }

  int Run(const GlobalOptions& global, Host& host) override {
    const auto loaded = LoadConfigAndWarn(global, host);
    if (!loaded) return Fail(host, loaded.error());
    if (const std::string by = SearchDisabledBy(*loaded); !by.empty()) {
      return Fail(host, "searching is switched off by " + by);
    }
    const auto engine = CreateEngine(global, *loaded, host);
    if (!engine) return Fail(host, engine.error());
    WarnOfIndex(**engine, host);

    Output output(StyleFor(host), global.json, host);
    const auto start = Clock::now();
    const auto response = (*engine)->Search(
        request, {.cancel = host.stop.token(), .on_event = [&](const Event& event) { output.OnEvent(event); }});
    if (output.closed()) return kExitFound;
    if (host.stop.token().cancelled()) return kExitInterrupted;
    if (!response) return FailSearch(host, response.error(), request.pattern);
    output.Finish(*response);
    host.out.flush();  // before the notes, where both go to one terminal
    PrintNotes(*response, host);
    if (output.found()) return kExitFound;
    if (!response->timed_out && !response->exit_code) PrintHints(**engine, request, Clock::now() - start, host);
    return response->exit_code ? kExitError : kExitNotFound;
  }

  UsageError UnknownOption(const std::string& option, UsageError usual) const override {
    if (!option.starts_with("--")) {
      for (const ForeignOption& foreign : kForeign) {
        if (option.starts_with(foreign.option)) return {"there is no option " + option.substr(0, 2), foreign.advice};
      }
    }
    usual.hint += "; if it is the pattern, write -e " + option;
    return usual;
  }

  UsageError UnexpectedArgument(const std::string& word, UsageError /*usual*/) const override {
    return {"search takes one PATH, and \"" + word + "\" is one more",
            "search a folder that holds them all, and narrow it with -g 'GLOB'"};
  }

 private:
  void DefinePattern(Options& o) {
    SearchRequest& r = request;
    o.Needed("PATTERN", first, "What to find: a regular expression (see -F)");
    o.Optional("PATH", second, "The file or folder to search (default: the working folder)");
    o.List("-e,--regexp", patterns, "PATTERN", "The pattern, if it starts with '-' or is '++'");
    o.Flag("-F,--fixed-strings", r.fixed_strings, "Take the pattern as plain text");
    o.Flag("-i,--ignore-case", r.case_mode, CaseMode::kInsensitive, "Ignore case");
    o.Flag("-s,--case-sensitive", r.case_mode, CaseMode::kSensitive, "Respect case");
    o.Flag("-S,--smart-case", r.case_mode, CaseMode::kSmart,
           "Ignore case unless the pattern has a capital letter (default)");
    o.Flag("-w,--word-regexp", r.word_regexp, "Match whole words only");
  }

  void DefineScope(Options& o) {
    SearchRequest& r = request;
    o.List("-g,--glob", globs, "GLOB", "Only files that match; with a leading '!', only files that do not; repeatable");
    o.Number("-C,--context", r.context, "Show N lines before and after each match", {.min = 0});
    o.Number("-m,--max-count", r.max_matches_per_file, "At most N matches from one file");
    o.Number("--max-results", r.max_results, "At most N lines in all, context included");
    o.Number("--max-files", r.max_files, "Look at no more than N files");
    o.Size("--max-file-size,--max-filesize", r.max_file_size_bytes, "Skip larger files; N may end in K, M or G");
    o.Number("--timeout-ms", r.timeout_ms, "Stop after N milliseconds, with what was found");
    o.Number("--fuzzy", r.fuzzy, "Accept up to N wrong, missing or extra characters, 1 to 4", {.max = 4});
    o.Flag("-.,--hidden", r.hidden, "Also search hidden files and folders");
    o.Flag("-L,--follow", r.follow, "Follow symbolic links");
    o.Flag("--no-ignore", r.no_ignore, "Also search what .gitignore and the like leave out");
    o.Flag("--no-recursive", no_recursive, "Only the files directly in the folder");
  }

  void DefineOutput(Options& o) {
    o.Json("Print JSON Lines, in ripgrep's shape");
    o.Choice<ColorChoice>(
        "--color", color,
        {{"auto", ColorChoice::kAuto}, {"always", ColorChoice::kAlways}, {"never", ColorChoice::kNever}}, "WHEN",
        "auto (default), always or never");
  }

  // With -e, the first positional argument is the path.
  std::optional<UsageError> ResolvePattern() {
    if (patterns.empty()) {
      if (!first) return UsageError{"search needs a PATTERN", ""};
      request.pattern = *first;
      request.path = second.value_or("");
      return std::nullopt;
    }
    if (patterns.size() > 1) {
      return UsageError{"-e is given " + std::to_string(patterns.size()) + " times", "write alternatives as -e 'a|b'"};
    }
    if (second) return UsageError{"unexpected argument \"" + *second + "\": -e already gave the pattern", ""};
    request.pattern = patterns.front();
    request.path = first.value_or("");
    return std::nullopt;
  }

  Style StyleFor(const Host& host) const {
    return {.terminal = host.out_is_terminal,
            .color = UseColor(color, host.out_is_terminal, host.environment),
            .context = request.context > 0};
  }
};

}  // namespace

CommandEntry SearchEntry() { return {"search", "Find text in files", kFooter, Make<SearchCommand>}; }

}  // namespace forge::cli
