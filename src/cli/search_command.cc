// forge-search search

#include <algorithm>
#include <functional>
#include <ostream>

#include "base/strings.h"
#include "base/utf8.h"
#include "cli/commands.h"
#include "cli/printer.h"
#include "tool/lines.h"

namespace forge::cli {
namespace {

void Note(Host& host, std::string_view text) { host.err << "forge-search: " << Sanitize(LossyUtf8(text)) << '\n'; }

void PrintNotes(const SearchResponse& response, Host& host) {
  for (const FileError& error : response.errors) Note(host, error.path + ": " + error.error);
  if (response.stderr_text) Note(host, *response.stderr_text);
  for (const std::string& note : response.notes) Note(host, note);
}

// Prints events as they come, and ends the search when nobody reads any more.
class Output {
 public:
  Output(const CommandLine& line, Host& host)
      : host_(host),
        printer_(host.out, {.terminal = host.out_is_terminal,
                            .color = UseColor(line.color, host.out_is_terminal, host.environment),
                            .context = line.request.context > 0}),
        lines_(host.out),
        json_(line.json) {}

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

}  // namespace

int RunSearch(const CommandLine& line, Host& host) {
  const auto loaded = LoadConfigAndWarn(line, host);
  if (!loaded) return Fail(host, loaded.error());
  if (const std::string by = SearchDisabledBy(*loaded); !by.empty()) {
    return Fail(host, "searching is switched off by " + by);
  }
  const auto engine = CreateEngine(line, *loaded, host);
  if (!engine) return Fail(host, engine.error());

  Output output(line, host);
  const auto response = (*engine)->Search(
      line.request, {.cancel = host.stop.token(), .on_event = [&](const Event& event) { output.OnEvent(event); }});
  if (output.closed()) return kExitFound;
  if (host.stop.token().cancelled()) return kExitInterrupted;
  if (!response) return Fail(host, response.error());
  output.Finish(*response);
  host.out.flush();  // before the notes, where both go to one terminal
  PrintNotes(*response, host);
  if (output.found()) return kExitFound;
  return response->exit_code ? kExitError : kExitNotFound;
}

}  // namespace forge::cli
