#include "pattern/ngram_plan.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <utility>

#include "base/utf8.h"
#include "pattern/plan_algebra.h"

namespace forge {
namespace {

using Kind = NgramPlan::Kind;

bool HasBytesIn(const std::vector<ByteSet>& sets, std::string_view lower) {
  const auto has = [&](std::size_t set, std::size_t at) {
    return sets[set].Has(static_cast<unsigned char>(lower[at]));
  };
  for (std::size_t at = 0; at + 2 < lower.size(); ++at) {
    if (has(0, at) && has(1, at + 1) && has(2, at + 2)) return true;
  }
  return false;
}

bool HoldsFor(const NgramPlan& plan, std::string_view lower, const Deadline& deadline) {
  const auto holds = [&](const NgramPlan& part) { return HoldsFor(part, lower, deadline); };
  switch (plan.kind) {
    case Kind::kAll: return true;
    case Kind::kNone: return false;
    case Kind::kGram: return deadline.over() || lower.find(plan.gram) != std::string_view::npos;
    case Kind::kSets: return deadline.over() || HasBytesIn(plan.sets, lower);
    case Kind::kAnd: return std::all_of(plan.parts.begin(), plan.parts.end(), holds);
    case Kind::kOr: return std::any_of(plan.parts.begin(), plan.parts.end(), holds);
  }
  return true;
}

// Where each character begins, and where the text ends.
std::vector<std::size_t> CharacterBorders(std::string_view text) {
  std::vector<std::size_t> borders = {0};
  while (borders.back() < text.size()) borders.push_back(borders.back() + DecodeOne(text.substr(borders.back())).size);
  return borders;
}

void AppendByte(unsigned char byte, std::string_view escaped, std::string& out) {
  const char c = static_cast<char>(byte);
  if (byte > ' ' && byte < 0x7F && escaped.find(c) == escaped.npos) {
    out.push_back(c);
    return;
  }
  std::array<char, 8> hex{};
  std::snprintf(hex.data(), hex.size(), "\\x%02x", byte);
  out.append(hex.data());
}

void AppendGram(std::string_view gram, std::string& out) {
  for (const char c : gram) AppendByte(static_cast<unsigned char>(c), "\\", out);
}

// [a-f0], or the byte itself if it is the only one.
void AppendSet(const ByteSet& set, std::string& out) {
  std::string inside;
  std::size_t count = 0;
  for (unsigned first = 0; first < 256; ++first) {
    if (!set.Has(static_cast<unsigned char>(first))) continue;
    unsigned last = first;
    while (last < 255 && set.Has(static_cast<unsigned char>(last + 1))) ++last;
    count += last - first + 1;
    AppendByte(static_cast<unsigned char>(first), "\\[]^-", inside);
    if (last > first + 1) inside.push_back('-');
    if (last > first) AppendByte(static_cast<unsigned char>(last), "\\[]^-", inside);
    first = last;
  }
  out += count == 1 ? inside : "[" + inside + "]";
}

void Append(const NgramPlan& plan, std::string& out) {
  switch (plan.kind) {
    case Kind::kAll: out.append("ALL"); return;
    case Kind::kNone: out.append("NONE"); return;
    case Kind::kGram: AppendGram(plan.gram, out); return;
    case Kind::kSets:
      for (const ByteSet& set : plan.sets) AppendSet(set, out);
      return;
    case Kind::kAnd: out.append("AND("); break;
    case Kind::kOr: out.append("OR("); break;
  }
  for (const NgramPlan& part : plan.parts) {
    if (&part != plan.parts.data()) out.push_back(' ');
    Append(part, out);
  }
  out.push_back(')');
}

// More pieces leave fewer documents; beyond four, the lists of postings cost more
// than that saves.
constexpr int kPiecesForOneEdit = 4;

// Of about equal numbers of characters. At least one character must be right, at
// every level.
std::vector<std::string> CutIntoPieces(std::string_view text, int count) {
  const std::vector<std::size_t> borders = CharacterBorders(text);
  const std::size_t size = borders.size() - 1;
  const std::size_t pieces = std::min(static_cast<std::size_t>(std::max(count, 1)), size);
  std::vector<std::string> out;
  for (std::size_t i = 0; i < pieces; ++i) {
    const std::size_t begin = borders[size * i / pieces];
    const std::size_t end = borders[size * (i + 1) / pieces];
    out.push_back(LowerAscii(text.substr(begin, end - begin)));
  }
  return out;
}

// What stands before and after the piece `bad`, each as one text: an edit
// between two pieces counts as an edit of one of them.
NgramPlan AllButOne(const std::vector<std::string>& pieces, std::size_t bad) {
  std::string before;
  std::string after;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    if (i != bad) (i < bad ? before : after) += pieces[i];
  }
  return AllOf({AnyText({before}), AnyText({after})});
}

std::vector<std::string_view> GramsIn(const NgramPlan& plan) {
  if (plan.kind == Kind::kGram) return {plan.gram};
  std::vector<std::string_view> grams;
  for (const NgramPlan& part : plan.parts) grams.emplace_back(part.gram);
  return grams;
}

// For two ANDs of grams: each gram of `wide` is part of one of `strict`.
bool Implies(const NgramPlan& strict, const NgramPlan& wide) {
  const auto have = GramsIn(strict);
  return std::ranges::all_of(GramsIn(wide), [&](std::string_view gram) {
    return std::ranges::any_of(have, [&](std::string_view longer) { return longer.find(gram) != longer.npos; });
  });
}

// Leaves out the alternatives that imply another one.
void DropStrict(std::vector<NgramPlan>& alternatives) {
  std::vector<NgramPlan> needed;
  for (std::size_t i = 0; i < alternatives.size(); ++i) {
    const auto implied = [&](const NgramPlan& other) { return Implies(alternatives[i], other); };
    const bool by_later =
        std::any_of(alternatives.begin() + static_cast<std::ptrdiff_t>(i) + 1, alternatives.end(), implied);
    if (!by_later && std::ranges::none_of(needed, implied)) needed.push_back(alternatives[i]);
  }
  alternatives = std::move(needed);
}

}  // namespace

