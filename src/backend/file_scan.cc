#include "backend/file_scan.h"

#include <cerrno>
#include <cstring>
#include <new>
#include <utility>

#include "base/utf8.h"
#include "match/text.h"

namespace forge {
namespace {

// A buffer this large is given back after use instead of kept for the next file.
constexpr std::size_t kKeepBuffer = 16 * 1024 * 1024;

// Files over a block are looked through before they are read whole.
constexpr std::size_t kBlock = 64 * 1024;

constexpr const char* kKeptChanging = "kept changing while it was searched";

bool Unchanged(const os::Fd& fd, const os::FileInfo& before) {
  const auto after = os::Stat(fd.get());
  return after.ok() && *after == before;
}

// Whether the file has been at rest since before `began`, and is as long as what
// was read of it. The margin is for clocks that tick slowly.
bool UnchangedSince(const os::Fd& fd, std::int64_t began, std::uint64_t size) {
  constexpr std::int64_t kMarginNs = 50'000'000;
  const auto info = os::Stat(fd.get());
  return info.ok() && info->type == os::FileType::kRegular && info->size == size &&
         info->ctime_ns < began - kMarginNs && info->mtime_ns < began - kMarginNs;
}

Event ToEvent(const LineEvent& line) {
  Event event;
  event.type = line.is_match ? Event::Type::kMatch : Event::Type::kContext;
  event.line_number = line.line_number;
  event.line = LossyUtf8(line.line);
  if (line.is_match) {
    event.column = line.match.begin + 1;
    event.match_text = LossyUtf8(line.line.substr(line.match.begin, line.match.size()));
  }
  return event;
}

}  // namespace

FileScanner::FileScanner(const Query& query, const SearchRoot& root, const Deadline& deadline)
    : FileScanner(query, std::make_unique<PatternMatcher>(query.pattern), query.prefilter, root, deadline) {}

FileScanner::FileScanner(const Query& query, std::unique_ptr<LineMatcher> matcher, const Prefilter& prefilter,
                         const SearchRoot& root, const Deadline& deadline)
    : query_(query), opener_(root), deadline_(deadline), matcher_(std::move(matcher)), prefilter_(prefilter) {}

bool FileScanner::ScanSmall(const FileItem& item, FileOutcome& outcome) {
  outcome.position = item.position;
  outcome.path = item.path;
  const std::int64_t began = os::FileClockNow();
  const auto fd = opener_.Open(item.path);
  if (!fd.ok()) {
    outcome.error = fd.error().message();
    return true;
  }
  if (!opener_.short_read_is_end()) return false;
  const auto size = os::ReadOnce(fd->get(), kBlock, raw_);
  if (!size.ok() || *size == kBlock) return false;
  outcome.too_large = *size > query_.max_file_size;
  if (outcome.too_large) return true;
  const ScanResult result =
      ScanText(DecodeText(raw_.view(), decoded_), prefilter_, *matcher_, query_.limits, deadline_);
  // Only what is shown must be of one piece; a file that is written to while
  // nothing in it matches may be seen before or after the write.
  const bool shows = !result.events.empty() || result.binary || result.too_complex_lines > 0;
  if (shows && !UnchangedSince(*fd, began, *size)) return false;
  Keep(result, outcome);
  return true;
}

FileOutcome FileScanner::ScanAll(const FileItem& item) {
  try {
    return TryAll(item);
  } catch (const std::bad_alloc&) {
    return OutOfMemory(item);
  }
}

std::optional<FileOutcome> FileScanner::ScanSeen(const FileItem& item, std::span<const SeenLine> seen,
                                                 const os::FileInfo& seen_in) {
  try {
    return TrySeen(item, seen, seen_in);
  } catch (const std::bad_alloc&) {
    return OutOfMemory(item);
  }
}

FileOutcome FileScanner::OutOfMemory(const FileItem& item) {
  raw_.Release();
  std::string().swap(decoded_);
  FileOutcome outcome;
  outcome.position = item.position;
  outcome.path = item.path;
  outcome.error = "there is not enough memory to search it";
  return outcome;
}

FileOutcome FileScanner::TryAll(const FileItem& item) {
  FileOutcome outcome;
  if (ScanSmall(item, outcome)) return outcome;
  os::Fd fd;
  os::FileInfo before;
  for (int attempt = 0; attempt < 2; ++attempt) {
    if (Open(item, true, outcome, fd, before) == Read::kNothing) return outcome;
    const ScanResult result =
        ScanText(DecodeText(raw_.view(), decoded_), prefilter_, *matcher_, query_.limits, deadline_);
    if (Unchanged(fd, before)) {
      Keep(result, outcome);
      return outcome;
    }
  }
  outcome.error = kKeptChanging;
  return outcome;
}

std::optional<FileOutcome> FileScanner::TrySeen(const FileItem& item, std::span<const SeenLine> seen,
                                                const os::FileInfo& seen_in) {
  FileOutcome outcome;
  os::Fd fd;
  os::FileInfo before;
  if (Open(item, false, outcome, fd, before) == Read::kNothing) return outcome;
  if (before != seen_in || !Unchanged(fd, before)) return std::nullopt;
  const std::string_view text = DecodeText(raw_.view(), decoded_);
  if (!query_.fuzzy) {
    Keep(ScanSeenLines(text, seen, *matcher_, query_.limits, deadline_), outcome);
    return outcome;
  }
  const auto taken = TakeSeenLines(text, seen, query_.limits);
  if (!taken) return std::nullopt;
  Keep(*taken, outcome);
  return outcome;
}

FileScanner::Read FileScanner::Open(const FileItem& item, bool look_first, FileOutcome& outcome, os::Fd& fd,
                                    os::FileInfo& info) {
  outcome.position = item.position;
  outcome.path = item.path;
  const auto fail = [&](const os::OsError& error) {
    outcome.error = error.message();
    interrupted_ |= error.code == ECANCELED;
    return Read::kNothing;
  };
  if (raw_.capacity() > kKeepBuffer) raw_.Release();
  if (decoded_.capacity() > kKeepBuffer) std::string().swap(decoded_);
  auto opened = opener_.Open(item.path);
  if (!opened.ok()) return fail(opened.error());
  fd = std::move(*opened);
  const auto stat = os::Stat(fd.get());
  if (!stat.ok()) return fail(stat.error());
  info = *stat;
  if (info.type != os::FileType::kRegular) {
    outcome.error = "is no longer a regular file";
    return Read::kNothing;
  }
  outcome.too_large = info.size > query_.max_file_size;
  if (outcome.too_large) return Read::kNothing;
  if (look_first && info.size > kBlock && !MayMatch(fd)) return Read::kNothing;
  const auto size = os::ReadAll(fd.get(), info.size, query_.max_file_size + 1, raw_, deadline_);
  if (!size.ok()) return fail(size.error());
  outcome.too_large = *size > query_.max_file_size;
  return outcome.too_large ? Read::kNothing : Read::kText;
}

// Whether a line of these may match, or is at least too much to decide.
bool FileScanner::AnyLine(std::string_view text) {
  Prefilter::Cursor cursor(prefilter_, text);
  std::size_t from = 0;
  for (std::uint64_t tried = 1;; ++tried) {
    const std::size_t at = cursor.Next(from);
    if (at == std::string_view::npos) return false;
    const Line line = LineAround(text, at, from);
    if (matcher_->Match(line.text).status != MatchStatus::kNoMatch) return true;
    // The scan that follows ends at once, and says that it was cut short.
    if (tried % kLinesBetweenClockReads == 0 && deadline_.over()) return true;
    from = line.next;
  }
}

bool FileScanner::MayMatch(const os::Fd& fd) {
  if (prefilter_.kind() == Prefilter::Kind::kEveryLine) return true;
  // Blocks are read to the same aligned place; what is kept of the last one is
  // put before it.
  if (!block_) block_ = os::AllocateAligned(2 * kBlock);
  char* const base = block_.get() + kBlock;
  std::uint64_t offset = 0;
  std::size_t kept = 0;  // the beginning of a line whose rest is in the next block
  while (true) {
    const auto n = os::ReadAt(fd.get(), offset, base, kBlock);
    if (!n.ok()) return true;  // reading it whole will tell
    const std::string_view text(base - kept, kept + *n);
    if (offset == 0 && IsWide(SniffEncoding(text.substr(0, kMarkBytes)))) return true;
    offset += *n;
    const std::size_t end = *n == 0 ? text.size() : text.rfind('\n') + 1;
    if (AnyLine(text.substr(0, end))) return true;
    if (*n == 0) return false;
    const std::string_view rest = text.substr(end);
    if (rest.size() > kBlock || deadline_.over()) return true;  // a very long line
    kept = rest.size();
    std::memmove(base - kept, rest.data(), kept);
  }
}

void FileScanner::Keep(const ScanResult& result, FileOutcome& outcome) {
  outcome.binary = result.binary;
  outcome.capped = result.capped;
  if (result.too_complex_lines == 1) {
    outcome.error =
        "the pattern is too complex for line " + std::to_string(result.first_too_complex) + ", which was not searched";
  } else if (result.too_complex_lines > 1) {
    outcome.error = "the pattern is too complex for " + std::to_string(result.too_complex_lines) +
                    " lines (the first is line " + std::to_string(result.first_too_complex) +
                    "), which were not searched";
  }
  outcome.events.reserve(result.events.size());
  for (const LineEvent& line : result.events) outcome.events.push_back(ToEvent(line));
  interrupted_ |= result.interrupted;
}

}  // namespace forge
