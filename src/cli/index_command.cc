// forge-search index build|status|verify|clear|list|explain

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ostream>

#include "base/names.h"
#include "base/strings.h"
#include "base/utf8.h"
#include "cli/common.h"
#include "cli/index_words.h"
#include "forge/version.h"
#include "os/terminal.h"
#include "tool/index_json.h"

namespace forge::cli {
namespace {

constexpr const char* kFooter = R"(Examples:
  forge-search index build                      index the current folder
  forge-search --index=on search TODO           use it
  forge-search index explain 'foo|bar\w+'       how a pattern is looked up

An index lives in the user's cache folder and holds no file content. It never
changes an answer, only how soon it comes.)";

std::string Shown(std::string_view text) { return Sanitize(LossyUtf8(text)); }

// `index` commands are about the index, so they need one: with the mode off, and
// where no source sets the mode, they work as if it were on. Only `status` asks a
// server, which knows more than what is stored.
Result<std::unique_ptr<Engine>> EngineFor(const GlobalOptions& global, Host& host, EngineOptions::Indexing indexing,
                                          bool ask_server = false) {
  auto loaded = LoadConfigAndWarn(global, host, config::Profile::kRecommended);
  if (!loaded) return loaded.error();
  IndexMode& mode = loaded->config.search.index.mode;
  const config::Origin& origin = loaded->origins[*config::FindKey("tools.search", "index_mode")];
  if (mode == IndexMode::kOff || origin.layer == config::Origin::Layer::kDefault) mode = IndexMode::kOn;
  if (!ask_server) loaded->config.server.mode = ServerMode::kOff;
  auto engine = host.create_engine(
      {.config = loaded->config, .roots = global.roots, .working_dir = global.cwd, .indexing = indexing});
  if (engine) Warn(**engine, host);
  return engine;
}

// Overwrites one line again and again, on a terminal only.
class BuildLine {
 public:
  BuildLine(std::ostream& out, bool terminal) : out_(out), terminal_(terminal) {}

  void Show(const IndexStatus& status) {
    if (!terminal_) return;
    const auto size = os::SizeOfTerminal(kStandardError);
    const std::size_t columns = size ? size->columns : kUsualColumns;
    Draw(words_.Line(status, columns - std::min(columns, kSpare)));
  }

  // What was read is stored first, which may take a while.
  void ShowStopping() {
    if (terminal_) Draw("stopping");
  }

  ~BuildLine() {
    if (drawn_) out_ << "\r\033[K" << std::flush;
  }
  BuildLine(const BuildLine&) = delete;
  BuildLine& operator=(const BuildLine&) = delete;

 private:
  static constexpr int kStandardError = 2;
  static constexpr std::size_t kUsualColumns = 80;
  // For the "^C" that a terminal shows, and for the last column, where some
  // terminals go to the next line.
  static constexpr std::size_t kSpare = 3;

  void Draw(const std::string& text) {
    out_ << "\r\033[K" << text << std::flush;
    drawn_ = true;
  }

