#include "backend/external.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <new>
#include <tuple>
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
constexpr const char* kTooManyLines = "more than a million lines are like the pattern; the rest is left out";
constexpr const char* kKeptChanging = "kept changing while it was searched";
// What a shell returns for a program that is not there, or cannot be started.
constexpr int kShellNotFound = 127;
constexpr int kShellNotStarted = 126;

// A searcher needs a few megabytes, and memory for a line: ripgrep holds a line in
// a buffer that doubles, in each of its threads. So the limit is well above what
// it needs for files of the allowed size (measured: 16 MB for lines of 2 MB in
// either program, 1.5 GB for one line of 500 MB in rg), and an endless device does
// not take all there is.
constexpr std::uint64_t kSearcherMemory = std::uint64_t{1} << 30;
constexpr std::uint64_t kSearcherMemoryPerFileByte = 4;
// How often we run the searcher on one chunk, if it fails on files that change.
constexpr int kMostTries = 4;

std::uint64_t SearcherMemory(std::uint64_t max_file_size) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 62;
  return kSearcherMemory + std::min(max_file_size, kMost / kSearcherMemoryPerFileByte) * kSearcherMemoryPerFileByte;
}

// One file of a chunk on its way to an outcome.
struct ChunkFile {
  enum class Plan { kDecided, kScanHere, kAsk };
  FileItem item;
  std::string argument;  // "./path"
  Plan plan = Plan::kAsk;
  FileOutcome outcome;         // kDecided
  os::FileInfo info;           // kAsk: the state in which it was handed over
  std::vector<SeenLine> seen;  // kAsk
  bool in_order = true;        // `seen`
  bool cut = false;            // `seen`: more lines than we keep, and an answer would show them
};

// Opens a file and decides what to do with it.
ChunkFile Admit(FileItem item, const Query& query, FileOpener& opener, bool every_line) {
  ChunkFile file;
  file.item = std::move(item);
  file.argument = "./" + file.item.path;
  file.outcome.position = file.item.position;
  file.plan = ChunkFile::Plan::kDecided;
  const auto fd = opener.Open(file.item.path);
  if (!fd.ok()) {
    file.outcome.error = fd.error().message();
    return file;
  }
  const auto info = os::Stat(fd->get());
  if (info.ok() && info->type != os::FileType::kRegular) {
    file.outcome.error = kNotRegular;
    return file;
  }
  if (info.ok() && query.size_limit.Skips(info->size)) {
    file.outcome.too_large = true;
    return file;
  }
  char start[kMarkBytes];
  const auto peeked = os::ReadAt(fd->get(), 0, start, sizeof start);
  // The scanner reports everything unusual, in one place.
  const bool odd = !info.ok() || !peeked.ok();
  // Files of /proc have size 0, but they have content.
  const bool sizeless = !odd && info->size == 0;
  const bool wide = !odd && !query.fuzzy && IsWide(SniffEncoding({start, *peeked}));
  const bool huge = !odd && !query.fuzzy && info->size > ScanBounds().file;
  const bool here = odd || sizeless || wide || huge || every_line;
  file.plan = here ? ChunkFile::Plan::kScanHere : ChunkFile::Plan::kAsk;
  if (info.ok()) file.info = *info;
  if (info.ok()) file.outcome.bytes = info->size;
  return file;
}

// The lines in order, each once (FR-LS-ORD-04). A searcher with several threads
// may print them in any order.
void PutInOrder(ChunkFile& file) {
  if (file.in_order) return;
  const auto before = [](const SeenLine& a, const SeenLine& b) {
    return std::tie(a.line_number, a.offset) < std::tie(b.line_number, b.offset);
  };
  const auto same_line = [](const SeenLine& a, const SeenLine& b) { return a.line_number == b.line_number; };
  std::sort(file.seen.begin(), file.seen.end(), before);
  file.seen.erase(std::unique(file.seen.begin(), file.seen.end(), same_line), file.seen.end());
  file.in_order = true;
}

