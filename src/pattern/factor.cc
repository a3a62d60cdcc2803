#include "pattern/factor.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "base/ascii.h"
#include "base/byte_rarity.h"
#include "base/utf8.h"
#include "pattern/escape.h"
#include "pattern/tree.h"

namespace forge {
namespace {

// Bounds that keep the work and the resulting pattern small. More alternatives
// or longer factors would not find fewer lines in practice.
constexpr std::size_t kMaxFactors = 64;
constexpr std::size_t kMaxLength = 48;
constexpr std::size_t kMaxLiteralLength = 512;

// How many bits of information one character has.
double Bits(char32_t c) { return c >= 128 ? 13 : RarityBits(static_cast<unsigned char>(c)); }

double Bits(const Atom& atom) {
  if (atom.single) return Bits(atom.code);
  double probability = atom.set.other ? 0.01 : 0;
  for (std::size_t c = 0; c < 128; ++c) {
    if (atom.set.ascii[c]) probability += std::exp2(-Bits(static_cast<char32_t>(c)));
  }
  return probability <= 0 ? 20 : std::max(0.3, -std::log2(probability));
}

double Bits(const Factor& factor) {
  double sum = 0;
  for (const Atom& atom : factor) sum += Bits(atom);
  return sum;
}

// How rare lines with one of the factors are; higher is better.
double Score(const FactorSet& set) {
  if (set.empty()) return 0;
  double probability = 0;
  for (const Factor& factor : set) probability += std::exp2(-Bits(factor));
  return -std::log2(probability);
}

const FactorSet& Better(const FactorSet& a, const FactorSet& b) { return Score(b) >= Score(a) ? b : a; }

// Everything that a subtree tells about its matches.
struct Facts {
  // Every match is exactly one of these texts. Absent: not known. A single
  // empty factor: it matches only the empty text.
  std::optional<FactorSet> exact;
  FactorSet required;
};

bool Fits(const FactorSet& set) {
  return set.size() <= kMaxFactors &&
         std::all_of(set.begin(), set.end(), [](const Factor& f) { return f.size() <= kMaxLength; });
}

std::optional<FactorSet> Cross(const FactorSet& left, const FactorSet& right) {
  if (left.size() * right.size() > kMaxFactors) return std::nullopt;
  FactorSet out;
  for (const Factor& a : left) {
    for (const Factor& b : right) {
      Factor joined = a;
      joined.insert(joined.end(), b.begin(), b.end());
      out.push_back(std::move(joined));
    }
  }
  if (!Fits(out)) return std::nullopt;
  return out;
}

bool HasEmpty(const FactorSet& set) {
  return std::any_of(set.begin(), set.end(), [](const Factor& f) { return f.empty(); });
}

Facts Examine(const Node& node);

// A run of neighbours whose exact texts are known: their product is a factor
// set. A part with unknown texts ends the run.
class Run {
 public:
  void Add(const FactorSet& exact) {
    auto product = Cross(run_, exact);
    if (!product) {
      Break();
      product = exact;
    }
    run_ = std::move(*product);
  }

  void Break() {
    if (!HasEmpty(run_)) best_ = Better(best_, run_);
    run_ = {Factor()};
    broken_ = true;
  }

  void Offer(const FactorSet& required) { best_ = Better(best_, required); }

  Facts Finish() {
    Facts facts;
    if (!broken_) facts.exact = run_;
    if (!HasEmpty(run_)) best_ = Better(best_, run_);
    facts.required = std::move(best_);
    return facts;
  }

