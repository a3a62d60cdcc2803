#include "pattern/tree.h"

#include <algorithm>
#include <utility>

#include "base/ascii.h"

namespace forge {
namespace {

constexpr std::size_t kMaxOthers = 64;

CharSet FoldAscii(CharSet set) {
  for (char32_t c = 'A'; c <= 'Z'; ++c) set.ascii[c] = set.ascii[c ^ 0x20U] = set.ascii[c] || set.ascii[c ^ 0x20U];
  return set;
}

// (?i) folds by Unicode. Only two ASCII letters have partners outside ASCII: k
// (the Kelvin sign) and s (the long s).
CharSet FoldUnicode(CharSet set) {
  if (set.other) {
    for (const char c : {'k', 's'}) set.ascii.set(static_cast<std::size_t>(c));
  }
  set = FoldAscii(set);
  set.other |= set.ascii['k'] || set.ascii['s'];
  return set;
}

// The partners of k and s.
std::vector<char32_t> PartnersOutsideAscii(const CharSet& set) {
  std::vector<char32_t> partners;
  if (set.ascii['k']) partners.push_back(0x212A);
  if (set.ascii['s']) partners.push_back(0x017F);
  return partners;
}

// The characters of a class that are not ASCII, if they are few and known.
std::vector<char32_t> FewOthers(const std::vector<ClassItem>& items) {
  std::vector<char32_t> others;
  for (const ClassItem& item : items) {
    if (!item.set.other) continue;
    const char32_t low = std::max<char32_t>(item.low, 128);
    if (item.kind != ClassItem::Kind::kRange || item.high - low >= kMaxOthers) return {};
    for (char32_t c = low; c <= item.high; ++c) others.push_back(c);
    if (others.size() > kMaxOthers) return {};
  }
  return others;
}

Node Anything() {
  Node node;
  node.kind = Node::Kind::kAnything;
  return node;
}

Node AtomNode(Atom atom) {
  Node node;
  node.kind = Node::Kind::kAtom;
  node.atom = std::move(atom);
  return node;
}

Node CharNode(const Token& token, bool fold) {
  Atom atom;
  atom.code = token.code;
  const bool both_cases = (fold || token.caseless) && IsAsciiLetter(token.code);
  if (!both_cases && !(token.caseless && token.code >= 128)) return AtomNode(atom);
  atom.single = false;
  if (token.code < 128) {
    atom.set.ascii.set(token.code);
  } else {
    atom.set.other = true;
  }
  atom.set = token.caseless ? FoldUnicode(atom.set) : FoldAscii(atom.set);
  if (token.caseless && token.code < 128) atom.others = PartnersOutsideAscii(atom.set);
  return AtomNode(atom);
}

Node SetNode(CharSet set, const Token& token, bool fold, std::vector<char32_t> others = {}) {
  Atom atom;
  if (fold) set = FoldAscii(set);
  // We do not compute which other characters match a non-ASCII one under (?i).
  const bool only_ascii = !set.other;
  if (token.caseless) set = FoldUnicode(set);
  if (token.caseless) others = only_ascii ? PartnersOutsideAscii(set) : std::vector<char32_t>();
  atom.single = false;
  atom.set = set;
  atom.others = std::move(others);
  return AtomNode(atom);
}

Node ClassNode(const Token& token, bool fold) {
  CharSet set;
  bool exact = true;  // whether the ASCII part is known exactly
  for (const ClassItem& item : token.items) {
    set |= item.set;
    exact &= item.kind == ClassItem::Kind::kRange;
  }
  if (token.negated) {
    // If the set were too large, its complement would be too small.
    if (!exact) return SetNode(CharSet::All(), token, fold);
    if (fold) set = FoldAscii(set);
    if (token.caseless) return SetNode(CharSet::All(), token, fold);
    set.ascii.flip();
    set.other = true;
    return SetNode(set, token, fold);
  }
  return SetNode(set, token, fold, FewOthers(token.items));
}

class Builder {
 public:
  Builder(const TokenStream& stream, bool fold) : tokens_(stream.tokens), fold_(fold) {}

  Node Alternatives() {
    Node alternate;
    alternate.kind = Node::Kind::kAlternate;
    alternate.children.push_back(Sequence());
    while (Is(TokenKind::kAlternate)) {
      ++next_;
      alternate.children.push_back(Sequence());
    }
    return alternate.children.size() == 1 ? std::move(alternate.children[0]) : std::move(alternate);
  }

 private:
  bool Is(TokenKind kind) const { return next_ < tokens_.size() && tokens_[next_].kind == kind; }

  Node Sequence() {
    Node concat;
    concat.kind = Node::Kind::kConcat;
    while (next_ < tokens_.size() && !Is(TokenKind::kAlternate) && !Is(TokenKind::kClose)) {
      const Token& token = tokens_[next_++];
      if (token.kind == TokenKind::kNothing || token.kind == TokenKind::kComment) continue;
      if (token.kind == TokenKind::kRepeat) {
        Repeat(concat, token);
      } else {
        concat.children.push_back(Item(token));
      }
    }
    return concat;
  }

  static void Repeat(Node& concat, const Token& token) {
    if (concat.children.empty()) return;
    Node repeat;
    repeat.kind = Node::Kind::kRepeat;
    repeat.min = token.min;
    repeat.max = token.max;
    repeat.children.push_back(std::move(concat.children.back()));
    concat.children.back() = std::move(repeat);
  }

  Node Item(const Token& token) {
    switch (token.kind) {
      case TokenKind::kChar: return CharNode(token, fold_);
      case TokenKind::kSet: return SetNode(token.set, token, fold_);
      case TokenKind::kClass: return ClassNode(token, fold_);
      case TokenKind::kOpen: return Group(token.group);
      case TokenKind::kZeroWidth: return Node();
      default: return Anything();
    }
  }

  Node Group(GroupKind kind) {
    Node inside = Alternatives();
    if (Is(TokenKind::kClose)) ++next_;
    switch (kind) {
      case GroupKind::kPlain: return inside;
      case GroupKind::kLook: return Node();
      case GroupKind::kOpaque: return Anything();
    }
    return Anything();
  }

  const std::vector<Token>& tokens_;
  const bool fold_;
  std::size_t next_ = 0;
};

}  // namespace

Node BuildTree(const TokenStream& stream, bool fold) {
  if (!stream.certain) return Anything();
  for (const Token& token : stream.tokens) {
    // (*ACCEPT) ends a match early: nothing after it is required.
    if (token.kind == TokenKind::kVerb) return Anything();
  }
  return Builder(stream, fold).Alternatives();
}

}  // namespace forge
