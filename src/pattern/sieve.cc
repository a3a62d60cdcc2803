#include "pattern/sieve.h"

#include <algorithm>
#include <utility>

#include "base/ascii.h"
#include "base/utf8.h"
#include "pattern/tree.h"

namespace forge {
namespace {

// A literal that is more common than this (one byte in 2^6) excludes too
// little.
constexpr double kMinBits = 6;

// Longer patterns have more parts than a sieve can use.
constexpr std::size_t kMaxLinks = 512;

Link AnyText() {
  Link link;
  link.atom.single = false;
  link.atom.set = CharSet::All();
  link.min = 0;
  link.max = kUnlimited;
  return link;
}

void Append(const Node& node, Chain& chain);

// One repeated character is one link, unless it is repeated few times: then its copies
// may be part of a text.
void AppendRepeat(const Node& repeat, Chain& chain) {
  constexpr std::uint32_t kMaxCopies = 8;
  Chain inside;
  Append(repeat.children[0], inside);
  const bool fixed = repeat.min == repeat.max && repeat.min <= kMaxCopies;
  if (fixed && inside.size() * repeat.min <= kMaxLinks) {
    for (std::uint32_t i = 0; i < repeat.min; ++i) chain.insert(chain.end(), inside.begin(), inside.end());
  } else if (inside.size() == 1 && inside[0].min == 1 && inside[0].max == 1) {
    chain.push_back({inside[0].atom, repeat.min, repeat.max});
  } else {
    chain.push_back(AnyText());
  }
}

void Append(const Node& node, Chain& chain) {
  switch (node.kind) {
    case Node::Kind::kEmpty: return;
    case Node::Kind::kAtom: return chain.push_back({node.atom});
    case Node::Kind::kAnything:
    case Node::Kind::kAlternate: return chain.push_back(AnyText());
    case Node::Kind::kRepeat: return AppendRepeat(node, chain);
    case Node::Kind::kConcat: break;
  }
  for (const Node& child : node.children) {
    if (chain.size() >= kMaxLinks) return chain.push_back(AnyText());
    Append(child, chain);
  }
}

// A stretch of a chain that is a plain byte string.
struct TextRun {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string text;
  bool fold = false;
  double bits = 0;  // how rare it is
};

bool AppendLink(const Link& link, TextRun& run) {
  const Atom& atom = link.atom;
  if (link.min != 1 || link.max != 1) return false;
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

TextRun RarestRun(const Chain& chain) {
  TextRun best;
  TextRun run;
  for (std::size_t i = 0; i <= chain.size(); ++i) {
    if (i < chain.size() && AppendLink(chain[i], run)) continue;
    run.end = i;
    if (!run.text.empty()) run.bits = LiteralFinder(run.text, run.fold).bits();
    if (run.bits > best.bits) best = std::move(run);
    run = TextRun();
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

}  // namespace

Chain ChainOf(const Node& tree) {
  Chain chain;
  Append(tree, chain);
  return chain;
}

Chain ChainOf(const Factor& factor) {
  Chain chain;
  for (const Atom& atom : factor) chain.push_back({atom});
  return chain;
}

std::optional<Sieve> Sieve::For(const Chain& chain) {
  const TextRun run = RarestRun(chain);
  if (run.bits < kMinBits) return std::nullopt;
  Sieve sieve(LiteralFinder(run.text, run.fold));
  using Offset = Chain::difference_type;
  Chain before(chain.begin(), chain.begin() + static_cast<Offset>(run.begin));
  std::reverse(before.begin(), before.end());
  sieve.before_ = StepsOf(before, run.fold);
  sieve.after_ = StepsOf(Chain(chain.begin() + static_cast<Offset>(run.end), chain.end()), run.fold);
  sieve.description_ = " \"" + run.text + "\"" + (run.fold ? "i" : "");
  return sieve;
}

// A step that may take more or less takes all it can. So it must have no character in
// common with the next one that takes at least one, nor with those between that may
// take none. Where it has, it takes what it must, and is the last.
Sieve::Steps Sieve::StepsOf(const Chain& links, bool fold) {
  Steps steps;
  for (const Link& link : links) steps.push_back({SetOf(link.atom, fold), link.min, link.max});
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (steps[i].min == steps[i].max) continue;
    bool overlaps = false;
    for (std::size_t next = i + 1; next < steps.size(); ++next) {
      overlaps |= (steps[i].set.ascii & steps[next].set.ascii).any();
      if (steps[next].min > 0) break;
    }
    if (!overlaps) continue;
    steps[i].max = steps[i].min;
    steps.resize(i + 1);
  }
  while (!steps.empty() && steps.back().min == 0) steps.pop_back();
  return steps;
}

// `byte_at(i)` is the i-th of `size` bytes, counted from the text. A byte outside ASCII
// ends the test if the step may take it. We leave it to the matcher to find out how many
// bytes its character has.
template <typename ByteAt>
bool Sieve::Walk(const Steps& steps, std::size_t size, const ByteAt& byte_at) {
  std::size_t at = 0;
  for (const Step& step : steps) {
    std::uint32_t taken = 0;
    for (; taken < step.max && at < size; ++taken, ++at) {
      if (at == kReach) return true;
      const unsigned char byte = byte_at(at);
      if (byte >= 128 && step.set.other) return true;
      if (byte >= 128 || byte == '\n' || !step.set.ascii[byte]) break;
    }
    if (taken < step.min) return false;
  }
  return true;
}

bool Sieve::FitsAround(std::string_view text, std::size_t at) const {
  const std::string_view left = text.substr(0, at);
  const std::string_view right = text.substr(at + literal_.size());
  const auto from_right = [&](std::size_t i) { return static_cast<unsigned char>(left[left.size() - 1 - i]); };
  const auto from_left = [&](std::size_t i) { return static_cast<unsigned char>(right[i]); };
  return Walk(before_, left.size(), from_right) && Walk(after_, right.size(), from_left);
}

std::size_t Sieve::Find(std::string_view text, std::size_t from) const {
  std::size_t at = literal_.Find(text, from);
  while (at != std::string_view::npos && !FitsAround(text, at)) at = literal_.Find(text, at + 1);
  return at;
}

}  // namespace forge