// Each step returns nothing if the run goes on, or else how it ended.
class ChunkedRun {
 public:
  // `command` has the program and its environment.
  ChunkedRun(const SearcherKind& kind, os::Command command, const Query& query, const SearchRoot& root,
             FileSource& source, OutcomeSink& sink, const Deadline& deadline)
      : kind_(kind),
        query_(query),
        root_(root),
        opener_(root),
        source_(source),
        sink_(sink),
        deadline_(deadline),
        every_line_(!query.fuzzy && (query.finder.kind == LineFinder::Kind::kEveryLine ||
                                     query.limits.takes_other_lines() || query.limits.as_text)),
        scanner_(query, root, deadline),
        command_(std::move(command)) {
    command_.folder = root.fd();
    command_.max_memory = SearcherMemory(query.size_limit.bytes);
  }

  RunReport Run() {
    for (std::size_t size = kFirstChunk;; size = std::min(size * kChunkGrowth, kLargestChunk)) {
      if (!Fill(size)) return Over();
      if (chunk_.empty()) return RunReport(SearchEnd::kComplete);
      if (auto end = Ask(chunk_)) return *std::move(end);
      if (auto end = Deliver()) return *std::move(end);
    }
  }

 private:
  using MaybeEnd = std::optional<RunReport>;
  using ByPath = std::unordered_map<std::string_view, ChunkFile*>;

  RunReport Over() const { return RunReport(deadline_.cancelled() ? SearchEnd::kCancelled : SearchEnd::kTimedOut); }

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

  // Runs the searcher on its files. If it fails, it may be because of a file that
  // something else replaced or changed meanwhile, which is no fault of the request:
  // then we take such files back, and it gets the others once more. It also gets a
  // second chance if it died, because a file that another program cuts short kills
  // it if it has the file mapped.
  MaybeEnd Ask(std::vector<ChunkFile>& files) {
    for (int tries = 1;; ++tries) {
      taken_back_ = false;
      bool died = false;
      MaybeEnd end = AskOnce(files, tries > 1, died);
      if (!end) {
        // Where nothing was seen, was there something to see? A searcher passes over
        // pipes, devices and folders without a word. The others are looked at when
        // their lines are read.
        TakeBack(files, HasChanged, Which::kUnseen);
        return std::nullopt;
      }
      if (end->end != SearchEnd::kBackendFailed || tries == kMostTries) return end;
      TakeBack(files, HasChanged, Which::kAll);
      if (!taken_back_ && !(died && tries == 1)) return end;
    }
  }

  MaybeEnd AskOnce(std::vector<ChunkFile>& files, bool careful, bool& died) {
    command_.args = kind_.Arguments(query_, careful);
    held_ = 0;
    ByPath by_path;
    for (ChunkFile& file : files) {
      file.seen.clear();
      file.in_order = true;
      if (file.plan != ChunkFile::Plan::kAsk) continue;
      by_path.emplace(file.argument, &file);
      command_.args.push_back(file.argument);
    }
    if (by_path.empty()) return std::nullopt;
    bool garbage = false;
    const auto parser = kind_.MakeParser();
    const auto outcome = os::Run(
        command_, deadline_,
        [&](std::string_view piece) {
          garbage = !parser->Feed(piece, [&](const SeenRecord& record) { return Note(by_path, record); });
          return !garbage;
        },
        [&] {
          TakeBack(files, IsNoFile, Which::kAll);
          return !taken_back_;
        });
    if (!outcome.ok()) return NoRun(outcome.error());
    died = outcome->signal != 0 && outcome->end == os::RunOutcome::End::kExited;
    garbage |= outcome->end == os::RunOutcome::End::kExited && !died && !parser->AtEnd();
    return Judge(*outcome, garbage, by_path);
  }

  // The searcher may wait for ever on a named pipe that replaced a file, and reads
  // an endless device until its memory is full.
  static bool IsNoFile(const ChunkFile&, const os::OsResult<os::FileInfo>& now) {
    return now.ok() ? now->type != os::FileType::kRegular : now.error().code != ENOENT;
  }
  static bool HasChanged(const ChunkFile& file, const os::OsResult<os::FileInfo>& now) {
    return !now.ok() || *now != file.info;
  }
  // We scan the files here that have turned into something else.
  using Test = bool (*)(const ChunkFile&, const os::OsResult<os::FileInfo>& now);
  enum class Which { kAll, kUnseen };
  void TakeBack(std::vector<ChunkFile>& files, Test test, Which which) {
    FileOpener fresh(root_);  // opener_ may hold a folder that was replaced
    for (ChunkFile& file : files) {
      if (file.plan != ChunkFile::Plan::kAsk || (which == Which::kUnseen && !file.seen.empty())) continue;
      if (!test(file, fresh.Stat(file.item.path))) continue;
      file.plan = ChunkFile::Plan::kScanHere;
      taken_back_ = true;
    }
  }

