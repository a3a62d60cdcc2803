// forge-search index build|status|verify|clear|list|explain

#include <cstdio>
#include <ostream>

#include "base/strings.h"
#include "base/utf8.h"
#include "cli/commands.h"
#include "tool/index_json.h"

namespace forge::cli {
namespace {

std::string Shown(std::string_view text) { return Sanitize(LossyUtf8(text)); }

std::string Bytes(std::uint64_t bytes) {
  static constexpr const char* kUnits[] = {"B", "KB", "MB", "GB", "TB"};
  double value = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (value >= 1000 && unit + 1 < std::size(kUnits)) {
    value /= 1000;
    ++unit;
  }
  char text[32];
  std::snprintf(text, sizeof(text), unit == 0 ? "%.0f %s" : "%.1f %s", value, kUnits[unit]);
  return text;
}

// `index` commands are about the index, so they need one: with the mode off
// they work as if it were on.
Result<std::unique_ptr<Engine>> EngineFor(const CommandLine& line, Host& host, EngineOptions::Indexing indexing) {
  auto loaded = LoadConfigAndWarn(line, host);
  if (!loaded) return loaded.error();
  if (loaded->config.search.index.mode == IndexMode::kOff) loaded->config.search.index.mode = IndexMode::kOn;
  auto engine = host.create_engine(
      {.config = loaded->config, .roots = line.roots, .working_dir = line.cwd, .indexing = indexing});
  if (engine) WarnOfIndex(**engine, host);
  return engine;
}

// One line that is written over, on a terminal; nothing else.
class ProgressBar {
 public:
  ProgressBar(std::ostream& out, bool terminal) : out_(out), terminal_(terminal) {}

  void Show(const IndexStatus& status) {
    if (!terminal_) return;
    const double seconds = static_cast<double>(status.elapsed_ms) / 1000;
    const double rate = seconds > 0 ? static_cast<double>(status.bytes_done) / seconds : 0;
    std::string text = status.phase.empty() ? "done" : status.phase;
    if (status.phase == "TOKENIZE") {
      text += "  " + std::to_string(status.files_done) + " of " + std::to_string(status.files_total) + " files  " +
              Bytes(static_cast<std::uint64_t>(rate)) + "/s";
      const std::uint64_t left = status.bytes_total - std::min(status.bytes_done, status.bytes_total);
      if (rate > 0)
        text += "  " + std::to_string(static_cast<std::uint64_t>(static_cast<double>(left) / rate) + 1) + " s left";
    }
    out_ << "\r\033[K" << Bar(status) << ' ' << text << std::flush;
    drawn_ = true;
  }

  ~ProgressBar() {
    if (drawn_) out_ << "\r\033[K" << std::flush;
  }

 private:
  static std::string Bar(const IndexStatus& status) {
    constexpr std::uint64_t kWidth = 24;
    const std::uint64_t done =
        status.bytes_total == 0 ? 0 : kWidth * std::min(status.bytes_done, status.bytes_total) / status.bytes_total;
    return "[" + std::string(done, '#') + std::string(kWidth - done, '.') + "]";
  }

