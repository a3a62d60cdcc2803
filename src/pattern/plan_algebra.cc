#include "pattern/plan_algebra.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <optional>
#include <utility>

#include "base/byte_rarity.h"

namespace forge {
namespace {

using Kind = NgramPlan::Kind;

constexpr std::size_t kGramBytes = 3;

// More grams of two bytes than this are useless: each stands for all lists that
// begin with it.
constexpr std::size_t kMaxPairs = 8;

// Sets of fewer bits are in every block of source code, and not looked up at all.
// Three letters have 3.1 bits, two and a digit 6.2 (in 83 % of the blocks of Linux),
// three digits 12.5 (86 %: where one such gram is, there are more). So this is no
// measure of what sets exclude; the dictionary of an index is.
constexpr double kFewBits = 4.5;

NgramPlan Of(Kind kind, std::vector<NgramPlan> parts = {}) { return {kind, {}, std::move(parts)}; }

void SortUnique(std::vector<NgramPlan>& plans) {
  std::sort(plans.begin(), plans.end());
  plans.erase(std::unique(plans.begin(), plans.end()), plans.end());
}

// Replaces parts of the same kind by their own parts; drops `neutral` ones.
std::vector<NgramPlan> Flatten(std::vector<NgramPlan> parts, Kind kind, Kind neutral) {
  std::vector<NgramPlan> flat;
  flat.reserve(parts.size());
  for (NgramPlan& part : parts) {
    if (part.kind == neutral) continue;
    if (part.kind == kind) {
      std::move(part.parts.begin(), part.parts.end(), std::back_inserter(flat));
    } else {
      flat.push_back(std::move(part));
    }
  }
  SortUnique(flat);
  return flat;
}

bool Has(const std::vector<NgramPlan>& parts, Kind kind) {
  return std::any_of(parts.begin(), parts.end(), [kind](const NgramPlan& part) { return part.kind == kind; });
}

NgramPlan Joined(Kind kind, std::vector<NgramPlan> parts) {
  if (parts.size() == 1) return std::move(parts[0]);
  return Of(kind, std::move(parts));
}

// How many of a plan's grams have two bytes, if it needs one of them.
std::size_t CountPairs(const NgramPlan& plan) {
  if (plan.kind == Kind::kGram) return plan.gram.size() < kGramBytes ? 1 : 0;
  return std::accumulate(plan.parts.begin(), plan.parts.end(), std::size_t{0},
                         [](std::size_t sum, const NgramPlan& part) { return sum + CountPairs(part); });
}

void DropPairsBesideTriples(std::vector<NgramPlan>& parts) {
  const auto has_pair = [](const NgramPlan& part) { return CountPairs(part) > 0; };
  if (!std::all_of(parts.begin(), parts.end(), has_pair)) std::erase_if(parts, has_pair);
}

// Whether every gram that fulfils `narrow` fulfils `wide`.
bool IsWithin(const NgramPlan& narrow, const NgramPlan& wide) {
  for (std::size_t i = 0; i < kGramBytes; ++i) {
    const bool within = narrow.kind == Kind::kGram ? wide.sets[i].Has(static_cast<unsigned char>(narrow.gram[i]))
                                                   : wide.sets[i].Includes(narrow.sets[i]);
    if (!within) return false;
  }
  return true;
}

// The parts are different ones.
void DropWiderSets(std::vector<NgramPlan>& parts) {
  if (!Has(parts, Kind::kSets)) return;
  const std::vector<NgramPlan> all = parts;
  std::erase_if(parts, [&](const NgramPlan& wide) {
    return wide.kind == Kind::kSets && std::any_of(all.begin(), all.end(), [&](const NgramPlan& one) {
             const bool triple = one.kind == Kind::kSets || one.gram.size() == kGramBytes;
             return triple && one != wide && IsWithin(one, wide);
           });
  });
}

// The parts of an AND, or the plan itself, sorted.
std::vector<NgramPlan> Conjuncts(NgramPlan plan) {
  if (plan.kind == Kind::kAnd) return std::move(plan.parts);
  std::vector<NgramPlan> out;
  out.push_back(std::move(plan));
  return out;
}

bool Includes(const std::vector<NgramPlan>& sorted, const NgramPlan& alternative) {
  if (alternative.kind != Kind::kAnd) return std::binary_search(sorted.begin(), sorted.end(), alternative);
  return std::includes(sorted.begin(), sorted.end(), alternative.parts.begin(), alternative.parts.end());
}

// a AND (a OR b) equals a.
void DropImpliedAlternatives(std::vector<NgramPlan>& parts) {
  const std::vector<NgramPlan> all = Has(parts, Kind::kOr) ? parts : std::vector<NgramPlan>();
  std::erase_if(parts, [&](const NgramPlan& part) {
    return part.kind == Kind::kOr &&
           std::any_of(part.parts.begin(), part.parts.end(), [&](const NgramPlan& one) { return Includes(all, one); });
  });
}

// Removes from each part what all of them have, and returns that. A part
// without anything else becomes ALL.
std::vector<NgramPlan> DrawOutCommon(std::vector<NgramPlan>& parts) {
  std::vector<NgramPlan> common = Conjuncts(parts[0]);
  for (std::size_t i = 1; i < parts.size() && !common.empty(); ++i) {
    const std::vector<NgramPlan> own = Conjuncts(parts[i]);
    std::erase_if(common, [&](const NgramPlan& one) { return !Includes(own, one); });
  }
  if (common.empty()) return common;
  for (NgramPlan& part : parts) {
    std::vector<NgramPlan> rest = Conjuncts(std::move(part));
    std::erase_if(rest, [&](const NgramPlan& one) { return Includes(common, one); });
    part = AllOf(std::move(rest));
  }
  return common;
}

// The grams of a text as sorted numbers: much cheaper to compare than plans.
using Grams = std::vector<std::uint32_t>;

Grams GramsOf(std::string_view text) {
  const std::size_t size = std::min(text.size(), kGramBytes);
  Grams grams;
  for (std::size_t at = 0; at + size <= text.size(); ++at) {
    std::uint32_t gram = 0;
    for (const char c : text.substr(at, size)) gram = gram << 8U | static_cast<unsigned char>(c);
    grams.push_back(gram | static_cast<std::uint32_t>(size) << 24U);
  }
  std::sort(grams.begin(), grams.end());
  grams.erase(std::unique(grams.begin(), grams.end()), grams.end());
  return grams;
}

NgramPlan PlanOfGram(std::uint32_t number) {
  NgramPlan plan = Of(Kind::kGram);
  for (std::uint32_t i = number >> 24U; i-- > 0;) plan.gram.push_back(static_cast<char>(number >> (8 * i) & 0xFFU));
  return plan;
}

std::vector<NgramPlan> PlansOfGrams(const Grams& grams) {
  std::vector<NgramPlan> plans;
  plans.reserve(grams.size());
  std::transform(grams.begin(), grams.end(), std::back_inserter(plans), PlanOfGram);
  return plans;
}

Grams Common(const std::vector<Grams>& sets) {
  Grams common = sets[0];
  for (const Grams& set : sets) {
    Grams both;
    std::set_intersection(common.begin(), common.end(), set.begin(), set.end(), std::back_inserter(both));
    common = std::move(both);
  }
  return common;
}

// In a folded text a letter is as common as both its cases together, which is
// about as common as the more common one.
double FoldedBits(unsigned char byte) {
  if (byte < 'a' || byte > 'z') return RarityBits(byte);
  return std::min(RarityBits(byte), RarityBits(byte & 0xDFU));
}

double Bits(const ByteSet& set) {
  double probability = 0;
  for (unsigned i = 0; i < 256; ++i) {
    const auto byte = static_cast<unsigned char>(i);
    if (set.Has(byte)) probability += std::exp2(-FoldedBits(byte));
  }
  return std::max(0.0, -std::log2(probability));
}

// Nothing if the set has several bytes.
void AppendOnlyByte(const ByteSet& set, std::string& out) {
  std::optional<char> only;
  for (unsigned i = 0; i < 256; ++i) {
    if (!set.Has(static_cast<unsigned char>(i))) continue;
    if (only) return;
    only = static_cast<char>(i);
  }
  if (only) out.push_back(*only);
}

// How rare texts are for which the plan holds. An AND counts as its best part:
// neighbouring grams are not independent.
double Bits(const NgramPlan& plan) {
  double bits = 0;
  double probability = 0;
  switch (plan.kind) {
    case Kind::kAll: return 0;
    case Kind::kNone: return 1000;
    case Kind::kGram:
      for (const char c : plan.gram) bits += FoldedBits(static_cast<unsigned char>(c));
      return bits;
    case Kind::kSets:
      for (const ByteSet& set : plan.sets) bits += Bits(set);
      return bits;
    case Kind::kAnd:
      for (const NgramPlan& part : plan.parts) bits = std::max(bits, Bits(part));
      return bits;
    case Kind::kOr:
      for (const NgramPlan& part : plan.parts) probability += std::exp2(-Bits(part));
      return -std::log2(probability);
  }
  return 0;
}

NgramPlan ShrinkAnd(std::vector<NgramPlan> parts, std::size_t limit) {
  std::vector<std::pair<double, NgramPlan>> ranked;
  for (NgramPlan& part : parts) {
    NgramPlan small = Shrink(std::move(part), limit);
    const double bits = Bits(small);
    ranked.emplace_back(bits, std::move(small));
  }
  std::stable_sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<NgramPlan> kept;
  for (auto& [bits, part] : ranked) {
    const std::size_t cost = CountGrams(part);
    if (cost > limit) continue;
    limit -= cost;
    kept.push_back(std::move(part));
  }
  return AllOf(std::move(kept));
}

NgramPlan ShrinkOr(std::vector<NgramPlan> parts, std::size_t limit) {
  const std::size_t share = limit / parts.size();
  if (share == 0) return NoPlan();
  for (NgramPlan& part : parts) part = Shrink(std::move(part), share);
  return AnyOf(std::move(parts));
}

}  // namespace

NgramPlan NoPlan() { return Of(Kind::kAll); }

NgramPlan AllOf(std::vector<NgramPlan> parts) {
  if (Has(parts, Kind::kNone)) return Of(Kind::kNone);
  parts = Flatten(std::move(parts), Kind::kAnd, Kind::kAll);
  if (parts.empty()) return NoPlan();
  DropPairsBesideTriples(parts);
  DropWiderSets(parts);
  DropImpliedAlternatives(parts);
  return Joined(Kind::kAnd, std::move(parts));
}

NgramPlan AnyOf(std::vector<NgramPlan> parts) {
  if (Has(parts, Kind::kAll)) return NoPlan();
  parts = Flatten(std::move(parts), Kind::kOr, Kind::kNone);
  if (parts.empty()) return Of(Kind::kNone);
  if (parts.size() == 1) return std::move(parts[0]);
  // Different grams have nothing in common.
  const bool only_grams = parts.back().kind == Kind::kGram;
  std::vector<NgramPlan> common = only_grams ? std::vector<NgramPlan>() : DrawOutCommon(parts);
  if (!common.empty()) {
    common.push_back(AnyOf(std::move(parts)));
    return AllOf(std::move(common));
  }
  NgramPlan plan = Of(Kind::kOr, std::move(parts));
  return CountPairs(plan) > kMaxPairs ? NoPlan() : plan;
}

NgramPlan AnyText(const std::vector<std::string>& texts) {
  if (texts.empty()) return Of(Kind::kNone);
  const auto shorter_than = [&](std::size_t bytes) {
    return std::count_if(texts.begin(), texts.end(), [=](const std::string& text) { return text.size() < bytes; });
  };
  const bool says_nothing = shorter_than(2) > 0 || shorter_than(kGramBytes) > static_cast<std::ptrdiff_t>(kMaxPairs);
  if (says_nothing) return NoPlan();
  // They are of one size, in order, and each is there once: AllOf() would change nothing.
  if (texts.size() == 1) return Joined(Kind::kAnd, PlansOfGrams(GramsOf(texts[0])));
  std::vector<Grams> sets;
  std::transform(texts.begin(), texts.end(), std::back_inserter(sets), GramsOf);
  const Grams common = Common(sets);
  std::vector<NgramPlan> alternatives;
  for (const Grams& set : sets) {
    Grams rest;
    std::set_difference(set.begin(), set.end(), common.begin(), common.end(), std::back_inserter(rest));
    alternatives.push_back(rest.size() == 1 ? PlanOfGram(rest[0]) : AllOf(PlansOfGrams(rest)));
  }
  std::vector<NgramPlan> parts = PlansOfGrams(common);
  parts.push_back(AnyOf(std::move(alternatives)));
  return AllOf(std::move(parts));
}

NgramPlan PlanOfSets(const std::array<ByteSet, 3>& sets) {
  std::string gram;
  for (const ByteSet& set : sets) AppendOnlyByte(set, gram);
  if (gram.size() == kGramBytes) return {Kind::kGram, std::move(gram), {}};
  NgramPlan plan = Of(Kind::kSets);
  plan.sets.assign(sets.begin(), sets.end());
  return Bits(plan) < kFewBits ? NoPlan() : plan;
}

NgramPlan Shrink(NgramPlan plan, std::size_t limit) {
  if (CountGrams(plan) <= limit) return plan;
  if (plan.parts.empty()) return NoPlan();
  return plan.kind == Kind::kAnd ? ShrinkAnd(std::move(plan.parts), limit) : ShrinkOr(std::move(plan.parts), limit);
}

std::size_t CountGrams(const NgramPlan& plan) {
  if (plan.kind == Kind::kGram) return 1;
  if (plan.kind == Kind::kSets) return kGramsForSets;
  return std::accumulate(plan.parts.begin(), plan.parts.end(), std::size_t{0},
                         [](std::size_t sum, const NgramPlan& part) { return sum + CountGrams(part); });
}

std::string LowerAscii(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
  return lower;
}

}  // namespace forge
