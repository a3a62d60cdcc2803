// forge-search ask

#include <algorithm>
#include <ostream>
#include <string_view>

#include "base/strings.h"
#include "cli/common.h"

namespace forge::cli {
namespace {

constexpr const char* kFooter = R"(Searches the git work tree around the working folder for the terms and lets a
language model pick the files that matter. Sends excerpts of files to it;
--dry-run shows what would be sent. See docs/keyword-search.md.

Examples:
  forge-search ask 'Where are sessions closed?' --terms 'session.*close,logout'
  forge-search ask 'How is the cache filled?' --terms cache_fill,prefetch --dry-run

In a regular expression, write \x2c for a comma.
Exit status: 0 files were found, 1 none, 2 an error.)";

// Only the body on standard output: exactly the bytes that would be sent.
void PrintPreview(const KeywordPreview& preview, Host& host) {
  Note(host, "nothing was sent; this would be sent:");
  host.err << "POST " << Sanitize(preview.url) << '\n';
  for (const std::string& header : preview.headers) host.err << Sanitize(header) << '\n';
  host.err << std::flush;
  host.out << preview.body << '\n' << std::flush;
}

// On one line, whatever the name of the file is.
std::string LineOf(const RelevantFile& file) {
  return ShownName(file.path) + (file.reason.empty() ? "" : ": ") + file.reason;
}

// Standard output is for programs, too: it has only files with a hit.
void PrintFiles(const KeywordSearchResponse& response, Host& host) {
  for (const RelevantFile& file : response.files) host.out << LineOf(file) << '\n';
  host.out.flush();  // before the notes, where both go to one terminal
  if (response.files.empty() && response.model_text.empty()) Note(host, "no relevant files found");
  for (const RelevantFile& file : response.files_without_hits) Note(host, "named without a hit: " + LineOf(file));
  if (response.model_text.empty()) return;
  Note(host, response.files.empty() ? "the model wrote, unchecked:" : "the model also wrote, unchecked:");
  for (const std::string_view line : Split(response.model_text, '\n')) host.err << "> " << line << '\n';
  host.err << std::flush;
}

struct AskCommand : Command {
  KeywordSearchRequest question;

  void Define(Options& options) override {
    options.Required("QUESTION", question.query, "What you want to find or learn, in detail");
    options.List(
        "-t,--terms", question.search_terms, "TERMS",
        "What to search for, most important first: words or regular expressions; separated by commas; repeatable",
        {.required = true, .commas = true});
    options.Text("--model", question.model, "NAME", "The model to ask, by its name in the configuration");
    options.Flag("--dry-run", question.dry_run, "Print what would be sent, and send nothing");
  }

  int Run(const GlobalOptions& global, Host& host) override {
    const auto loaded = LoadConfigAndWarn(global, host, config::Profile::kRecommended);
    if (!loaded) return Fail(host, loaded.error());
    if (const std::string by = KeywordDisabledBy(*loaded); !by.empty()) {
      return Fail(host, "keyword search is switched off by " + by);
    }
    const auto engine = CreateEngine(global, *loaded, host);
    if (!engine) return Fail(host, engine.error());
    const auto response = (*engine)->KeywordSearch(question, host.stop.token());
    if (host.stop.token().cancelled()) return kExitInterrupted;
    if (!response) return Fail(host, response.error());
    if (response->preview) {
      PrintPreview(*response->preview, host);
    } else {
      PrintFiles(*response, host);
    }
    for (const FileError& error : response->errors) Note(host, error.path + ": " + error.error);
    for (const std::string& note : response->notes) Note(host, note);
    return question.dry_run || !response->files.empty() ? kExitFound : kExitNotFound;
  }
};

}  // namespace

CommandEntry AskEntry() { return {"ask", "Find the files that matter for a question", kFooter, Make<AskCommand>}; }

}  // namespace forge::cli
