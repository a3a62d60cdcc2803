#include "pattern/plan_regex.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/utf8.h"
#include "pattern/plan_algebra.h"

namespace forge {
namespace {

// Bounds of the work and of its result. We replace what exceeds them by
// something weaker that is also true.
constexpr std::size_t kMaxMembers = 64;    // members of a class
constexpr std::size_t kMaxExact = 64;      // texts that are all of a part's matches
constexpr std::size_t kMaxEdge = 128;      // texts that its matches begin or end with
constexpr std::size_t kMaxBytes = 4096;    // bytes of one set
constexpr std::size_t kMaxTextBytes = 64;  // bytes of a text that is alone
constexpr std::size_t kMaxShared = 8;      // bytes of the shortest of several texts
constexpr std::size_t kMaxConjuncts = 24;  // collected on the way
constexpr std::uint32_t kMaxCopies = 8;    // copies of x in x{n}

// Bytes of an edge that can still become part of a gram with a neighbour.
constexpr std::size_t kOverlap = 2;

using Texts = std::vector<std::string>;

struct Facts {
  // Every match is one of `head`; then `tail` and `must` are empty.
  bool exact = false;
  Texts head = {""};  // every match begins with one of these
  Texts tail = {""};  // and ends with one of these
  std::vector<NgramPlan> must;
};

Facts Exactly(Texts texts) { return {true, std::move(texts), {}, {}}; }

std::size_t BytesOf(const Texts& texts) {
  std::size_t sum = 0;
  for (const std::string& text : texts) sum += text.size();
  return sum;
}

void SortUnique(Texts& texts) {
  std::sort(texts.begin(), texts.end());
  texts.erase(std::unique(texts.begin(), texts.end()), texts.end());
}

std::optional<Texts> Cross(const Texts& left, const Texts& right, std::size_t limit) {
  if (left.size() * right.size() > limit) return std::nullopt;
  if (BytesOf(left) * right.size() + BytesOf(right) * left.size() > kMaxBytes) return std::nullopt;
  Texts out;
  out.reserve(left.size() * right.size());
  for (const std::string& a : left) {
    for (const std::string& b : right) out.push_back(a + b);
  }
  if (out.size() > 1) SortUnique(out);
  return out;
}

Texts Beginnings(Texts texts, std::size_t bytes) {
  for (std::string& text : texts) text.resize(std::min(text.size(), bytes));
  SortUnique(texts);
  return texts;
}

Texts Ends(Texts texts, std::size_t bytes) {
  for (std::string& text : texts) text.erase(0, text.size() - std::min(text.size(), bytes));
  SortUnique(texts);
  return texts;
}

void Require(NgramPlan plan, Facts& facts) {
  if (facts.must.size() >= kMaxConjuncts || plan.kind == NgramPlan::Kind::kAll) return;
  facts.must.push_back(std::move(plan));
}

// One of the texts occurs in every match.
void Require(const Texts& texts, Facts& facts) { Require(AnyText(texts), facts); }

// Several long texts are mostly one text with variations that are far apart,
// such as (?i)socket_tasks with its s and k. Their product would grow for
// nothing: grams see three bytes at a time.
bool Fits(const Texts& texts, std::size_t limit) {
  if (texts.empty()) return true;
  if (texts.size() > limit || BytesOf(texts) > kMaxBytes) return false;
  const std::size_t bytes = texts.size() > 1 ? kMaxShared : kMaxTextBytes;
  return std::any_of(texts.begin(), texts.end(), [=](const std::string& text) { return text.size() <= bytes; });
}

// Records an edge that has become too large, and cuts it to the part that a
// neighbour may still join.
void Bound(Facts& facts) {
  if (facts.exact && !Fits(facts.head, kMaxExact)) {
    facts.exact = false;
    facts.tail = facts.head;
  }
  if (facts.exact) return;
  if (!Fits(facts.head, kMaxEdge)) {
    Require(facts.head, facts);
    facts.head = Beginnings(std::move(facts.head), kOverlap);
    if (facts.head.size() > kMaxEdge) facts.head = {""};
  }
  if (!Fits(facts.tail, kMaxEdge)) {
    Require(facts.tail, facts);
    facts.tail = Ends(std::move(facts.tail), kOverlap);
    if (facts.tail.size() > kMaxEdge) facts.tail = {""};
  }
}

Facts Bounded(Facts facts) {
  Bound(facts);
  return facts;
}

// The end of one part meets the beginning of the next, and their product is too
// large. Uses each by itself, and the bytes around the border.
void RequireApart(const Texts& left, const Texts& right, Facts& facts) {
  Require(left, facts);
  Require(right, facts);
  const auto seam = Cross(Ends(left, kOverlap), Beginnings(right, kOverlap), kMaxEdge);
  if (seam) Require(*seam, facts);
}

// Makes `facts` describe its matches followed by those of `next`.
void Append(Facts& facts, Facts next) {
  const Texts& left = facts.exact ? facts.head : facts.tail;
  std::optional<Texts> joined = Cross(left, next.head, kMaxEdge);
  if (facts.exact && next.exact && joined) {
    facts.head = std::move(*joined);
    return Bound(facts);
  }
  for (NgramPlan& plan : next.must) Require(std::move(plan), facts);
  if (!joined) {
    RequireApart(left, next.head, facts);
  } else if (!facts.exact && !next.exact) {
    Require(*joined, facts);  // inside: nothing can be joined to it any more
  }
  if (facts.exact && joined) facts.head = *joined;
  if (next.exact) {
    facts.tail = joined ? std::move(*joined) : std::move(next.head);
  } else {
    facts.tail = std::move(next.tail);
  }
  facts.exact = false;
  Bound(facts);
}

// Everything that we know, as one plan.
NgramPlan Total(Facts facts) {
  std::vector<NgramPlan> parts = std::move(facts.must);
  parts.push_back(AnyText(facts.head));
  if (!facts.exact) parts.push_back(AnyText(facts.tail));
  return AllOf(std::move(parts));
}

std::string TextOf(char32_t code) {
  std::string text;
  AppendUtf8(code, text);
  return LowerAscii(text);
}

Facts ExamineAtom(const Atom& atom) {
  if (atom.single) return Exactly({TextOf(atom.code)});
  if (atom.set.other && atom.others.empty()) return {};
  Texts texts;
  for (char32_t c = 0; c < 128; ++c) {
    if (atom.set.ascii[c] && c != '\n') texts.push_back(TextOf(c));  // no line contains a line feed
  }
  for (const char32_t c : atom.others) texts.push_back(TextOf(c));
  SortUnique(texts);
  return texts.size() <= kMaxMembers ? Exactly(std::move(texts)) : Facts();
}

Facts Examine(const Node& node);

Facts ExamineConcat(const Node& node) {
  Facts facts = Exactly({""});
  std::string run;  // characters in a row, joined at once
  const auto flush = [&] {
    if (!run.empty()) Append(facts, Exactly({std::exchange(run, "")}));
  };
  for (const Node& child : node.children) {
    if (child.kind == Node::Kind::kAtom && child.atom.single) {
      run += TextOf(child.atom.code);
      if (run.size() < kMaxTextBytes / 2) continue;
      flush();
    } else {
      flush();
      Append(facts, Examine(child));
    }
  }
  flush();
  return facts;
}

void Unite(Texts& into, const Texts& texts) { into.insert(into.end(), texts.begin(), texts.end()); }

Facts ExamineAlternate(const Node& node) {
  std::vector<Facts> children;
  Facts out = {true, {}, {}, {}};
  for (const Node& child : node.children) {
    children.push_back(Examine(child));
    Facts& facts = children.back();
    out.exact &= facts.exact;
    Unite(out.head, facts.head);
    Unite(out.tail, facts.exact ? facts.head : facts.tail);
  }
  SortUnique(out.head);
  SortUnique(out.tail);
  if (out.exact && out.head.size() <= kMaxExact) return Exactly(std::move(out.head));
  out.exact = false;
  if (children.size() > kMaxPlanGrams) return Bounded(std::move(out));
  std::vector<NgramPlan> totals;
  totals.reserve(children.size());
  for (Facts& facts : children) totals.push_back(Total(std::move(facts)));
  Require(Shrink(AnyOf(std::move(totals)), kMaxPlanGrams), out);
  return Bounded(std::move(out));
}

Facts ExamineOptional(Facts inner) {
  if (!inner.exact) return {};
  inner.head.insert(inner.head.begin(), "");
  SortUnique(inner.head);
  return Bounded(std::move(inner));
}

// x{n,m}: begins with n times x and ends with n times x. (They may overlap.)
Facts ExamineRepeat(const Node& node) {
  if (node.max == 0) return Exactly({""});
  if (node.min == 0) return node.max == 1 ? ExamineOptional(Examine(node.children[0])) : Facts();
  const Facts one = Examine(node.children[0]);
  Facts facts = one;
  const std::uint32_t copies = std::min(node.min, kMaxCopies);
  for (std::uint32_t i = 1; i < copies; ++i) Append(facts, one);
  if (facts.exact && node.max > copies) {
    facts.exact = false;
    facts.tail = facts.head;
  }
  return facts;
}

Facts Examine(const Node& node) {
  switch (node.kind) {
    case Node::Kind::kEmpty: return Exactly({""});
    case Node::Kind::kAtom: return ExamineAtom(node.atom);
    case Node::Kind::kConcat: return ExamineConcat(node);
    case Node::Kind::kAlternate: return ExamineAlternate(node);
    case Node::Kind::kRepeat: return ExamineRepeat(node);
    case Node::Kind::kAnything: return {};
  }
  return {};
}

}  // namespace

NgramPlan PlanOf(const Node& tree) { return Shrink(Total(Examine(tree)), kMaxPlanGrams); }

}  // namespace forge
