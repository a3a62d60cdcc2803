#include "backend/file_scan.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>
#include <utility>

#include "match/stream_scan.h"
#include "match/text.h"

namespace forge {
namespace {

// A larger buffer is freed after use, not kept for the next file.
constexpr std::size_t kKeepBuffer = 32 * 1024 * 1024;

// A file that probably matches and is not larger than this is read whole at
// once, without looking through its portions first. For a larger one, reading it
// twice takes longer but saves memory.
constexpr std::uint64_t kReadAtOnce = 1024 * 1024;

constexpr const char* kChanged = "changed while it was searched; what is shown may be of different states";
constexpr const char* kKeptChanging = "kept changing while it was searched";

bool Unchanged(const os::Fd& fd, const os::FileInfo& before) {
  const auto after = os::Stat(fd.get());
  return after.ok() && *after == before;
}

// Whether a file in this state has not changed since before `began`. The margin
// is for clocks that tick slowly.
bool AtRestSince(const os::FileInfo& info, std::int64_t began) {
  constexpr std::int64_t kMarginNs = 50'000'000;
  return info.type == os::FileType::kRegular && info.ctime_ns < began - kMarginNs && info.mtime_ns < began - kMarginNs;
}

// And whether it is as long as the bytes that we read.
bool AtRestSince(const os::Fd& fd, std::int64_t began, std::uint64_t size) {
  const auto info = os::Stat(fd.get());
  return info.ok() && info->size == size && AtRestSince(*info, began);
}

// Only a file that we show must come from one state. If a file that matches
// nothing is written to meanwhile, we may see it before or after the write.
bool Shows(const ScanResult& result) {
  return result.matched_lines > 0 || !result.events.empty() || result.binary || result.too_complex_lines > 0;
}

ScanResult Interrupted() {
  ScanResult result;
  result.interrupted = true;
  return result;
}

// Makes `out` these parts of the bytes, in the text that has no mark. Nothing if they
// are not parts of it, which would be a damaged index.
void FindParts(std::string_view text, std::size_t mark, const std::vector<TextPart>& parts,
               std::vector<TextPart>& out) {
  out.clear();
  for (const TextPart& part : parts) {
    const std::size_t begin = part.begin == 0 ? 0 : part.begin - mark;
    const std::size_t end = part.end - mark;
    const bool aligned = begin == 0 || (begin < text.size() && text[begin - 1] == '\n');
    if (!aligned || end > text.size() || begin > end) return out.clear();
    out.push_back({begin, end, part.first_line});
  }
}

// What to read of a file to scan these parts of it: its beginning, where a mark may
// be, and each part with the line feed before it, which FindParts looks at.
std::vector<os::FileRange> RangesOf(const std::vector<TextPart>& parts) {
  std::vector<os::FileRange> ranges;
  ranges.reserve(parts.size() + 1);
  if (parts.front().begin > 0) ranges.push_back({0, std::min<std::uint64_t>(kMarkBytes, parts.front().begin)});
  for (const TextPart& part : parts) ranges.push_back({part.begin == 0 ? 0 : part.begin - 1, part.end});
  return ranges;
}

// Whether that takes less time than to read it whole: a system call costs as much as
// copying some kilobytes.
bool PaysToRead(const std::vector<os::FileRange>& ranges, std::uint64_t size) {
  constexpr std::uint64_t kCostOfARead = 4 * 1024;
  std::uint64_t cost = 0;
  for (const os::FileRange& range : ranges) cost += range.end - range.begin + kCostOfARead;
  return cost < size;
}

FileOutcome OutcomeOf(const FileItem& item) {
  FileOutcome outcome;
  outcome.position = item.position;
  return outcome;
}

}  // namespace

FileScanner::FileScanner(const Query& query, const SearchRoot& root, const Deadline& deadline, const ScanBounds& bounds)
    : FileScanner(query, std::make_unique<PatternMatcher>(query.pattern, deadline), query.prefilter, root, deadline,
                  bounds) {}

FileScanner::FileScanner(const Query& query, std::unique_ptr<LineMatcher> matcher, const Prefilter& prefilter,
                         const SearchRoot& root, const Deadline& deadline, const ScanBounds& bounds)
    : query_(query),
      opener_(root),
      deadline_(deadline),
      matcher_(std::move(matcher)),
      prefilter_(prefilter),
      bounds_(bounds) {}

ScanResult FileScanner::ScanBytes(std::string_view bytes) {
  const std::string_view text = DecodeText(bytes, decoded_, deadline_);
  if (IsTranscoded(text) && deadline_.over()) return Interrupted();
  return ScanWhole(text, Held(query_.limits));
}

ScanResult FileScanner::ScanWhole(std::string_view text, const ScanLimits& limits) {
  return ScanText(text, prefilter_, *matcher_, limits, deadline_, TakeLines());
}

ScanLimits FileScanner::Held(ScanLimits limits) const {
  limits.max_events = std::min(limits.max_events, bounds_.events + 1);
  return limits;
}

// The parts are those of the state that is vouched for. So they count only if the
// file is still in it, after it was read.
bool FileScanner::PartsHold(const FileItem& item, const os::Fd& fd) const {
  return !item.parts.empty() && item.vouched->size == raw_.view().size() && Unchanged(fd, *item.vouched);
}

// The beginning of a text is not a text to search.
bool FileScanner::IsTranscoded(std::string_view text) const { return text.data() == decoded_.data(); }

bool FileScanner::ScanKept(const FileItem& item, FileOutcome& outcome) {
  if (item.vouched == nullptr || query_.texts == nullptr || query_.size_limit.Skips(item.vouched->size)) return false;
  const TextCache::Text text = query_.texts->Find(*item.vouched, query_.turn);
  if (!text) return false;
  outcome.bytes = text.view().size();
  ScanLimits limits = Held(query_.limits);
  limits.as_text = true;  // a text with a NUL is not kept, so we need not look for one
  Keep(ScanInside(text.view(), item.parts, limits), outcome);
  return true;
}

ScanResult FileScanner::ScanInside(std::string_view bytes, const std::vector<TextPart>& parts,
                                   const ScanLimits& limits) {
  if (IsWide(SniffEncoding(bytes.substr(0, kMarkBytes)))) return ScanBytes(bytes);
  const std::string_view text = DecodeText(bytes, decoded_);
  FindParts(text, bytes.size() - text.size(), parts, inside_);
  if (inside_.empty() || limits.takes_other_lines()) return ScanWhole(text, limits);
  return ScanParts(text, inside_, prefilter_, *matcher_, limits, deadline_, TakeLines());
}

bool FileScanner::WantsToKeep(const FileItem& item) const {
  return item.vouched != nullptr && query_.texts != nullptr && query_.texts->HasRoom(*item.vouched, query_.turn);
}

void FileScanner::KeepText(const FileItem& item, const os::Fd& fd) {
  if (!WantsToKeep(item) || item.vouched->size != raw_.view().size() || !Unchanged(fd, *item.vouched)) return;
  query_.texts->Keep(*item.vouched, raw_.view(), query_.turn);
}

bool FileScanner::ScanPartsOnly(const FileItem& item, const os::Fd& fd, FileOutcome& outcome) {
  const Context& context = query_.limits.context;
  if (item.parts.empty() || context.before > 0 || context.after > 0 || query_.limits.takes_other_lines()) return false;
  const std::uint64_t size = item.vouched->size;
  const std::vector<os::FileRange> ranges = RangesOf(item.parts);
  if (size > bounds_.file || query_.size_limit.Skips(size) || !PaysToRead(ranges, size)) return false;
  if (WantsToKeep(item)) return false;
  if (!os::ReadRanges(fd.get(), size, ranges, raw_, deadline_).ok() || !Unchanged(fd, *item.vouched)) return false;
  // The state is the one that was indexed. So the text is not wide, has no NUL, and
  // no line outside the parts matches: what lies there in the buffer is not read.
  const std::string_view text = DecodeText(raw_.view(), decoded_);
  FindParts(text, raw_.view().size() - text.size(), item.parts, inside_);
  if (inside_.empty()) return false;
  ScanLimits limits = Held(query_.limits);
  limits.as_text = true;
  outcome.bytes = size;
  Keep(ScanParts(text, inside_, prefilter_, *matcher_, limits, deadline_, TakeLines()), outcome);
  return true;
}

bool FileScanner::ScanAtRest(const FileItem& item, FileOutcome& outcome) {
  const std::int64_t began = os::FileClockNow();
  const auto fd = opener_.Open(item.path, item.alone);
  if (!fd.ok()) {
    outcome.error = fd.error().message();
    return true;
  }
  if (!opener_.short_read_is_end() && !item.alone) return false;
  if (ScanPartsOnly(item, *fd, outcome)) return true;
  const auto size = os::ReadOnce(fd->get(), bounds_.portion, raw_);
  if (!size.ok()) return false;
  if (*size == bounds_.portion) return EndIsKnown(*fd) && ScanLarge(item, *fd, began, outcome);
  outcome.too_large = query_.size_limit.Skips(*size);
  if (outcome.too_large) return true;
  outcome.bytes = *size;
  const bool parts_hold = PartsHold(item, *fd);
  ScanResult result = parts_hold ? ScanInside(raw_.view(), item.parts, Held(query_.limits)) : ScanRaw();
  if (!parts_hold && (!opener_.short_read_is_end() || Shows(result))) {
    const bool at_rest = AtRestSince(*fd, began, *size);
    if (!at_rest && (Shows(result) || !EndIsKnown(*fd))) return false;
  }
  Keep(std::move(result), outcome);
  KeepText(item, *fd);
  return true;
}

bool FileScanner::EndIsKnown(const os::Fd& fd) const {
  return opener_.short_read_is_end() || os::ShortReadIsEnd(fd.get());
}

bool FileScanner::ScanLarge(const FileItem& item, const os::Fd& fd, std::int64_t began, FileOutcome& outcome) {
  const auto info = os::Stat(fd.get());
  if (!info.ok() || !AtRestSince(*info, began)) return false;
  outcome.too_large = query_.size_limit.Skips(info->size);
  outcome.bytes = outcome.too_large ? 0 : info->size;
  const bool huge = info->size > bounds_.file;
  const bool at_once =
      (item.alone && info->size <= kReadAtOnce) || query_.limits.takes_other_lines() || (!huge && WantsToKeep(item));
  if (outcome.too_large || (!at_once && !MayMatch(fd))) return true;
  if (huge) {
    outcome = ScanHuge(item);
    return true;
  }
  const auto size = os::ReadRest(fd.get(), info->size, query_.size_limit.enough_to_tell(), raw_, deadline_);
  if (!TakeSize(size, outcome)) return true;
  const bool parts_hold = PartsHold(item, fd);
  ScanResult result = parts_hold ? ScanInside(raw_.view(), item.parts, Held(query_.limits)) : ScanRaw();
  if (!parts_hold && Shows(result) && !Unchanged(fd, *info)) return false;
  Keep(std::move(result), outcome);
  KeepText(item, fd);
  return true;
}

FileOutcome FileScanner::ScanAll(const FileItem& item, std::vector<Event> spent) {
  try {
    return TryAll(item, std::move(spent));
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

FileOutcome FileScanner::Stream(const FileItem& item, const TakeEvent& take) {
  try {
    return TryStream(item, take);
  } catch (const std::bad_alloc&) {
    return OutOfMemory(item);
  }
}

FileOutcome FileScanner::OutOfMemory(const FileItem& item) {
  raw_.Release();
  std::string().swap(decoded_);
  FileOutcome outcome = OutcomeOf(item);
  outcome.error = "there is not enough memory to search it";
  return outcome;
}

FileOutcome FileScanner::TryAll(const FileItem& item, std::vector<Event> spent) {
  if (raw_.capacity() > kKeepBuffer) raw_.Release();
  if (decoded_.capacity() > kKeepBuffer) std::string().swap(decoded_);
  FileOutcome outcome = OutcomeOf(item);
  outcome.events = std::move(spent);
  outcome.events.clear();
  if (ScanKept(item, outcome) || ScanAtRest(item, outcome)) return outcome;
  os::Fd fd;
  os::FileInfo before;
  for (int attempt = 0; attempt < 2; ++attempt) {
    if (!OpenRegular(item, outcome, fd, before)) return outcome;
    if (before.size > bounds_.file) return ScanHuge(item);
    if (!ReadWhole(fd, before, outcome)) return outcome;
    ScanResult result = ScanRaw();
    if (Unchanged(fd, before)) {
      Keep(std::move(result), outcome);
      return outcome;
    }
  }
  outcome.error = kKeptChanging;
  return outcome;
}

std::optional<FileOutcome> FileScanner::TrySeen(const FileItem& item, std::span<const SeenLine> seen,
                                                const os::FileInfo& seen_in) {
  FileOutcome outcome = OutcomeOf(item);
  os::Fd fd;
  os::FileInfo before;
  if (!OpenRegular(item, outcome, fd, before) || !ReadWhole(fd, before, outcome)) return outcome;
  if (before != seen_in || !Unchanged(fd, before)) return std::nullopt;
  const std::string_view text = DecodeText(raw_.view(), decoded_, deadline_);
  if (IsTranscoded(text) && deadline_.over()) {
    Keep(Interrupted(), outcome);
    return outcome;
  }
  if (!query_.fuzzy) {
    Keep(ScanSeenLines(text, seen, *matcher_, Held(query_.limits), deadline_), outcome);
    return outcome;
  }
  const auto taken = TakeSeenLines(text, seen, query_.limits);
  if (!taken) return std::nullopt;
  KeepCounts(*taken, outcome);
  KeepEvents(*taken, UINT64_MAX, outcome);  // only the searcher can find them again
  return outcome;
}

bool FileScanner::OpenRegular(const FileItem& item, FileOutcome& outcome, os::Fd& fd, os::FileInfo& info) {
  auto opened = opener_.Open(item.path);
  if (!opened.ok()) {
    outcome.error = opened.error().message();
    return false;
  }
  fd = std::move(*opened);
  const auto stat = os::Stat(fd.get());
  if (!stat.ok()) {
    outcome.error = stat.error().message();
    return false;
  }
  info = *stat;
  if (info.type != os::FileType::kRegular) {
    outcome.error = kNotRegular;
    return false;
  }
  outcome.too_large = query_.size_limit.Skips(info.size);
  return !outcome.too_large;
}

bool FileScanner::ReadWhole(const os::Fd& fd, const os::FileInfo& info, FileOutcome& outcome) {
  return TakeSize(os::ReadAll(fd.get(), info.size, query_.size_limit.enough_to_tell(), raw_, deadline_), outcome);
}

// False if the bytes are not to be searched; the outcome says why.
bool FileScanner::TakeSize(const os::OsResult<std::size_t>& size, FileOutcome& outcome) {
  if (!size.ok()) {
    outcome.error = size.error().message();
    interrupted_ |= size.error().code == ECANCELED;
    return false;
  }
  outcome.too_large = query_.size_limit.Skips(*size);
  outcome.bytes = outcome.too_large ? 0 : *size;
  return !outcome.too_large;
}

// Whether one of these lines may match, or is too complex to decide.
bool FileScanner::AnyLine(std::string_view text) {
  Prefilter::Cursor cursor(prefilter_, text, deadline_);
  std::size_t from = 0;
  for (std::uint64_t tried = 1;; ++tried) {
    const std::size_t at = cursor.Next(from);
    if (at == std::string_view::npos) return cursor.interrupted();
    const Line line = LineAround(text, at, from);
    if (matcher_->Match(line.text).status != MatchStatus::kNoMatch) return true;
    // The scan that follows ends at once, and reports that it was cut short.
    if (deadline_.cancelled() || (tried % kLinesBetweenClockReads == 0 && deadline_.over())) return true;
    from = line.next;
  }
}

bool FileScanner::MayMatch(const os::Fd& fd) {
  if (prefilter_.kind() == Prefilter::Kind::kEveryLine) return true;
  if (IsWide(SniffEncoding(raw_.view().substr(0, kMarkBytes)))) return true;
  std::string_view text = DecodeText(raw_.view(), decoded_);  // without a mark
  // We read each portion after the first to the same aligned place. If a line
  // continues in the next portion, we put its beginning before that portion.
  if (!portion_) portion_ = os::AllocateAligned(2 * bounds_.portion);
  char* const place = portion_.get() + bounds_.portion;
  for (std::uint64_t offset = raw_.view().size();;) {
    const std::size_t end = text.rfind('\n') + 1;
    if (AnyLine(text.substr(0, end))) return true;
    const std::string_view rest = text.substr(end);
    if (rest.size() > bounds_.portion || deadline_.over()) return true;  // a very long line
    std::memmove(place - rest.size(), rest.data(), rest.size());
    const auto n = os::ReadAt(fd.get(), offset, place, bounds_.portion);
    if (!n.ok()) return true;  // reading the whole file will show why
    text = {place - rest.size(), rest.size() + *n};
    offset += *n;
    if (*n < bounds_.portion) return AnyLine(text);
  }
}

// Without events there is nothing to wait for.
FileOutcome FileScanner::ScanHuge(const FileItem& item) {
  raw_.Release();
  if (query_.limits.report != ScanReport::kLines) return TryStream(item, {});
  FileOutcome outcome = OutcomeOf(item);
  outcome.deferred = true;
  return outcome;
}

FileOutcome FileScanner::TryStream(const FileItem& item, const TakeEvent& take) {
  FileOutcome outcome;
  for (int attempt = 0; attempt < 2; ++attempt) {
    outcome = OutcomeOf(item);
    os::Fd fd;
    os::FileInfo before;
    bool shown = false;
    bool enough = false;
    if (!OpenRegular(item, outcome, fd, before)) return outcome;
    const TakeEvent show = [&](Event&& event) {
      shown = true;
      enough = !take(std::move(event));
      return !enough;
    };
    StreamOpened(fd, before, show, outcome);
    if (enough || interrupted_ || Unchanged(fd, before)) return outcome;
    outcome.error = shown ? kChanged : kKeptChanging;
    if (shown) return outcome;
  }
  return outcome;
}

void FileScanner::StreamOpened(const os::Fd& fd, const os::FileInfo& info, const TakeEvent& take,
                               FileOutcome& outcome) {
  ScanLimits limits = query_.limits;
  bool binary = false;
  const auto look_for_nul = [&](std::string_view text) {
    binary = text.find('\0') != std::string_view::npos;
    return !binary;
  };
  if (!limits.as_text && !ReadPieces(fd, info, look_for_nul, outcome)) return;
  limits.as_text = true;
  if (binary) limits.report = ScanReport::kFirst;  // is there a match at all?
  std::uint64_t matches = 0;
  bool any = false;
  StreamScan scan(prefilter_, *matcher_, limits, deadline_, [&](const LineEvent& line) {
    Event event;
    TextRoom own;
    interrupted_ |= !ToEvent(line, query_.detail, *matcher_, deadline_, own, event);
    matches += MatchesIn(event);
    any = true;
    return !interrupted_ && take(std::move(event));
  });
  // A binary file may be an image of a disk, with gigabytes between two line feeds.
  // None of its lines is shown, so a long one may be taken as several.
  std::uint64_t line = 0;
  const auto add = [&](std::string_view text) {
    const std::size_t lf = text.rfind('\n');
    line = lf == std::string_view::npos ? line + text.size() : text.size() - lf - 1;
    if (!scan.Add(text)) return false;
    if (!binary || line < bounds_.binary_line) return true;
    line = 0;
    return scan.Add("\n");
  };
  if (!ReadPieces(fd, info, add, outcome)) return;
  ScanResult result = scan.Finish();
  if (binary) {
    result.binary = result.matched_lines > 0;
    result.matched_lines = result.matches = result.too_complex_lines = 0;
  }
  KeepCounts(result, outcome);
  if (query_.detail.every_match && any) outcome.matches = matches;
}

// A file of /proc has content, but its size is 0: that is read to its end.
bool FileScanner::ReadPieces(const os::Fd& fd, const os::FileInfo& info,
                             const std::function<bool(std::string_view)>& use, FileOutcome& outcome) {
  const os::AlignedBytes piece = os::AllocateAligned(bounds_.piece);
  const std::uint64_t end = info.size == 0 ? UINT64_MAX : info.size;
  TextDecoder decoder;
  std::uint64_t offset = 0;
  for (bool more = true; more;) {
    interrupted_ |= deadline_.over();
    if (interrupted_) return false;
    const auto n = os::ReadAt(fd.get(), offset, piece.get(), std::min<std::uint64_t>(bounds_.piece, end - offset));
    if (!n.ok()) {
      outcome.error = n.error().message();
      return false;
    }
    offset += *n;
    const bool last = *n == 0 || offset == end;
    more = use(decoder.Take({piece.get(), *n}, last)) && !last;
  }
  outcome.bytes = info.size == 0 ? offset : info.size;
  return true;
}

void FileScanner::Keep(ScanResult result, FileOutcome& outcome) {
  KeepCounts(result, outcome);
  if (result.events.size() > bounds_.events) {
    outcome.deferred = true;
  } else {
    KeepEvents(result, bounds_.text, outcome);
    lines_ = std::move(result.events);
  }
}

void FileScanner::KeepCounts(const ScanResult& result, FileOutcome& outcome) {
  interrupted_ |= result.interrupted;
  if (result.interrupted) return;  // the outcome is void
  outcome.binary = result.binary;
  outcome.capped = result.capped;
  outcome.matched_lines = result.matched_lines;
  outcome.matches = result.matches > 0 ? result.matches : result.matched_lines;
  outcome.error = ProblemOf(result);
}

void FileScanner::KeepEvents(const ScanResult& result, std::uint64_t most_bytes, FileOutcome& outcome) {
  if (result.interrupted) return;
  std::uint64_t text_bytes = 0;
  for (const LineEvent& line : result.events) text_bytes += line.line.size();
  outcome.deferred = text_bytes > most_bytes;
  if (outcome.deferred) return;
  room_.Reserve(text_bytes);
  outcome.events.reserve(result.events.size());
  std::uint64_t bytes = 0;
  std::uint64_t matches = 0;
  for (const LineEvent& line : result.events) {
    Event& event = outcome.events.emplace_back();
    interrupted_ |= !ToEvent(line, query_.detail, *matcher_, deadline_, room_, event);
    if (interrupted_) return;
    bytes += BytesOf(event);
    matches += MatchesIn(event);
    if (bytes <= most_bytes) continue;
    std::vector<Event>().swap(outcome.events);
    outcome.deferred = true;
    return;
  }
  if (query_.detail.every_match && !outcome.events.empty()) outcome.matches = matches;
}

}  // namespace forge
