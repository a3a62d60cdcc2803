#include "match/prefilter.h"

#include <algorithm>
#include <utility>

#include "base/ascii.h"
#include "base/utf8.h"

namespace forge {
namespace {

// A literal that is more common than this (one byte in 2^6) excludes too
// little.
constexpr double kMinBits = 6;

constexpr std::size_t kBlock = 2 * 1024 * 1024;

// A stretch of a factor that is a plain byte string.
struct Run {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string text;
  bool fold = false;
  double bits = 0;  // how rare it is
};

bool AppendAtom(const Atom& atom, Run& run) {
  if (atom.single) {
    AppendUtf8(atom.code, run.text);
    return true;
  }
  if (atom.set.other || atom.set.ascii.count() != 2) return false;
  for (char32_t c = 'a'; c <= 'z'; ++c) {
    if (!atom.set.ascii[c] || !atom.set.ascii[c ^ 0x20U]) continue;
    run.text.push_back(static_cast<char>(c));
    run.fold = true;
    return true;
  }
  return false;
}

// The rarest of them.
Run BestRun(const Factor& factor) {
  Run best;
  Run run;
  for (std::size_t i = 0; i <= factor.size(); ++i) {
    if (i < factor.size() && AppendAtom(factor[i], run)) continue;
    run.end = i;
    if (!run.text.empty()) run.bits = LiteralFinder(run.text, run.fold).bits();
    if (run.bits > best.bits) best = std::move(run);
    run = Run();
    run.begin = i + 1;
  }
  return best;
}

CharSet SetOf(const Atom& atom, bool fold) {
  if (!atom.single) return atom.set;
  CharSet set;
  set.other = atom.code >= 128;
  if (!set.other) set.ascii.set(atom.code);
  if (fold && IsAsciiLetter(atom.code)) set.ascii.set(atom.code ^ 0x20U);
  return set;
}

std::string Quote(std::string_view text, bool fold) { return " \"" + std::string(text) + "\"" + (fold ? "i" : ""); }

}  // namespace

// False if one of them has no part that is rare enough.
bool Prefilter::TakeLiterals(const FactorSet& factors) {
  if (factors.size() > kMaxLiterals) return false;
  std::vector<Sieve> sieves;
  std::string description = factors.size() == 1 ? "literal" : "literals";
  for (const Factor& factor : factors) {
    const Run run = BestRun(factor);
    if (run.bits < kMinBits) return false;
    Sieve& sieve = sieves.emplace_back(Sieve{LiteralFinder(run.text, run.fold), {}, {}});
    for (std::size_t i = run.begin; i-- > 0;) sieve.before.push_back(SetOf(factor[i], run.fold));
    for (std::size_t i = run.end; i < factor.size(); ++i) sieve.after.push_back(SetOf(factor[i], run.fold));
    description += Quote(run.text, run.fold);
  }
  kind_ = Kind::kLiterals;
  literals_ = std::move(sieves);
  description_ = std::move(description);
  return true;
}

// A byte outside ASCII ends the test. We leave it to the matcher to find out how
// many bytes its character has.
bool Prefilter::Sieve::FitsAround(std::string_view text, std::size_t at) const {
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (at < i + 1) return false;
    const auto byte = static_cast<unsigned char>(text[at - i - 1]);
    if (byte >= 128) return before[i].other;
    if (!before[i].ascii[byte] || byte == '\n') return false;
  }
  for (std::size_t i = 0; i < after.size(); ++i) {
    if (at + literal.size() + i >= text.size()) return false;
    const auto byte = static_cast<unsigned char>(text[at + literal.size() + i]);
    if (byte >= 128) return after[i].other;
    if (!after[i].ascii[byte] || byte == '\n') return false;
  }
  return true;
}

std::size_t Prefilter::Sieve::Find(std::string_view text, std::size_t from) const {
  std::size_t at = literal.Find(text, from);
  while (at != std::string_view::npos && !FitsAround(text, at)) at = literal.Find(text, at + 1);
  return at;
}

Prefilter Prefilter::For(const Pattern& pattern, SetSearch how) {
  Prefilter filter;
  if (pattern.literal()) {
    filter.kind_ = Kind::kExactLiteral;
    filter.literals_.push_back({*pattern.literal_finder(), {}, {}});
    filter.description_ = "literal" + Quote(*pattern.literal(), pattern.ignores_case());
    return filter;
  }
  const FactorSet& factors = pattern.factors();
  if (factors.empty()) return filter;
  if (filter.TakeLiterals(factors)) return filter;
  std::vector<ByteSequence> sequences = ToByteSequences(factors);
  if (sequences.empty()) return filter;
  filter.kind_ = Kind::kSets;
  if (how == SetSearch::kBest) filter.probe_ = SetProbe::For(sequences);
  if (!filter.probe_) {
    filter.sets_ =
        std::make_shared<SetFinder>(std::move(sequences), how == SetSearch::kHyperscan ? 0 : SetFinder::kShiftAndBytes);
  }
  filter.description_ = "sets " + ToRegex(factors);
  return filter;
}

Prefilter Prefilter::ForLiterals(const std::vector<std::string>& literals, bool fold) {
  Prefilter filter;
  if (literals.empty() || literals.size() > kMaxLiterals) return filter;
  filter.description_ = "literals";
  for (const std::string& literal : literals) {
    if (literal.empty()) return {};
    filter.literals_.push_back({LiteralFinder(literal, fold), {}, {}});
    filter.description_ += Quote(literal, fold);
  }
  filter.kind_ = Kind::kLiterals;
  return filter;
}

Prefilter::Cursor::Cursor(const Prefilter& filter, std::string_view text, const Deadline& deadline)
    : filter_(filter), text_(text), deadline_(deadline) {
  for (std::size_t i = 0; i < filter_.literals_.size(); ++i) next_[i] = FindLiteral(i, 0);
  if (filter_.sets_) sets_.emplace(*filter_.sets_, text_, deadline_);
}

std::size_t Prefilter::Cursor::FindLiteral(std::size_t literal, std::size_t from) {
  const Sieve& sieve = filter_.literals_[literal];
  return FindInBlocks(from, sieve.literal.size() + sieve.after.size(), sieve);
}

// In blocks, each of which takes less than a few milliseconds. A match that begins in
// the block may have `size` bytes.
template <typename Finder>
std::size_t Prefilter::Cursor::FindInBlocks(std::size_t from, std::size_t size, const Finder& finder) {
  while (!interrupted_) {
    const bool last = text_.size() - std::min(from, text_.size()) <= kBlock + size;
    const std::size_t at = finder.Find(last ? text_ : text_.substr(0, from + kBlock + size), from);
    if (last || at != std::string_view::npos) return at;
    from += kBlock;
    interrupted_ = deadline_.over();
  }
  return std::string_view::npos;
}

std::size_t Prefilter::Cursor::Next(std::size_t from) {
  switch (filter_.kind_) {
    case Kind::kEveryLine: return from < text_.size() ? from : std::string_view::npos;
    case Kind::kSets: return sets_ ? sets_->Next(from) : FindInBlocks(from, filter_.probe_->size(), *filter_.probe_);
    case Kind::kExactLiteral:
    case Kind::kLiterals: break;
  }
  std::size_t best = std::string_view::npos;
  for (std::size_t i = 0; i < filter_.literals_.size(); ++i) {
    if (next_[i] < from) next_[i] = FindLiteral(i, from);
    best = std::min(best, next_[i]);
  }
  return best;
}

}  // namespace forge
