#include "match/fuzzy.h"

#include <algorithm>

#include "base/unicode.h"
#include "base/utf8.h"

namespace forge {
namespace {

constexpr char32_t kInvalid = 0xFFFFFFFF;

char32_t Fold(char32_t c, bool fold) { return fold && c >= 'A' && c <= 'Z' ? c | 0x20U : c; }

std::vector<char32_t> Characters(std::string_view text, bool fold) {
  std::vector<char32_t> out;
  while (!text.empty()) {
    const Decoded d = DecodeOne(text);
    out.push_back(d.valid ? Fold(d.code, fold) : kInvalid);
    text.remove_prefix(d.size);
  }
  return out;
}

std::vector<char32_t> Reversed(std::span<const char32_t> characters) {
  return {characters.rbegin(), characters.rend()};
}

}  // namespace

FuzzyPattern::FuzzyPattern(std::string_view text, int level, bool fold, bool word)
    : text_(text),
      fold_(fold),
      word_(word),
      forward_(Characters(text, fold)),
      backward_(Reversed(forward_.pattern())),
      level_(std::min<std::size_t>(static_cast<std::size_t>(level), forward_.size() - 1)) {}

Prefilter FuzzyPattern::MakePrefilter() const {
  // Pieces of fewer than three characters occur nearly everywhere.
  const std::size_t pieces = level_ + 1;
  if (size() < pieces * 3) return {};
  std::vector<std::string> literals;
  std::size_t begin = 0;
  for (std::size_t i = 1; i <= pieces; ++i) {
    const std::size_t end = size() * i / pieces;
    std::string& literal = literals.emplace_back();
    for (; begin < end; ++begin) AppendUtf8(forward_.pattern()[begin], literal);
  }
  return Prefilter::ForLiterals(literals, fold_);
}

FuzzyMatcher::FuzzyMatcher(const FuzzyPattern& pattern, const Deadline& deadline)
    : pattern_(pattern),
      deadline_(deadline),
      forward_(pattern.forward(), pattern.level()),
      backward_(pattern.backward(), pattern.level()) {}

bool FuzzyMatcher::OutOfTime() {
  // This much work takes less than a millisecond. The row of a long pattern is
  // computed anew for each character.
  constexpr std::size_t kBetweenClockReads = 16 * 1024;
  work_ += 1 + pattern_.size() / 32;
  if (work_ >= kBetweenClockReads) {
    work_ = 0;
    over_ = deadline_.over();
  }
  return over_;
}

MatchOutcome FuzzyMatcher::Match(std::string_view line) {
  over_ = false;
  Decode(line);
  std::size_t begin = 0;
  std::size_t end = 0;
  const bool found = pattern_.word() ? FindWord(begin, end) : FindAnywhere(begin, end);
  if (over_) return {MatchStatus::kTooComplex, {}};
  if (!found) return {};
  return {MatchStatus::kMatch, {offsets_[begin], offsets_[end]}};
}

void FuzzyMatcher::Decode(std::string_view line) {
  line_.clear();
  offsets_.clear();
  std::size_t at = 0;
  while (at < line.size() && !OutOfTime()) {
    const Decoded d = DecodeOne(line.substr(at));
    offsets_.push_back(at);
    line_.push_back(d.valid ? Fold(d.code, pattern_.fold()) : kInvalid);
    at += d.size;
  }
  offsets_.push_back(at);
}

// Forward: the least number of edits. Backward: the first start with that many.
// Forward from there: the last end.
bool FuzzyMatcher::FindAnywhere(std::size_t& begin, std::size_t& end) {
  std::size_t fewest = pattern_.level() + 1;
  forward_.Start(false);
  for (const char32_t c : line_) {
    if (OutOfTime()) return false;
    forward_.Step(c);
    fewest = std::min(fewest, forward_.Distance().value_or(fewest));
  }
  if (fewest > pattern_.level()) return false;
  backward_.Start(false);
  for (std::size_t i = line_.size(); i-- > 0;) {
    if (OutOfTime()) return false;
    backward_.Step(line_[i]);
    if (backward_.Distance() == fewest) begin = i;
  }
  forward_.Start(true);
  const std::size_t last = std::min(line_.size(), begin + pattern_.size() + fewest);
  for (std::size_t i = begin; i < last; ++i) {
    if (OutOfTime()) return false;
    forward_.Step(line_[i]);
    if (forward_.Distance() == fewest) end = i + 1;
  }
  return true;
}

bool FuzzyMatcher::FindWord(std::size_t& begin, std::size_t& end) {
  const auto is_word = [&](std::size_t i) { return line_[i] != kInvalid && IsWordCharacter(line_[i]); };
  std::size_t fewest = pattern_.level() + 1;
  for (std::size_t start = 0; start < line_.size(); ++start) {
    if (start > 0 && is_word(start - 1)) continue;
    forward_.Start(true);
    const std::size_t last = std::min(line_.size(), start + pattern_.size() + pattern_.level());
    for (std::size_t i = start; i < last; ++i) {
      if (OutOfTime()) return false;
      forward_.Step(line_[i]);
      const auto distance = forward_.Distance();
      const bool ends = i + 1 == line_.size() || !is_word(i + 1);
      const bool better = distance && (*distance < fewest || (*distance == fewest && start == begin));
      if (!ends || !better) continue;
      fewest = *distance;
      begin = start;
      end = i + 1;
    }
  }
  return fewest <= pattern_.level();
}

}  // namespace forge
