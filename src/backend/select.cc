#include "backend/select.h"

#include <utility>

#include "backend/external.h"
#include "backend/native.h"
#include "backend/searcher.h"
#include "base/strings.h"
#include "base/utf8.h"
#include "match/hyperscan.h"
#include "os/process.h"

namespace forge {
namespace {

constexpr std::int64_t kProbeTimeoutMs = 5000;
constexpr std::size_t kProbeOutput = 16 * 1024;

struct Probed {
  BackendReport report;
  std::shared_ptr<const Backend> backend;
};

// The output of `program --version`, or why there is none.
Result<std::string> AskVersion(const std::string& program) {
  std::string output;
  const auto outcome = os::Run({program, {"--version"}, ChildEnvironment()}, Deadline::After(kProbeTimeoutMs),
                               [&](std::string_view piece) {
                                 output.append(piece);
                                 return output.size() < kProbeOutput;
                               });
  if (!outcome.ok()) return ExecutionFailed(WhyNoRun(outcome.error()));
  if (outcome->end == os::RunOutcome::End::kDeadline) {
    return ExecutionFailed("did not answer --version within " + std::to_string(kProbeTimeoutMs / 1000) + " seconds");
  }
  return output;
}

Probed ProbeExternal(BackendReport report) {
  const auto output = AskVersion(report.path);
  if (!output) {
    report.problem = output.error().message;
    return {report, nullptr};
  }
  for (const SearcherKind* kind : {&Ugrep(), &Ripgrep()}) {
    auto searcher = kind->Identify(*output);
    if (!searcher) continue;
    report.id = searcher->name + "@" + ToString(searcher->version);
    report.capabilities = searcher->capabilities;
    report.problem = searcher->problem;
    report.usable = report.problem.empty();
    if (!report.usable) return {report, nullptr};
    return {report, std::make_shared<ExternalBackend>(*kind, std::move(*searcher), report.path)};
  }
  const std::string first_line(std::string_view(*output).substr(0, std::min<std::size_t>(output->find('\n'), 80)));
  report.problem = "is neither ugrep nor ripgrep: --version says \"" + Sanitize(LossyUtf8(first_line)) + "\"";
  return {report, nullptr};
}

// `details`: also finds out what takes time and does not matter for a search.
Probed Probe(const std::string& name, const std::string& search_path, bool details) {
  BackendReport report;
  report.configured = name;
  if (name == "native") {
    report.id = NativeBackend().id();
    report.capabilities = {"literal", "regex", "fuzzy"};
    if (details) {
      const auto version = Hyperscan::Version();
      report.capabilities.push_back(version ? "with hyperscan " + *version : "without hyperscan");
    }
    report.usable = true;
    return {report, std::make_shared<NativeBackend>()};
  }
  const auto path = os::FindProgram(name, search_path);
  if (!path) {
    report.problem = name.find('/') == std::string::npos ? "not found on PATH" : "no executable file at that path";
    return {report, nullptr};
  }
  report.path = *path;
  return ProbeExternal(std::move(report));
}

}  // namespace

Selection SelectBackend(const SearchConfig& config, const std::string& search_path, bool all) {
  Selection selection;
  for (const std::string& name : {config.binary, config.fallback_binary}) {
    if (name.empty() || (selection.backend && !all)) continue;
    Probed probed = Probe(name, search_path, all);
    if (!selection.backend) selection.backend = std::move(probed.backend);
    selection.reports.push_back(std::move(probed.report));
  }
  return selection;
}

std::vector<std::string> FallbackDiagnostics(const Selection& selection) {
  std::vector<std::string> out;
  if (!selection.backend) return out;
  for (const BackendReport& report : selection.reports) {
    if (report.usable) break;
    out.push_back("the backend " + ShownName(report.configured) + " cannot be used: " + report.problem + "; " +
                  selection.backend->id() + " is used instead");
  }
  return out;
}

std::string NoBackendMessage(const std::vector<BackendReport>& reports) {
  std::string message = "no usable search backend";
  std::string_view before = ": ";
  for (const BackendReport& report : reports) {
    message += std::exchange(before, "; ");
    message += report.configured;
    if (!report.path.empty() && report.path != report.configured) message += " (" + report.path + ")";
    message += ": " + report.problem;
  }
  message +=
      ". Install ugrep or ripgrep, or set tools.search.binary = \"native\" (--backend native, or in C++ "
      "options.config.search.binary = \"native\"), which needs nothing";
  return message;
}

}  // namespace forge
