#include "match/prefilter.h"

#include <algorithm>
#include <utility>

#include "base/utf8.h"

namespace forge {
namespace {

// More literals than this are looked for one by one no faster than Shift-And
// looks for all at once.
constexpr std::size_t kMaxLiterals = 8;
// A literal that is more common than this (one byte in 2^6) is no good sieve.
constexpr double kMinBits = 6;

struct Run {
  std::string text;  // in lower case where fold
  bool fold = false;
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

// The rarest stretch of a factor that is a plain byte string.
Run BestRun(const Factor& factor) {
  Run best;
  double best_bits = 0;
  Run run;
  const auto offer = [&] {
    if (!run.text.empty()) {
      const double bits = LiteralFinder(run.text, run.fold).bits();
      if (bits > best_bits) {
        best = run;
        best_bits = bits;
      }
    }
    run = Run();
  };
  for (const Atom& atom : factor) {
    if (!AppendAtom(atom, run)) offer();
  }
  offer();
  return best;
}

std::string Quote(const std::vector<LiteralFinder>& finders, const std::vector<Run>& runs) {
  std::string out = finders.size() == 1 ? "literal" : "literals";
  for (const Run& run : runs) out += " \"" + run.text + "\"" + (run.fold ? "i" : "");
  return out;
}

}  // namespace

Prefilter Prefilter::For(const Pattern& pattern) {
  Prefilter filter;
  if (pattern.literal()) {
    filter.kind_ = Kind::kExactLiteral;
    filter.literals_.emplace_back(*pattern.literal(), pattern.ignores_case());
    filter.description_ = Quote(filter.literals_, {{*pattern.literal(), pattern.ignores_case()}});
    return filter;
  }
  const FactorSet& factors = pattern.factors();
  if (factors.empty()) return filter;
  std::vector<Run> runs;
  bool good = factors.size() <= kMaxLiterals;
  for (const Factor& factor : factors) {
    if (!good) break;
    runs.push_back(BestRun(factor));
    good = !runs.back().text.empty();
    if (!good) break;
    filter.literals_.emplace_back(runs.back().text, runs.back().fold);
    good = filter.literals_.back().bits() >= kMinBits;
  }
  if (good) {
    filter.kind_ = Kind::kLiterals;
    filter.description_ = Quote(filter.literals_, runs);
    return filter;
  }
  filter.literals_.clear();
  filter.sets_ = ShiftAnd::For(factors);
  if (filter.sets_) {
    filter.kind_ = Kind::kSets;
    filter.description_ = "sets " + ToRegex(factors);
  }
  return filter;
}

Prefilter Prefilter::ForLiterals(const std::vector<std::string>& literals, bool fold) {
  Prefilter filter;
  if (literals.empty() || literals.size() > kMaxLiterals) return filter;
  std::vector<Run> runs;
  for (const std::string& literal : literals) {
    if (literal.empty()) return {};
    filter.literals_.emplace_back(literal, fold);
    runs.push_back({literal, fold});
  }
  filter.kind_ = Kind::kLiterals;
  filter.description_ = Quote(filter.literals_, runs);
  return filter;
}

Prefilter::Cursor::Cursor(const Prefilter& filter, std::string_view text)
    : filter_(filter), text_(text), next_(filter.literals_.size(), 0) {
  for (std::size_t i = 0; i < next_.size(); ++i) next_[i] = filter_.literals_[i].Find(text_, 0);
}

std::size_t Prefilter::Cursor::Next(std::size_t from) {
  switch (filter_.kind_) {
    case Kind::kEveryLine: return from < text_.size() ? from : std::string_view::npos;
    case Kind::kSets: return filter_.sets_->Find(text_, from);
    case Kind::kExactLiteral:
    case Kind::kLiterals: break;
  }
  std::size_t best = std::string_view::npos;
  for (std::size_t i = 0; i < next_.size(); ++i) {
    if (next_[i] < from) next_[i] = filter_.literals_[i].Find(text_, from);
    best = std::min(best, next_[i]);
  }
  return best;
}

}  // namespace forge
