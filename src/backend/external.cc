#include "backend/external.h"

#include <cerrno>
#include <cstdlib>
#include <unordered_map>
#include <utility>

#include "backend/exit_class.h"
#include "backend/file_scan.h"
#include "base/strings.h"
#include "base/utf8.h"
#include "match/text.h"
#include "os/process.h"

namespace forge {
namespace {

constexpr std::size_t kFirstChunk = 32;
constexpr std::size_t kChunkGrowth = 4;
constexpr std::size_t kLargestChunk = 4096;
// Half of the smallest ARG_MAX in use. The pointers count, too.
constexpr std::size_t kMaxArgumentBytes = 1'000'000;
// How many seen lines a chunk may hold: 24 MB. A common word in huge files has
// more; we then scan those files here, which gives the same answer.
constexpr std::size_t kMaxSeen = 1'000'000;

// One file of a chunk on its way to an outcome.
struct ChunkFile {
  enum class Plan { kDecided, kScanHere, kAsk };
  FileItem item;
  std::string argument;  // "./path"
  Plan plan = Plan::kAsk;
  FileOutcome outcome;         // kDecided
  os::FileInfo info;           // kAsk: the state in which it was handed over
  std::vector<SeenLine> seen;  // kAsk
};

// Opens a file and decides what to do with it.
ChunkFile Admit(FileItem item, const Query& query, FileOpener& opener, bool every_line) {
  ChunkFile file;
  file.item = std::move(item);
  file.argument = "./" + file.item.path;
  file.outcome.position = file.item.position;
  file.outcome.path = file.item.path;
  file.plan = ChunkFile::Plan::kDecided;
  const auto fd = opener.Open(file.item.path);
  if (!fd.ok()) {
    file.outcome.error = fd.error().message();
    return file;
  }
  const auto info = os::Stat(fd->get());
  char start[kMarkBytes];
  const auto peeked = os::ReadAt(fd->get(), 0, start, sizeof start);
  // The scanner reports everything unusual, in one place.
  const bool odd = !info.ok() || !peeked.ok() || info->type != os::FileType::kRegular;
  // Files of /proc have size 0, but they have content.
  const bool sizeless = !odd && info->size == 0;
  const bool wide = !odd && !query.fuzzy && IsWide(SniffEncoding({start, *peeked}));
  if (!odd && info->size > query.max_file_size) {
    file.outcome.too_large = true;
    return file;
  }
  const bool here = odd || sizeless || wide || every_line;
  file.plan = here ? ChunkFile::Plan::kScanHere : ChunkFile::Plan::kAsk;
  if (!here) file.info = *info;
  return file;
}

class ChunkedRun {
 public:
  ChunkedRun(const SearcherKind& kind, const std::string& program, const Query& query, const SearchRoot& root,
             FileSource& source, OutcomeSink& sink, const Deadline& deadline)
      : kind_(kind),
        query_(query),
        opener_(root),
        source_(source),
        sink_(sink),
        deadline_(deadline),
        every_line_(!query.fuzzy && query.finder.kind == LineFinder::Kind::kEveryLine),
        scanner_(query, root, deadline) {
    command_.program = program;
    command_.env = ChildEnvironment();
    command_.folder = root.fd();
  }

  RunReport Run() {
    for (std::size_t size = kFirstChunk;; size = std::min(size * kChunkGrowth, kLargestChunk)) {
      if (!Fill(size)) return Over();
      if (chunk_.empty()) return {};
      if (!Ask(chunk_)) return std::move(report_);
      if (!Deliver()) return std::move(report_);
    }
  }

 private:
  using End = RunReport::End;

  RunReport Over() const { return {deadline_.cancelled() ? End::kCancelled : End::kTimedOut, {}, {}, {}}; }

  bool Stop(RunReport report) {
    report_ = std::move(report);
    return false;
  }

  // False at the deadline.
  bool Fill(std::size_t size) {
    chunk_.clear();
    std::size_t bytes = 0;
    FileItem item;
    while (chunk_.size() < size && bytes < kMaxArgumentBytes && source_.Next(item)) {
      chunk_.push_back(Admit(std::move(item), query_, opener_, every_line_));
      bytes += chunk_.back().argument.size() + 1 + sizeof(char*);
      if (chunk_.size() % 64 == 0 && deadline_.over()) return false;
    }
    return !deadline_.over();
  }

