// forge-search ask

#include <ostream>

#include "base/strings.h"
#include "base/utf8.h"
#include "cli/commands.h"

namespace forge::cli {
namespace {

void Note(Host& host, std::string_view text) { host.err << "forge-search: " << Sanitize(LossyUtf8(text)) << '\n'; }

// The body alone on standard output: it is what would be sent, to the byte.
void PrintPreview(const KeywordPreview& preview, Host& host) {
  Note(host, "nothing is sent; this is what would be:");
  host.err << "POST " << Sanitize(preview.url) << '\n';
  for (const std::string& header : preview.headers) host.err << Sanitize(header) << '\n';
  host.err << std::flush;
  host.out << preview.body << '\n' << std::flush;
}

void PrintFiles(const KeywordSearchResponse& response, Host& host) {
  for (const RelevantFile& file : response.files) {
    host.out << Sanitize(file.path) << (file.reason.empty() ? "" : ": ") << file.reason << '\n';
  }
  host.out.flush();  // before the notes, where both go to one terminal
  if (response.files.empty()) Note(host, "no relevant files found");
}

}  // namespace

int RunAsk(const CommandLine& line, Host& host) {
  const auto loaded = LoadConfigAndWarn(line, host);
  if (!loaded) return Fail(host, loaded.error());
  if (const std::string by = KeywordDisabledBy(*loaded); !by.empty()) {
    return Fail(host, "keyword search is switched off by " + by);
  }
  const auto engine = CreateEngine(line, *loaded, host);
  if (!engine) return Fail(host, engine.error());
  const auto response = (*engine)->KeywordSearch(line.question, host.stop.token());
  if (host.stop.token().cancelled()) return kExitInterrupted;
  if (!response) return Fail(host, response.error());
  if (response->preview) {
    PrintPreview(*response->preview, host);
  } else {
    PrintFiles(*response, host);
  }
  for (const FileError& error : response->errors) Note(host, error.path + ": " + error.error);
  for (const std::string& note : response->notes) Note(host, note);
  return response->preview || !response->files.empty() ? kExitFound : kExitNotFound;
}

}  // namespace forge::cli
