#include "backend/file_scan.h"

#include <utility>

#include "base/utf8.h"
#include "match/text.h"

namespace forge {
namespace {

// A buffer this large is given back after use instead of kept for the next file.
constexpr std::size_t kKeepBuffer = 8 * 1024 * 1024;

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
    : query_(query), root_(root), deadline_(deadline), matcher_(std::move(matcher)), prefilter_(prefilter) {}

FileOutcome FileScanner::ScanAll(const FileItem& item) {
  FileOutcome outcome;
  os::FileInfo info;
  if (!Read(item, outcome, info)) return outcome;
  const std::string_view text = DecodeText(raw_, decoded_);
  Keep(ScanText(text, prefilter_, *matcher_, query_.limits, deadline_), outcome);
  return outcome;
}

std::optional<FileOutcome> FileScanner::ScanSeen(const FileItem& item, std::span<const SeenLine> seen,
                                                 const os::FileInfo& seen_in) {
  FileOutcome outcome;
  os::FileInfo info;
  if (!Read(item, outcome, info)) return outcome;
  if (info != seen_in) return std::nullopt;
  const std::string_view text = DecodeText(raw_, decoded_);
  if (!query_.fuzzy) {
    Keep(ScanSeenLines(text, seen, *matcher_, query_.limits, deadline_), outcome);
    return outcome;
  }
  const auto taken = TakeSeenLines(text, seen, query_.limits);
  if (!taken) return std::nullopt;
  Keep(*taken, outcome);
  return outcome;
}

bool FileScanner::Read(const FileItem& item, FileOutcome& outcome, os::FileInfo& info) {
  outcome.position = item.position;
  outcome.path = item.path;
  const auto fail = [&](const os::OsError& error) {
    outcome.error = error.message();
    return false;
  };
  if (raw_.capacity() > kKeepBuffer) std::string().swap(raw_);
  if (decoded_.capacity() > kKeepBuffer) std::string().swap(decoded_);
  for (int attempt = 0; attempt < 2; ++attempt) {
    const auto fd = root_.OpenFile(item.path);
    if (!fd.ok()) return fail(fd.error());
    const auto before = os::Stat(fd->get());
    if (!before.ok()) return fail(before.error());
    if (before->type != os::FileType::kRegular) {
      outcome.error = "is no longer a regular file";
      return false;
    }
    outcome.too_large = before->size > query_.max_file_size;
    if (outcome.too_large) return false;
    const auto size = os::ReadAll(fd->get(), query_.max_file_size + 1, raw_, deadline_);
    if (!size.ok()) {
      interrupted_ |= deadline_.over();
      return fail(size.error());
    }
    outcome.too_large = *size > query_.max_file_size;
    if (outcome.too_large) return false;
    const auto after = os::Stat(fd->get());
    if (!after.ok()) return fail(after.error());
    info = *after;
    if (*before == *after) return true;
  }
  outcome.error = "kept changing while it was searched";
  return false;
}

void FileScanner::Keep(const ScanResult& result, FileOutcome& outcome) {
  outcome.binary = result.binary;
  outcome.capped = result.capped;
  if (result.too_complex_line) {
    outcome.error =
        "the pattern is too complex for line " + std::to_string(*result.too_complex_line) + ", which was not searched";
  }
  outcome.events.reserve(result.events.size());
  for (const LineEvent& line : result.events) outcome.events.push_back(ToEvent(line));
  interrupted_ |= result.interrupted;
}

}  // namespace forge