  // Runs the searcher on its files, and a second time if it dies: a file that
  // another program cuts short while it is mapped is no fault of the request.
  bool Ask(std::vector<ChunkFile>& files) {
    std::unordered_map<std::string_view, ChunkFile*> by_path;
    for (ChunkFile& file : files) {
      if (file.plan == ChunkFile::Plan::kAsk) by_path.emplace(file.argument, &file);
    }
    if (by_path.empty()) return true;
    for (const bool careful : {false, true}) {
      command_.args = kind_.Arguments(query_, careful);
      held_ = 0;
      for (ChunkFile& file : files) {
        file.seen.clear();
        if (file.plan == ChunkFile::Plan::kAsk) command_.args.push_back(file.argument);
      }
      bool garbage = false;
      const auto parser = kind_.MakeParser();
      const auto outcome = os::Run(command_, deadline_, [&](std::string_view piece) {
        garbage = !parser->Feed(piece, [&](const SeenRecord& record) { return Note(by_path, record); });
        return !garbage;
      });
      if (!outcome.ok()) return Stop(NoRun(outcome.error()));
      if (outcome->signal != 0 && outcome->end == os::RunOutcome::End::kExited && !careful) continue;
      garbage |= outcome->end == os::RunOutcome::End::kExited && outcome->signal == 0 && !parser->AtEnd();
      return Judge(*outcome, garbage, by_path);
    }
    return true;
  }

  bool Note(const std::unordered_map<std::string_view, ChunkFile*>& by_path, const SeenRecord& record) {
    const auto it = by_path.find(record.path);
    if (it == by_path.end()) return false;
    ChunkFile& file = *it->second;
    if (file.plan != ChunkFile::Plan::kAsk) return true;
    std::vector<SeenLine>& seen = file.seen;
    // More records of the same line add nothing.
    if (!seen.empty() && seen.back().line_number >= record.line.line_number) {
      return seen.back().line_number == record.line.line_number;
    }
    // Fuzzy matches are used as the searcher reports them, so we keep no more
    // of them than an answer may show, plus one that says that there are more.
    if (query_.fuzzy && seen.size() > query_.limits.max_matches) return true;
    seen.push_back(record.line);
    if (++held_ > kMaxSeen && !query_.fuzzy) ForgetSeen(file);
    return true;
  }

  void ForgetSeen(ChunkFile& file) {
    held_ -= file.seen.size();
    std::vector<SeenLine>().swap(file.seen);
    file.plan = ChunkFile::Plan::kScanHere;
  }

  bool Judge(const os::RunOutcome& outcome, bool garbage,
             const std::unordered_map<std::string_view, ChunkFile*>& by_path) {
    if (outcome.end == os::RunOutcome::End::kDeadline || outcome.end == os::RunOutcome::End::kCancelled) {
      return Stop(Over());
    }
    const bool only_complaints = HandleComplaints(outcome, by_path);
    if (garbage) return Stop(Failure(outcome, "printed something that is not a result"));
    if (IsBackendError(outcome, only_complaints)) return Stop(Failure(outcome, "failed"));
    return true;
  }

  // We try a file that the searcher could not read again here, where the same
  // problem becomes an entry of errors[]. True if there was no other complaint.
  bool HandleComplaints(const os::RunOutcome& outcome,
                        const std::unordered_map<std::string_view, ChunkFile*>& by_path) {
    std::string_view text = outcome.stderr_text;
    if (outcome.stderr_cut) {
      // We do not know which files the rest was about: it may be any of them.
      text = text.substr(0, text.rfind('\n') + 1);
      for (const auto& [path, file] : by_path) file->plan = ChunkFile::Plan::kScanHere;
    }
    bool only_files = !text.empty();
    for (const std::string_view line : Split(text, '\n')) {
      if (line.empty()) continue;
      ChunkFile* file = FileOfComplaint(kind_.ComplaintAbout(line), by_path);
      only_files &= file != nullptr;
      if (file != nullptr) file->plan = ChunkFile::Plan::kScanHere;
    }
    return only_files;
  }

  // "./a: b: Permission denied": a name may contain the separator.
  static ChunkFile* FileOfComplaint(std::string_view complaint,
                                    const std::unordered_map<std::string_view, ChunkFile*>& by_path) {
    for (std::size_t at = complaint.find(": "); at != std::string_view::npos; at = complaint.find(": ", at + 1)) {
      const auto it = by_path.find(complaint.substr(0, at));
      if (it != by_path.end()) return it->second;
    }
    return nullptr;
  }

  RunReport NoRun(const os::OsError& error) const {
    return {End::kBackendError, command_.program + " " + WhyNoRun(error), std::nullopt, {}};
  }