  std::ostream& out_;
  const bool terminal_;
  BuildWords words_;
  bool drawn_ = false;
};

void PrintStatus(const IndexStatus& s, std::ostream& out) {
  const auto row = [&](const char* name, const std::string& value) {
    if (!value.empty())
      out << "  " << std::string(name) + std::string(12 - std::string_view(name).size(), ' ') << value << '\n';
  };
  out << Shown(s.root) << '\n';
  row("state", StateInWords(s));
  row("problem", Shown(s.problem));
  row("files", std::to_string(s.files) + ", " + std::to_string(s.indexed_files) + " of them indexed, " +
                   std::to_string(s.pending_files) + " to be indexed again");
  row("tokens", std::string(Name(s.token_structure)) + ", " + std::to_string(s.documents) + " documents in " +
                    std::to_string(s.segments) + " segments");
  row("storage", std::string(Name(s.storage)) + InBrackets(NameOr(s.storage_fallback_reason, "")) + ", " +
                     BytesInWords(s.bytes_on_disk) + " on disk, " + BytesInWords(s.bytes_in_memory) + " in memory");
  row("texts", s.text_bytes == 0 ? "" : BytesInWords(s.text_bytes) + " of files kept in memory");
  row("folder", Shown(s.folder));
  row("watcher", s.watching ? "watching" : "none: each search looks at every file's state");
  row("unreported", s.unreported_changes == 0
                        ? ""
                        : Count(s.unreported_changes, "change") + " found by comparing files, without an event");
}

// "340 ms", "12.3 s"
std::string ElapsedInWords(std::chrono::milliseconds elapsed) {
  if (elapsed < std::chrono::seconds(1)) return std::to_string(elapsed.count()) + " ms";
  char text[32];
  std::snprintf(text, sizeof text, "%.1f s", static_cast<double>(elapsed.count()) / 1000);
  return text;
}

constexpr const char* kJsonDoc = "Print one JSON document";

// The warnings said why.
int FailWithoutRoots(Host& host) {
  return Fail(host, "there is no folder to index: none of tools.search.index_roots can be used",
              "name folders inside the roots, or leave the key out to index the roots");
}

struct BuildCommand : Command {
  bool anew = false;

  void Define(Options& options) override {
    options.Json(kJsonDoc);
    options.Flag("--anew", anew, "Reuse nothing of an older one");
  }

  int Run(const GlobalOptions& global, Host& host) override {
    auto engine = EngineFor(global, host, EngineOptions::Indexing::kForeground);
    if (!engine) return Fail(host, engine.error());
    if ((*engine)->index_status().empty()) return FailWithoutRoots(host);
    Status built;
    {
      BuildLine line(host.err, host.err_is_terminal && !global.json);
      built = (*engine)->BuildIndexes(
          anew,
          [&](const IndexStatus& status) { host.stop.token().cancelled() ? line.ShowStopping() : line.Show(status); },
          host.stop.token());
    }
    if (!built) {
      if (built.error().kind == ErrorKind::kCancelled) return kExitInterrupted;
      return Fail(host, built.error());
    }
    const std::vector<IndexStatus> statuses = (*engine)->index_status();
    if (global.json) {
      tool::WritePretty(tool::ToDocument(statuses), host.out);
      return 0;
    }
    for (const IndexStatus& s : statuses) {
      host.out << Shown(s.root) << ": " << StateInWords(s) << ", " << s.files << " files ("
               << BytesInWords(s.bytes_total) << ") in " << ElapsedInWords(s.elapsed);
      if (s.bytes_on_disk > 0) host.out << ", " << BytesInWords(s.bytes_on_disk) << " on disk";
      host.out << '\n';
      if (!s.problem.empty()) host.out << "  " << Shown(s.problem) << '\n';
      if (s.storage == IndexStorage::kMemory)
        host.out << "  in memory only: nothing is stored, so the next process builds it again\n";
    }
    return 0;
  }
};

struct StatusCommand : Command {
  void Define(Options& options) override { options.Json(kJsonDoc); }

  int Run(const GlobalOptions& global, Host& host) override {
    auto engine = EngineFor(global, host, EngineOptions::Indexing::kStored, /*ask_server=*/true);
    if (!engine) return Fail(host, engine.error());
    const std::vector<IndexStatus> statuses = (*engine)->index_status();
    if (statuses.empty()) return FailWithoutRoots(host);
    if (global.json) {
      tool::WritePretty(tool::ToDocument(statuses), host.out);
    } else {
      for (const IndexStatus& status : statuses) PrintStatus(status, host.out);
    }
    return 0;
  }
};

struct VerifyCommand : Command {
  void Define(Options& options) override { options.Json(kJsonDoc); }

