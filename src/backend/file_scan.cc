#include "backend/file_scan.h"

#include <cerrno>
#include <cstring>
#include <new>
#include <utility>

#include "base/utf8.h"
#include "match/text.h"

namespace forge {
namespace {

// A larger buffer is freed after use, not kept for the next file.
constexpr std::size_t kKeepBuffer = 32 * 1024 * 1024;

// A file that probably matches and is not larger than this is read whole at
// once, without looking through its portions first. For a larger one, reading it
// twice takes longer but saves memory.
constexpr std::uint64_t kReadAtOnce = 1024 * 1024;

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

// Where a block of about that size may end: before a byte that begins a
// character, or one that can belong to none. So each block is converted by
// itself.
std::size_t EndOfBlock(std::string_view text, std::size_t size) {
  std::size_t end = size;
  while (end < text.size() && end < size + 4 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80) ++end;
  return end;
}

// As LossyUtf8. False if the deadline has passed: one line may be many megabytes
// of bytes that are not UTF-8.
bool ToText(std::string_view bytes, const Deadline& deadline, std::string& text) {
  constexpr std::size_t kBlock = 256 * 1024;
  while (bytes.size() > kBlock) {
    const std::size_t end = EndOfBlock(bytes, kBlock);
    text += LossyUtf8(bytes.substr(0, end));
    bytes.remove_prefix(end);
    if (deadline.over()) return false;
  }
  text = text.empty() ? LossyUtf8(bytes) : std::move(text) + LossyUtf8(bytes);
  return true;
}

// As ToText, or the bytes as they are.
bool ToShown(std::string_view bytes, bool exact, const Deadline& deadline, std::string& text) {
  if (!exact) return ToText(bytes, deadline, text);
  text = bytes;
  return true;
}

// False at the deadline: a line may have millions of matches.
bool ToPlaces(const LineEvent& line, LineMatcher& matcher, const EventDetail& detail, const Deadline& deadline,
              std::vector<Place>& places) {
  constexpr std::size_t kMatchesBetweenClockReads = 256;
  Matches all(matcher, line.line);
  for (Span match; all.Next(match);) {
    places.push_back({match.begin, match.end});
    if (detail.replacement) places.back().replacement = matcher.Expand(*detail.replacement, line.line, match);
    if (places.size() % kMatchesBetweenClockReads == 0 && deadline.over()) return false;
  }
  // A matcher may know less than the searcher that found the line.
  if (places.empty()) places.push_back({line.match.begin, line.match.end, detail.replacement.value_or("")});
  return true;
}

bool ToEvent(const LineEvent& line, const Query& query, LineMatcher& matcher, const Deadline& deadline, Event& event) {
  const EventDetail& detail = query.detail;
  event.type = line.is_match ? Event::Type::kMatch : Event::Type::kContext;
  event.line_number = line.line_number;
  event.offset = line.offset;
  event.ending = line.ending;
  if (!ToShown(line.line, detail.exact_bytes, deadline, event.line)) return false;
  if (!line.is_match || query.limits.invert) return true;
  event.column = line.match.begin + 1;
  if (detail.every_match && !ToPlaces(line, matcher, detail, deadline, event.places)) return false;
  const std::string_view matched = line.line.substr(line.match.begin, line.match.size());
  return ToShown(matched, detail.exact_bytes, deadline, event.match_text);
}

// These parts of the bytes, in the text that has no mark. Nothing if they are not
// parts of it, which would be a damaged index.
std::vector<TextPart> PartsOf(std::string_view text, std::size_t mark, const std::vector<TextPart>& parts) {
  std::vector<TextPart> out;
  out.reserve(parts.size());
  for (const TextPart& part : parts) {
    const std::size_t begin = part.begin == 0 ? 0 : part.begin - mark;
    const std::size_t end = part.end - mark;
    const bool aligned = begin == 0 || (begin < text.size() && text[begin - 1] == '\n');
    if (!aligned || end > text.size() || begin > end) return {};
    out.push_back({begin, end, part.first_line});
  }
  return out;
}

FileOutcome OutcomeOf(const FileItem& item) {
  FileOutcome outcome;
  outcome.position = item.position;
  outcome.path = item.path;
  return outcome;
}

}  // namespace

FileScanner::FileScanner(const Query& query, const SearchRoot& root, const Deadline& deadline, std::size_t portion)
    : FileScanner(query, std::make_unique<PatternMatcher>(query.pattern, deadline), query.prefilter, root, deadline,
                  portion) {}

FileScanner::FileScanner(const Query& query, std::unique_ptr<LineMatcher> matcher, const Prefilter& prefilter,
                         const SearchRoot& root, const Deadline& deadline, std::size_t portion)
    : query_(query),
      opener_(root),
      deadline_(deadline),
      matcher_(std::move(matcher)),
      prefilter_(prefilter),
      portion_size_(portion) {}

ScanResult FileScanner::ScanBytes(std::string_view bytes) {
  const std::string_view text = DecodeText(bytes, decoded_, deadline_);
  if (IsTranscoded(text) && deadline_.over()) return Interrupted();
  return ScanText(text, prefilter_, *matcher_, query_.limits, deadline_);
}

// The parts are those of the state that is vouched for. So they count only if the
// file is still in it, after it was read.
ScanResult FileScanner::ScanRawOf(const FileItem& item, const os::Fd& fd) {
  if (item.parts.empty()) return ScanRaw();
  ScanResult result = ScanInside(raw_.view(), item.parts, query_.limits);
  return Unchanged(fd, *item.vouched) ? result : ScanRaw();
}

// The beginning of a text is not a text to search.
bool FileScanner::IsTranscoded(std::string_view text) const { return text.data() == decoded_.data(); }

bool FileScanner::ScanKept(const FileItem& item, FileOutcome& outcome) {
  if (item.vouched == nullptr || query_.texts == nullptr || query_.size_limit.Skips(item.vouched->size)) return false;
  const TextCache::Text text = query_.texts->Find(*item.vouched, query_.turn);
  if (!text) return false;
  outcome.bytes = text.view().size();
  ScanLimits limits = query_.limits;
  limits.as_text = true;  // a text with a NUL is not kept, so we need not look for one
  Keep(ScanInside(text.view(), item.parts, limits), outcome);
  return true;
}

ScanResult FileScanner::ScanInside(std::string_view bytes, const std::vector<TextPart>& parts,
                                   const ScanLimits& limits) {
  if (IsWide(SniffEncoding(bytes.substr(0, kMarkBytes)))) return ScanBytes(bytes);
  const std::string_view text = DecodeText(bytes, decoded_);
  const std::vector<TextPart> inside = PartsOf(text, bytes.size() - text.size(), parts);
  if (inside.empty() || limits.takes_other_lines()) return ScanText(text, prefilter_, *matcher_, limits, deadline_);
  return ScanParts(text, inside, prefilter_, *matcher_, limits, deadline_);
}

bool FileScanner::WantsToKeep(const FileItem& item) const {
  return item.vouched != nullptr && query_.texts != nullptr && query_.texts->HasRoom(*item.vouched, query_.turn);
}

void FileScanner::KeepText(const FileItem& item, const os::Fd& fd) {
  if (!WantsToKeep(item) || item.vouched->size != raw_.view().size() || !Unchanged(fd, *item.vouched)) return;
  query_.texts->Keep(*item.vouched, raw_.view(), query_.turn);
}

bool FileScanner::ScanAtRest(const FileItem& item, FileOutcome& outcome) {
  const std::int64_t began = os::FileClockNow();
  const auto fd = opener_.Open(item.path, item.alone);
  if (!fd.ok()) {
    outcome.error = fd.error().message();
    return true;
  }
  if (!opener_.short_read_is_end() && !item.alone) return false;
  const auto size = os::ReadOnce(fd->get(), portion_size_, raw_);
  if (!size.ok()) return false;
  if (*size == portion_size_) return EndIsKnown(*fd) && ScanLarge(item, *fd, began, outcome);
  outcome.too_large = query_.size_limit.Skips(*size);
  if (outcome.too_large) return true;
  outcome.bytes = *size;
  const ScanResult result = ScanRawOf(item, *fd);
  if (!opener_.short_read_is_end() || Shows(result)) {
    const bool at_rest = AtRestSince(*fd, began, *size);
    if (!at_rest && (Shows(result) || !EndIsKnown(*fd))) return false;
  }
  Keep(result, outcome);
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
  const bool at_once =
      (item.alone && info->size <= kReadAtOnce) || query_.limits.takes_other_lines() || WantsToKeep(item);
  if (outcome.too_large || (!at_once && !MayMatch(fd))) return true;
  const auto size = os::ReadRest(fd.get(), info->size, query_.size_limit.enough_to_tell(), raw_, deadline_);
  if (!TakeSize(size, outcome)) return true;
  const ScanResult result = ScanRawOf(item, fd);
  if (Shows(result) && !Unchanged(fd, *info)) return false;
  Keep(result, outcome);
  KeepText(item, fd);
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
  FileOutcome outcome = OutcomeOf(item);
  outcome.error = "there is not enough memory to search it";
  return outcome;
}

FileOutcome FileScanner::TryAll(const FileItem& item) {
  if (raw_.capacity() > kKeepBuffer) raw_.Release();
  if (decoded_.capacity() > kKeepBuffer) std::string().swap(decoded_);
  FileOutcome outcome = OutcomeOf(item);
  if (ScanKept(item, outcome) || ScanAtRest(item, outcome)) return outcome;
  os::Fd fd;
  os::FileInfo before;
  for (int attempt = 0; attempt < 2; ++attempt) {
    if (!ReadWhole(item, outcome, fd, before)) return outcome;
    const ScanResult result = ScanRaw();
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
  FileOutcome outcome = OutcomeOf(item);
  os::Fd fd;
  os::FileInfo before;
  if (!ReadWhole(item, outcome, fd, before)) return outcome;
  if (before != seen_in || !Unchanged(fd, before)) return std::nullopt;
  const std::string_view text = DecodeText(raw_.view(), decoded_, deadline_);
  if (IsTranscoded(text) && deadline_.over()) {
    Keep(Interrupted(), outcome);
    return outcome;
  }
  if (!query_.fuzzy) {
    Keep(ScanSeenLines(text, seen, *matcher_, query_.limits, deadline_), outcome);
    return outcome;
  }
  const auto taken = TakeSeenLines(text, seen, query_.limits);
  if (!taken) return std::nullopt;
  Keep(*taken, outcome);
  return outcome;
}

bool FileScanner::ReadWhole(const FileItem& item, FileOutcome& outcome, os::Fd& fd, os::FileInfo& info) {
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
  if (outcome.too_large) return false;
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
  if (!portion_) portion_ = os::AllocateAligned(2 * portion_size_);
  char* const place = portion_.get() + portion_size_;
  for (std::uint64_t offset = raw_.view().size();;) {
    const std::size_t end = text.rfind('\n') + 1;
    if (AnyLine(text.substr(0, end))) return true;
    const std::string_view rest = text.substr(end);
    if (rest.size() > portion_size_ || deadline_.over()) return true;  // a very long line
    std::memmove(place - rest.size(), rest.data(), rest.size());
    const auto n = os::ReadAt(fd.get(), offset, place, portion_size_);
    if (!n.ok()) return true;  // reading the whole file will show why
    text = {place - rest.size(), rest.size() + *n};
    offset += *n;
    if (*n < portion_size_) return AnyLine(text);
  }
}

void FileScanner::Keep(const ScanResult& result, FileOutcome& outcome) {
  interrupted_ |= result.interrupted;
  if (result.interrupted) return;  // the outcome is void
  outcome.binary = result.binary;
  outcome.capped = result.capped;
  outcome.matched_lines = result.matched_lines;
  outcome.matches = result.matches > 0 ? result.matches : result.matched_lines;
  if (result.too_complex_lines == 1) {
    outcome.error =
        "the pattern is too complex for line " + std::to_string(result.first_too_complex) + ", which was not searched";
  } else if (result.too_complex_lines > 1) {
    outcome.error = "the pattern is too complex for " + std::to_string(result.too_complex_lines) +
                    " lines (the first is line " + std::to_string(result.first_too_complex) +
                    "), which were not searched";
  }
  outcome.events.reserve(result.events.size());
  for (const LineEvent& line : result.events) {
    if (ToEvent(line, query_, *matcher_, deadline_, outcome.events.emplace_back())) continue;
    interrupted_ = true;
    return;
  }
  if (!query_.detail.every_match || outcome.events.empty()) return;
  outcome.matches = 0;
  for (const Event& event : outcome.events) outcome.matches += event.places.size();
}

}  // namespace forge
