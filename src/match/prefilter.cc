#include "match/prefilter.h"

#include <algorithm>
#include <utility>

namespace forge {
namespace {

constexpr std::size_t kBlock = 2 * 1024 * 1024;

std::string Quote(std::string_view text, bool fold) { return " \"" + std::string(text) + "\"" + (fold ? "i" : ""); }

}  // namespace

// False if one of them has no part that is rare enough.
bool Prefilter::TakeLiterals(const FactorSet& factors) {
  if (factors.size() > kMaxLiterals) return false;
  std::vector<Sieve> sieves;
  std::string description = factors.size() == 1 ? "literal" : "literals";
  for (const Factor& factor : factors) {
    std::optional<Sieve> sieve = Sieve::For(ChainOf(factor));
    if (!sieve) return false;
    description += sieve->description();
    sieves.push_back(*std::move(sieve));
  }
  kind_ = Kind::kLiterals;
  literals_ = std::move(sieves);
  description_ = std::move(description);
  return true;
}

Prefilter Prefilter::For(const Pattern& pattern, SetSearch how) {
  Prefilter filter;
  if (pattern.literal()) {
    filter.kind_ = Kind::kExactLiteral;
    filter.literals_.emplace_back(*pattern.literal_finder());
    filter.description_ = "literal" + Quote(*pattern.literal(), pattern.ignores_case());
    return filter;
  }
  if (pattern.sieve()) {
    filter.kind_ = Kind::kLiterals;
    filter.literals_.push_back(*pattern.sieve());
    filter.description_ = "literal" + pattern.sieve()->description();
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
    filter.literals_.emplace_back(LiteralFinder(literal, fold));
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
  return FindInBlocks(from, sieve.reach(), sieve);
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