  int Run(const GlobalOptions& global, Host& host) override {
    auto engine = EngineFor(global, host, EngineOptions::Indexing::kStored);
    if (!engine) return Fail(host, engine.error());
    if ((*engine)->index_status().empty()) return FailWithoutRoots(host);
    const auto verified = (*engine)->VerifyIndexes(host.stop.token());
    if (!verified) return Fail(host, verified.error());
    bool sound = true;
    for (const IndexVerification& v : *verified) sound = sound && v.problems.empty();
    if (global.json) {
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
};

struct ClearCommand : Command {
  void Define(Options& options) override { options.Json(kJsonDoc); }

  int Run(const GlobalOptions& global, Host& host) override {
    auto engine = EngineFor(global, host, EngineOptions::Indexing::kForeground);
    if (!engine) return Fail(host, engine.error());
    if (Status status = (*engine)->ClearIndexes(); !status.ok()) return Fail(host, status.error());
    if (!global.json) host.out << "cleared\n";
    return 0;
  }
};

// Why a tree has two indexes: what is not usual about this one.
std::string Differences(const StoredIndexInfo& stored) {
  std::string out;
  const auto add = [&](bool differs, const std::string& words) {
    if (differs) out += (out.empty() ? "" : ", ") + words;
  };
  add(stored.token_structure == TokenStructure::kBloom, "bloom");
  add(stored.hidden, "with hidden files");
  add(stored.no_ignore, "with ignored files");
  add(!stored.version.empty() && stored.version != Version(), "of version " + Shown(stored.version));
  return out;
}

struct ListCommand : Command {
  void Define(Options& options) override { options.Json(kJsonDoc); }

  int Run(const GlobalOptions& global, Host& host) override {
    auto engine = EngineFor(global, host, EngineOptions::Indexing::kStored);
    if (!engine) return Fail(host, engine.error());
    const auto stored = (*engine)->stored_indexes();
    if (!stored) return Fail(host, stored.error());
    if (global.json) {
      tool::WritePretty(tool::ToDocument(*stored), host.out);
      return 0;
    }
    if (stored->empty()) host.out << "no stored index\n";
    for (const StoredIndexInfo& s : *stored) {
      host.out << s.hash.substr(0, 12) << "  " << BytesInWords(s.bytes) << "  " << s.files << " files  "
               << Shown(s.root) << InBrackets(Differences(s))
               << (s.problem.empty() ? "" : "  problem: " + Shown(s.problem)) << '\n';
    }
    return 0;
  }
};

struct ExplainCommand : Command {
  SearchRequest request;

  void Define(Options& options) override {
    options.Json(kJsonDoc);
    options.Required("PATTERN", request.pattern, "A regular expression (see -F)");
    options.Flag("-F,--fixed-strings", request.fixed_strings, "Take the pattern as plain text");
    options.Flag("-w,--word-regexp", request.word_regexp, "Match whole words only");
    options.Number("--fuzzy", request.fuzzy, "Accept up to N wrong characters, 1 to 4", {.max = 4});
  }

  int Run(const GlobalOptions& global, Host& host) override {
    auto engine = EngineFor(global, host, EngineOptions::Indexing::kStored);
    if (!engine) return Fail(host, engine.error());
    const auto explained = (*engine)->ExplainIndex(request);
    if (!explained) return Fail(host, explained.error());
    if (global.json) {
      tool::WritePretty(tool::ToDocument(*explained), host.out);
      return 0;
    }
    host.out << "plan        " << explained->plan << '\n';
    if (explained->bypass) host.out << "not used    " << BypassInWords(*explained->bypass) << '\n';
    if (explained->files == 0) return 0;
    for (const auto& step : explained->steps) host.out << "  " << step.part << ": " << step.files << " files\n";
    host.out << "candidates  " << explained->candidates << " of " << explained->files << " files\n";
    return 0;
  }
};

}  // namespace

CommandEntry IndexEntry() {
  return {"index",
          "Build, examine or remove the index of a tree",
          kFooter,
          nullptr,
          {{"build", "Bring the index up to date, and wait for it", "", Make<BuildCommand>},
           {"status", "Show the state of the index", "", Make<StatusCommand>},
           {"verify", "Read the tree again and check the index against it", "", Make<VerifyCommand>},
           {"clear", "Remove the index of this tree", "", Make<ClearCommand>},
           {"list", "List the stored indexes of all trees", "", Make<ListCommand>},
           {"explain", "Show how a pattern is looked up", "", Make<ExplainCommand>}}};
}

}  // namespace forge::cli
