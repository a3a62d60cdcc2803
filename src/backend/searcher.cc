#include "backend/searcher.h"

#include <charconv>

namespace forge {
namespace {

// Longer than any path with its escapes: if a record has not ended by then, it
// is not a record.
constexpr std::size_t kMaxRecord = 64 * 1024;

}  // namespace

std::string ToString(const Version& v) {
  return std::to_string(v.major) + "." + std::to_string(v.minor) + "." + std::to_string(v.patch);
}

bool RecordParser::Feed(std::string_view piece, const std::function<bool(const SeenRecord&)>& use) {
  // The common case, a piece of whole records: no copy.
  std::string joined;
  if (!pending_.empty()) {
    joined = std::move(pending_);
    joined.append(piece);
    piece = joined;
    pending_.clear();
  }
  while (!piece.empty()) {
    SeenRecord record;
    std::size_t used = 0;
    switch (CutRecord(piece, record, used)) {
      case Cut::kGarbage: return false;
      case Cut::kNeedMore:
        if (piece.size() > kMaxRecord) return false;
        pending_.assign(piece);
        return true;
      case Cut::kRecord:
        if (!use(record)) return false;
        piece.remove_prefix(used);
    }
  }
  return true;
}

std::optional<std::uint64_t> MostSeen(const Query& query) {
  constexpr std::uint64_t kLargestNumber = 1'000'000'000;  // that every searcher takes
  const std::uint64_t most = query.limits.max_matches;
  if (!query.finder.exact || most >= kLargestNumber) return std::nullopt;
  return most + 1;
}

std::optional<Version> ParseVersion(std::string_view text, std::string_view name) {
  if (!text.starts_with(name)) return std::nullopt;
  text.remove_prefix(name.size());
  const std::size_t start = text.find_first_not_of(" \t");
  if (start == 0 || start == std::string_view::npos) return std::nullopt;
  const char* at = text.data() + start;
  const char* end = text.data() + text.size();
  Version version;
  int* const parts[] = {&version.major, &version.minor, &version.patch};
  for (int i = 0; i < 3; ++i) {
    const auto [next, error] = std::from_chars(at, end, *parts[i]);
    if (error != std::errc()) return i < 2 ? std::nullopt : std::optional(version);
    if (next == end || *next != '.') return i < 1 ? std::nullopt : std::optional(version);
    at = next + 1;
  }
  return version;
}

}  // namespace forge