std::strong_ordering operator<=>(const NgramPlan& a, const NgramPlan& b) {
  if (const auto order = a.kind <=> b.kind; order != 0) return order;
  if (const auto order = a.gram <=> b.gram; order != 0) return order;
  if (const auto order =
          std::lexicographical_compare_three_way(a.sets.begin(), a.sets.end(), b.sets.begin(), b.sets.end());
      order != 0) {
    return order;
  }
  return std::lexicographical_compare_three_way(a.parts.begin(), a.parts.end(), b.parts.begin(), b.parts.end());
}

bool Holds(const NgramPlan& plan, std::string_view text, const Deadline& deadline) {
  if (plan.kind == Kind::kAll) return true;
  return HoldsFor(plan, LowerAscii(text), deadline);
}

bool HasSets(const NgramPlan& plan) {
  return plan.kind == Kind::kSets || std::any_of(plan.parts.begin(), plan.parts.end(), HasSets);
}

NgramPlan PlanForLiteral(std::string_view literal) { return Shrink(AnyText({LowerAscii(literal)}), kMaxPlanGrams); }

NgramPlan PlanForFuzzy(std::string_view text, int level) {
  // All bytes that are not UTF-8 count as equal, so their values tell nothing.
  if (text.empty() || !IsValidUtf8(text)) return NoPlan();
  const std::vector<std::string> pieces = CutIntoPieces(text, level == 1 ? kPiecesForOneEdit : level + 1);
  if (level != 1 || pieces.size() < 2) return Shrink(AnyText(pieces), kMaxPlanGrams);
  std::vector<NgramPlan> spoiled;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    spoiled.push_back(AllButOne(pieces, i));
    if (spoiled.back().kind == Kind::kAll) return NoPlan();
  }
  DropStrict(spoiled);
  return Shrink(AnyOf(std::move(spoiled)), kMaxPlanGrams);
}

std::string ToString(const NgramPlan& plan) {
  std::string out;
  Append(plan, out);
  return out;
}

}  // namespace forge
