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
#include "cli/search_flags.h"
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

void PrintNotes(const SearchResponse& response, Host& host) {
  for (const FileError& error : response.errors) Note(host, error.path + ": " + error.error);
  if (response.stderr_text) Note(host, *response.stderr_text);
  for (const std::string& note : response.notes) Note(host, note);
}

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

// Hints, on a terminal only: there a person is waiting.
void PrintHints(Engine& engine, const SearchRequest& request, Clock::duration elapsed, Host& host) {
  if (!host.out_is_terminal) return;
  constexpr auto kWords = tool::HintWords::kOptions;
  const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(elapsed);
  for (const std::string& hint : tool::HintsForNothing(engine, request, ms, host.stop.token(), kWords)) {
    host.err << "  hint: " << hint << '\n';
  }
}

// Prints events as they come, and ends the search when the reader has closed
// the pipe.
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
  SearchFlags flags;

  void Define(Options& options) override { flags.Define(options); }
  std::optional<UsageError> Resolve() override { return flags.Resolve(); }

  int Run(const GlobalOptions& global, Host& host) override {
    const auto loaded = LoadConfigAndWarn(global, host);
    if (!loaded) return Fail(host, loaded.error());
    if (const std::string by = SearchDisabledBy(*loaded); !by.empty()) {
      return Fail(host, "searching is switched off by " + by);
    }
    const auto engine = CreateEngine(global, *loaded, host);
    if (!engine) return Fail(host, engine.error());
    Warn(**engine, host);

    Output output(StyleFor(host), global.json, host);
    const auto start = Clock::now();
    const auto response = (*engine)->Search(
        flags.request,
        {.cancel = host.stop.token(), .on_event = [&](const Event& e) { output.OnEvent(e); }, .keep_events = false});
    if (output.closed()) return kExitFound;
    if (host.stop.token().cancelled()) return kExitInterrupted;
    if (!response) return FailSearch(host, response.error(), flags.request.pattern);
    output.Finish(*response);
    host.out.flush();  // before the notes, where both go to one terminal
    PrintNotes(*response, host);
    if (IsFailure(response->end)) return kExitError;  // a part of the answer is missing
    if (output.found()) return kExitFound;
    if (!response->timed_out) PrintHints(**engine, flags.request, Clock::now() - start, host);
    return kExitNotFound;
  }

  UsageError UnknownOption(const std::string& option, UsageError usual) const override {
    if (auto advice = AdviceForForeignOption(option)) return *std::move(advice);
    usual.hint += "; if it is the pattern, write -e " + option;
    return usual;
  }

  UsageError UnexpectedArgument(const std::string& word, UsageError /*usual*/) const override {
    return {"search takes one PATH, and \"" + word + "\" is one more",
            "search a folder that holds them all, and narrow it with -g 'GLOB'"};
  }

 private:
  Style StyleFor(const Host& host) const {
    return {.terminal = host.out_is_terminal,
            .color = UseColor(flags.color, host.out_is_terminal, host.environment),
            .context = flags.request.context > 0};
  }
};

}  // namespace

CommandEntry SearchEntry() { return {"search", "Find text in files", kFooter, Make<SearchCommand>}; }

}  // namespace forge::cli