  RunReport Failure(const os::RunOutcome& outcome, const std::string& what) const {
    RunReport report;
    report.end = End::kBackendError;
    report.exit_code = outcome.signal != 0 ? 128 + outcome.signal : outcome.exit_code;
    report.stderr_text = Sanitize(LossyUtf8(outcome.stderr_text));
    report.message = std::string(kind_.name()) + " " + what;
    report.message += outcome.signal != 0 ? " (killed by signal " + std::to_string(outcome.signal) + ")"
                                          : " (exit code " + std::to_string(outcome.exit_code) + ")";
    return report;
  }

  // Delivers the outcomes of the chunk, in order.
  bool Deliver() {
    for (ChunkFile& file : chunk_) {
      if (deadline_.over()) return Stop(Over());
      FileOutcome outcome;
      Asides asides = std::move(file.item.asides);
      if (!OutcomeOf(file, outcome)) return false;
      if (scanner_.interrupted()) return Stop(Over());
      outcome.asides = std::move(asides);
      if (!sink_.Take(std::move(outcome))) return Stop({End::kStopped, {}, {}, {}});
    }
    return true;
  }

  // False if the run is over.
  bool OutcomeOf(ChunkFile& file, FileOutcome& outcome) {
    switch (file.plan) {
      case ChunkFile::Plan::kDecided: outcome = std::move(file.outcome); return true;
      case ChunkFile::Plan::kScanHere: return ScanHere(file, outcome);
      case ChunkFile::Plan::kAsk: break;
    }
    outcome = std::move(file.outcome);  // has the file's number and path
    if (file.seen.empty()) return true;
    auto scanned = scanner_.ScanSeen(file.item, file.seen, file.info);
    if (!scanned) return ScanHere(file, outcome);  // changed since it was searched
    outcome = std::move(*scanned);
    return true;
  }

  bool ScanHere(ChunkFile& file, FileOutcome& outcome) {
    if (query_.fuzzy) return AskAgain(file, outcome);
    outcome = scanner_.ScanAll(file.item);
    return true;
  }

  // Only the searcher can match fuzzily, so it gets a changed file once more.
  // If the file changes again, we report that.
  bool AskAgain(ChunkFile& file, FileOutcome& outcome) {
    std::vector<ChunkFile> again;
    again.push_back(Admit(std::move(file.item), query_, opener_, false));
    again[0].plan = again[0].plan == ChunkFile::Plan::kScanHere ? ChunkFile::Plan::kAsk : again[0].plan;
    if (!Ask(again)) return false;
    outcome = std::move(again[0].outcome);
    if (again[0].plan == ChunkFile::Plan::kScanHere) {
      outcome.error = std::string("could not be read by ") + kind_.name();
      return true;
    }
    if (again[0].plan == ChunkFile::Plan::kDecided || again[0].seen.empty()) return true;
    auto scanned = scanner_.ScanSeen(again[0].item, again[0].seen, again[0].info);
    if (scanned) {
      outcome = std::move(*scanned);
    } else {
      outcome.error = "kept changing while it was searched";
    }
    return true;
  }

  const SearcherKind& kind_;
  const Query& query_;
  FileOpener opener_;
  FileSource& source_;
  OutcomeSink& sink_;
  const Deadline& deadline_;
  const bool every_line_;
  FileScanner scanner_;
  os::Command command_;
  std::vector<ChunkFile> chunk_;
  std::size_t held_ = 0;  // seen lines of the files that were asked about
  RunReport report_;
};

}  // namespace

ExternalBackend::ExternalBackend(const SearcherKind& kind, Searcher searcher, std::string program)
    : kind_(kind),
      searcher_(std::move(searcher)),
      program_(std::move(program)),
      id_(searcher_.name + "@" + ToString(searcher_.version)) {}

RunReport ExternalBackend::Run(const Query& query, const SearchRoot& root, FileSource& source, OutcomeSink& sink,
                               const Deadline& deadline) const {
  return ChunkedRun(kind_, program_, query, root, source, sink, deadline).Run();
}

std::string WhyNoRun(const os::OsError& error) {
  return (error.code == ECHILD ? "was run, but " : "could not be started: ") + error.message();
}

std::vector<std::string> ChildEnvironment() {
  // A locale with UTF-8 for character classes, and no variable that carries
  // options or colours (RIPGREP_CONFIG_PATH, GREP_COLORS, ...).
  std::vector<std::string> env = {"LC_ALL=C.UTF-8"};
  if (const char* path = std::getenv("PATH")) env.push_back(std::string("PATH=") + path);
  return env;
}

}  // namespace forge