 private:
  FactorSet run_ = {Factor()};
  FactorSet best_;
  bool broken_ = false;
};

// x{n,m} with n >= 1: what comes before ends in x^n, what comes after begins
// with x^n, and any text may stand between them.
void AddRepeat(const Node& repeat, Run& run) {
  const Facts inner = Examine(repeat.children[0]);
  run.Offer(repeat.min > 0 ? inner.required : FactorSet());
  const bool known = inner.exact.has_value() && repeat.min > 0 && repeat.min <= kMaxLength;
  if (!known) {
    if (inner.exact && repeat.min == 0 && repeat.max == 1) {
      FactorSet maybe = *inner.exact;
      maybe.push_back(Factor());
      if (maybe.size() <= 8) return run.Add(maybe);
    }
    return run.Break();
  }
  for (std::uint32_t i = 0; i < repeat.min; ++i) run.Add(*inner.exact);
  if (repeat.max == repeat.min) return;
  run.Break();
  for (std::uint32_t i = 0; i < repeat.min; ++i) run.Add(*inner.exact);
}

void AddToRun(const Node& node, Run& run) {
  if (node.kind == Node::Kind::kRepeat) return AddRepeat(node, run);
  const Facts facts = Examine(node);
  run.Offer(facts.required);
  if (facts.exact) {
    run.Add(*facts.exact);
  } else {
    run.Break();
  }
}

Facts ExamineAlternate(const Node& node) {
  Facts out;
  out.exact.emplace();
  bool all_required = true;
  for (const Node& child : node.children) {
    Facts facts = Examine(child);
    if (facts.exact && out.exact) {
      out.exact->insert(out.exact->end(), facts.exact->begin(), facts.exact->end());
      if (!Fits(*out.exact)) out.exact.reset();
    } else {
      out.exact.reset();
    }
    all_required &= !facts.required.empty();
    out.required.insert(out.required.end(), facts.required.begin(), facts.required.end());
  }
  if (!all_required || out.required.size() > kMaxFactors) out.required.clear();
  return out;
}

Facts Examine(const Node& node) {
  switch (node.kind) {
    case Node::Kind::kEmpty: return {FactorSet{Factor()}, {}};
    case Node::Kind::kAnything: return {};
    case Node::Kind::kAtom: return {FactorSet{{node.atom}}, {{node.atom}}};
    case Node::Kind::kAlternate: return ExamineAlternate(node);
    case Node::Kind::kRepeat:
    case Node::Kind::kConcat: break;
  }
  Run run;
  if (node.kind == Node::Kind::kRepeat) {
    AddRepeat(node, run);
  } else {
    for (const Node& child : node.children) AddToRun(child, run);
  }
  return run.Finish();
}

void AppendCode(char32_t code, std::string& out) {
  if (IsAsciiLetter(code) || (code >= '0' && code <= '9') || code == '_') {
    out.push_back(static_cast<char>(code));
  } else {
    AppendHex(code, out);
  }
}

void AppendSet(const CharSet& set, std::string& out) {
  out.push_back('[');
  for (char32_t c = 0; c < 128; ++c) {
    if (!set.ascii[c] || c == '\n') continue;
    char32_t last = c;
    while (last + 1 < 128 && set.ascii[last + 1] && last + 1 != '\n') ++last;
    AppendCode(c, out);
    if (last > c) {
      out.push_back('-');
      AppendCode(last, out);
    }
    c = last;
  }
  if (set.other) out.append("\\x{80}-\\x{10ffff}");
  out.push_back(']');
}

bool IsEmpty(const Atom& atom) {
  if (atom.single) return false;
  std::bitset<128> ascii = atom.set.ascii;
  ascii.reset('\n');
  return ascii.none() && !atom.set.other;
}

bool IsCasePair(const Atom& atom) {
  if (atom.single || atom.set.other || atom.set.ascii.count() != 2) return false;
  for (char32_t c = 'a'; c <= 'z'; ++c) {
    if (atom.set.ascii[c] && atom.set.ascii[c ^ 0x20U]) return true;
  }
  return false;
}

}  // namespace

FactorSet FactorsOf(const Node& tree) {
  FactorSet factors = Examine(tree).required;
  // A factor with an impossible character never occurs. If all are like that,
  // the pattern cannot match at all; "every line may match" is simpler and also
  // right.
  std::erase_if(factors, [](const Factor& f) { return std::any_of(f.begin(), f.end(), IsEmpty); });
  return factors;
}

FactorSet FactorsOfLiteral(std::string_view literal, bool fold) {
  Factor factor;
  std::string_view rest = literal;
  while (!rest.empty() && factor.size() < kMaxLiteralLength) {
    const Decoded d = DecodeOne(rest);
    rest.remove_prefix(d.size);
    Atom atom;
    atom.code = d.code;
    if (fold && IsAsciiLetter(d.code)) {
      atom.single = false;
      atom.set.ascii.set(d.code);
      atom.set.ascii.set(OtherCase(d.code));
    }
    factor.push_back(atom);
  }
  return {factor};
}

std::string ToRegex(const FactorSet& factors) {
  std::string out;
  for (const Factor& factor : factors) {
    if (!out.empty()) out.push_back('|');
    for (const Atom& atom : factor) {
      if (atom.single) {
        AppendCode(atom.code, out);
      } else {
        AppendSet(atom.set, out);
      }
    }
  }
  return out;
}

bool AsLiteral(const FactorSet& factors, bool fold, std::string& literal) {
  if (factors.size() != 1) return false;
  literal.clear();
  for (const Atom& atom : factors[0]) {
    if (atom.single) {
      AppendUtf8(atom.code, literal);
    } else if (fold && IsCasePair(atom)) {
      for (char32_t c = 'a'; c <= 'z'; ++c) {
        if (atom.set.ascii[c]) AppendUtf8(c, literal);
      }
    } else {
      return false;
    }
  }
  return true;
}

}  // namespace forge