  std::ostream& out_;
  const bool terminal_;
  bool drawn_ = false;
};

void PrintStatus(const IndexStatus& s, std::ostream& out) {
  const auto row = [&](const char* name, const std::string& value) {
    if (!value.empty())
      out << "  " << std::string(name) + std::string(12 - std::string_view(name).size(), ' ') << value << '\n';
  };
  out << Shown(s.root) << '\n';
  row("state", s.state + (s.reason.empty() ? "" : " (" + s.reason + ")"));
  row("problem", Shown(s.problem));
  row("phase", s.phase);
  row("files", std::to_string(s.files) + ", " + std::to_string(s.indexed_files) + " of them indexed, " +
                   std::to_string(s.pending_files) + " to be indexed again");
  row("tokens", s.token_structure + ", " + std::to_string(s.documents) + " blocks in " + std::to_string(s.segments) +
                    " segments");
  row("storage", s.storage + (s.storage_fallback_reason.empty() ? "" : " (" + s.storage_fallback_reason + ")") + ", " +
                     Bytes(s.bytes_on_disk) + " on disk, " + Bytes(s.bytes_in_memory) + " in memory");
  row("folder", Shown(s.folder));
  row("watcher", s.watching ? "watching" : "none: each search looks at every file's state");
  row("epoch", std::to_string(s.coverage_epoch));
}

int Build(const CommandLine& line, Host& host) {
  auto engine = EngineFor(line, host, EngineOptions::Indexing::kForeground);
  if (!engine) return Fail(host, engine.error());
  Status built;
  {
    ProgressBar bar(host.err, host.err_is_terminal && !line.json);
    built = (*engine)->BuildIndexes(
        line.anew, [&](const IndexStatus& status) { bar.Show(status); }, host.stop.token());
  }
  if (!built) {
    if (built.error().kind == ErrorKind::kCancelled) return kExitInterrupted;
    return Fail(host, built.error());
  }
  const std::vector<IndexStatus> statuses = (*engine)->index_status();
  if (line.json) {
    tool::WritePretty(tool::ToDocument(statuses), host.out);
    return 0;
  }
  for (const IndexStatus& s : statuses) {
    host.out << Shown(s.root) << ": " << s.state << (s.reason.empty() ? "" : " (" + s.reason + ")") << ", " << s.files
             << " files (" << Bytes(s.bytes_total) << ") in " << s.elapsed_ms << " ms";
    if (s.bytes_on_disk > 0) host.out << ", " << Bytes(s.bytes_on_disk) << " on disk";
    host.out << '\n';
    if (!s.problem.empty()) host.out << "  " << Shown(s.problem) << '\n';
    if (s.storage == "memory") host.out << "  in memory only: nothing is stored, and nothing is left of it\n";
  }
  return 0;
}

int ShowStatus(const CommandLine& line, Host& host) {
  auto engine = EngineFor(line, host, EngineOptions::Indexing::kStored);
  if (!engine) return Fail(host, engine.error());
  const std::vector<IndexStatus> statuses = (*engine)->index_status();
  if (line.json) {
    tool::WritePretty(tool::ToDocument(statuses), host.out);
  } else {
    for (const IndexStatus& status : statuses) PrintStatus(status, host.out);
  }
  return 0;
}

int VerifyAll(const CommandLine& line, Host& host) {
  auto engine = EngineFor(line, host, EngineOptions::Indexing::kStored);
  if (!engine) return Fail(host, engine.error());
  const auto verified = (*engine)->VerifyIndexes(host.stop.token());
  if (!verified) return Fail(host, verified.error());
  bool sound = true;
  for (const IndexVerification& v : *verified) sound = sound && v.problems.empty();
  if (line.json) {
    tool::WritePretty(tool::ToDocument(*verified), host.out);
    return sound ? 0 : kExitError;
  }
  for (const IndexVerification& v : *verified) {
    host.out << v.files << " files read and found in the index, " << v.changed << " changed since, " << v.not_indexed
             << " always searched\n";
    for (const std::string& problem : v.problems) host.out << "  problem: " << Shown(problem) << '\n';
  }
  return sound ? 0 : kExitError;
}

int ClearAll(const CommandLine& line, Host& host) {
  auto engine = EngineFor(line, host, EngineOptions::Indexing::kForeground);
  if (!engine) return Fail(host, engine.error());
  if (Status status = (*engine)->ClearIndexes(); !status.ok()) return Fail(host, status.error());
  if (!line.json) host.out << "cleared\n";
  return 0;
}

int ListAll(const CommandLine& line, Host& host) {
  auto engine = EngineFor(line, host, EngineOptions::Indexing::kStored);
  if (!engine) return Fail(host, engine.error());
  const auto stored = (*engine)->stored_indexes();
  if (!stored) return Fail(host, stored.error());
  if (line.json) {
    tool::WritePretty(tool::ToDocument(*stored), host.out);
    return 0;
  }
  if (stored->empty()) host.out << "no stored index\n";
  for (const StoredIndexInfo& s : *stored) {
    host.out << s.hash.substr(0, 12) << "  " << Bytes(s.bytes) << "  " << s.files << " files  " << s.token_structure
             << "  " << Shown(s.root) << (s.problem.empty() ? "" : "  problem: " + Shown(s.problem)) << '\n';
  }
  return 0;
}

int ExplainPattern(const CommandLine& line, Host& host) {
  auto engine = EngineFor(line, host, EngineOptions::Indexing::kStored);
  if (!engine) return Fail(host, engine.error());
  const auto explained = (*engine)->ExplainIndex(line.request);
  if (!explained) return Fail(host, explained.error());
  if (line.json) {
    tool::WritePretty(tool::ToDocument(*explained), host.out);
    return 0;
  }
  host.out << "plan        " << explained->plan << '\n';
  if (!explained->bypass.empty()) host.out << "bypassed    " << explained->bypass << '\n';
  if (explained->files == 0) return 0;
  for (const auto& step : explained->steps) host.out << "  " << step.part << ": " << step.files << " files\n";
  host.out << "candidates  " << explained->candidates << " of " << explained->files << " files\n";
  return 0;
}

}  // namespace

int RunIndex(const CommandLine& line, Host& host) {
  switch (line.command) {
    case Command::kIndexBuild: return Build(line, host);
    case Command::kIndexVerify: return VerifyAll(line, host);
    case Command::kIndexClear: return ClearAll(line, host);
    case Command::kIndexList: return ListAll(line, host);
    case Command::kIndexExplain: return ExplainPattern(line, host);
    default: return ShowStatus(line, host);
  }
}

}  // namespace forge::cli