  bool Note(const ByPath& by_path, const SeenRecord& record) {
    const auto it = by_path.find(record.path);
    if (it == by_path.end()) return false;
    ChunkFile& file = *it->second;
    if (file.plan != ChunkFile::Plan::kAsk) return true;
    std::vector<SeenLine>& seen = file.seen;
    // More records of the same line add nothing.
    if (!seen.empty() && seen.back().line_number == record.line.line_number) return true;
    file.in_order &= seen.empty() || seen.back().line_number < record.line.line_number;
    seen.push_back(record.line);
    ++held_;
    if (query_.fuzzy) {
      BoundFuzzy(file);
    } else if (held_ > kMaxSeen) {
      ForgetSeen(file);
    }
    return true;
  }

  // Fuzzy matches are used as the searcher reports them, so we keep no more of
  // them than an answer may show, plus one that says that there are more.
  void BoundFuzzy(ChunkFile& file) const {
    const std::size_t used = std::min<std::uint64_t>(query_.limits.max_matches, kMaxSeen) + 1;
    if (file.seen.size() <= 2 * used) return;
    PutInOrder(file);
    if (file.seen.size() <= used) return;
    file.seen.resize(used);
    file.cut = query_.limits.max_matches > kMaxSeen;
  }

  void ForgetSeen(ChunkFile& file) {
    held_ -= file.seen.size();
    std::vector<SeenLine>().swap(file.seen);
    file.plan = ChunkFile::Plan::kScanHere;
  }

  MaybeEnd Judge(const os::RunOutcome& outcome, bool garbage, const ByPath& by_path) {
    if (outcome.end == os::RunOutcome::End::kDeadline || outcome.end == os::RunOutcome::End::kCancelled) {
      return Over();
    }
    const bool only_complaints = HandleComplaints(outcome, by_path);
    if (garbage) return Failure(outcome, "printed something that is not a result");
    if (outcome.end == os::RunOutcome::End::kStopped) return Failure(outcome, "was given something that is no file");
    if (IsBackendError(outcome, only_complaints)) return Failure(outcome, "failed");
    return std::nullopt;
  }

  // We try a file that the searcher could not read again here, where the same
  // problem becomes an entry of errors[]. True if there was no other complaint.
  bool HandleComplaints(const os::RunOutcome& outcome, const ByPath& by_path) {
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
  static ChunkFile* FileOfComplaint(std::string_view complaint, const ByPath& by_path) {
    for (std::size_t at = complaint.find(": "); at != std::string_view::npos; at = complaint.find(": ", at + 1)) {
      const auto it = by_path.find(complaint.substr(0, at));
      if (it != by_path.end()) return it->second;
    }
    return nullptr;
  }

  RunReport NoRun(const os::OsError& error) const {
    RunReport report(SearchEnd::kBackendNotStarted, ShownName(command_.program) + " " + WhyNoRun(error));
    if (error.code != ECHILD) report.exit_code = error.code == ENOENT ? kShellNotFound : kShellNotStarted;
    return report;
  }

  RunReport Failure(const os::RunOutcome& outcome, const std::string& what) const {
    RunReport report(SearchEnd::kBackendFailed, std::string(kind_.name()) + " " + what);
    report.exit_code = outcome.signal != 0 ? 128 + outcome.signal : outcome.exit_code;
    report.stderr_text = Sanitize(LossyUtf8(outcome.stderr_text));
    report.message += outcome.signal != 0 ? " (killed by signal " + std::to_string(outcome.signal) + ")"
                                          : " (exit code " + std::to_string(outcome.exit_code) + ")";
    return report;
  }

  // Delivers the outcomes of the chunk, in order.
  MaybeEnd Deliver() {
    for (ChunkFile& file : chunk_) {
      if (deadline_.over()) return Over();
      FileOutcome outcome;
      Asides asides = std::move(file.item.asides);
      if (auto end = OutcomeOf(file, outcome)) return end;
      bool enough = false;
      if (outcome.deferred) {
        outcome = scanner_.Stream(file.item, [&](Event&& event) {
          enough = !sink_.TakeEvent(file.item, std::move(event));
          return !enough;
        });
      }
      if (enough) return RunReport(SearchEnd::kStopped);
      if (scanner_.interrupted()) return Over();
      outcome.asides = std::move(asides);
      outcome.path = file.item.path;
      if (!sink_.Take(std::move(outcome))) return RunReport(SearchEnd::kStopped);
    }
    return std::nullopt;
  }

  MaybeEnd OutcomeOf(ChunkFile& file, FileOutcome& outcome) {
    switch (file.plan) {
      case ChunkFile::Plan::kDecided: outcome = std::move(file.outcome); return std::nullopt;
      case ChunkFile::Plan::kScanHere: return ScanHere(file, outcome);
      case ChunkFile::Plan::kAsk: break;
    }
    outcome = std::move(file.outcome);  // has the file's number
    if (file.seen.empty()) return std::nullopt;
    PutInOrder(file);
    auto scanned = scanner_.ScanSeen(file.item, file.seen, file.info);
    if (!scanned) return ScanHere(file, outcome);  // changed since it was searched
    outcome = std::move(*scanned);
    if (file.cut) outcome.error = kTooManyLines;
    return std::nullopt;
  }

  MaybeEnd ScanHere(ChunkFile& file, FileOutcome& outcome) {
    if (query_.fuzzy) return AskAgain(file, outcome);
    outcome = scanner_.ScanAll(file.item);
    return std::nullopt;
  }

  // Only the searcher can match fuzzily, so it gets a changed file once more.
  // If the file changes again, we report that.
  MaybeEnd AskAgain(ChunkFile& file, FileOutcome& outcome) {
    std::vector<ChunkFile> again;
    again.push_back(Admit(file.item, query_, opener_, false));
    ChunkFile& only = again[0];
    const bool asked = only.plan != ChunkFile::Plan::kDecided;
    if (asked) {
      only.plan = ChunkFile::Plan::kAsk;
      if (auto end = Ask(again)) return end;
    }
    outcome = std::move(only.outcome);
    if (!asked) return std::nullopt;
    if (only.plan == ChunkFile::Plan::kScanHere) {
      outcome.error = taken_back_ ? kKeptChanging : std::string("could not be read by ") + kind_.name();
      return std::nullopt;
    }
    if (only.seen.empty()) return std::nullopt;
    PutInOrder(only);
    auto scanned = scanner_.ScanSeen(only.item, only.seen, only.info);
    if (scanned) {
      outcome = std::move(*scanned);
      if (only.cut) outcome.error = kTooManyLines;
    } else {
      outcome.error = kKeptChanging;
    }
    return std::nullopt;
  }

  const SearcherKind& kind_;
  const Query& query_;
  const SearchRoot& root_;
  FileOpener opener_;
  FileSource& source_;
  OutcomeSink& sink_;
  const Deadline& deadline_;
  const bool every_line_;
  FileScanner scanner_;
  os::Command command_;
  std::vector<ChunkFile> chunk_;
  std::size_t held_ = 0;     // seen lines of the files that were asked about
  bool taken_back_ = false;  // a file, since the searcher was started
};

}  // namespace

ExternalBackend::ExternalBackend(const SearcherKind& kind, Searcher searcher, std::string program,
                                 std::vector<std::string> environment)
    : kind_(kind),
      searcher_(std::move(searcher)),
      program_(std::move(program)),
      environment_(std::move(environment)),
      id_(searcher_.name + "@" + ToString(searcher_.version)) {}

RunReport ExternalBackend::Run(const Query& query, const SearchRoot& root, FileSource& source, OutcomeSink& sink,
                               const Deadline& deadline) const {
  try {
    os::Command command;
    command.program = program_;
    command.env = environment_;
    return ChunkedRun(kind_, std::move(command), query, root, source, sink, deadline).Run();
  } catch (const std::bad_alloc&) {
    return RunReport(SearchEnd::kOutOfMemory, "the search ran out of memory");
  }
}

std::string WhyNoRun(const os::OsError& error) {
  return (error.code == ECHILD ? "was run, but " : "could not be started: ") + error.message();
}

std::vector<std::string> ChildEnvironment(const std::string& search_path) {
  // A locale with UTF-8 for character classes, and no variable that carries
  // options or colours (RIPGREP_CONFIG_PATH, GREP_COLORS, ...).
  std::vector<std::string> env = {"LC_ALL=C.UTF-8"};
  if (!search_path.empty()) env.push_back("PATH=" + search_path);
  return env;
}

}  // namespace forge
