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

Node CharNode(const Token& token) {
  Atom atom;
  atom.code = token.code;
  if (!token.caseless || !IsAsciiLetter(token.code)) return AtomNode(atom);
  atom.single = false;
  atom.set.ascii.set(token.code);
  atom.set.ascii.set(OtherCase(token.code));
  return AtomNode(atom);
}

Node SetNode(const CharSet& set, bool fold, std::vector<char32_t> others = {}) {
  Atom atom;
  atom.single = false;
  atom.set = fold ? FoldAscii(set) : set;
  atom.others = std::move(others);
  return AtomNode(atom);
}

Node ClassNode(const Token& token) {
  CharSet set;
  bool exact = true;  // whether the ASCII part is known exactly
  for (const ClassItem& item : token.items) {
    set |= item.set;
    exact &= item.kind == ClassItem::Kind::kRange;
  }
  if (!token.negated) return SetNode(set, token.caseless, FewOthers(token.items));
  // If the set were too large, its complement would be too small.
  if (!exact) return SetNode(CharSet::All(), false);
  if (token.caseless) set = FoldAscii(set);
  set.ascii.flip();
  set.other = true;
  return SetNode(set, false);
}

class Builder {
 public:
  explicit Builder(const TokenStream& stream) : tokens_(stream.tokens) {}

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
      case TokenKind::kChar: return CharNode(token);
      case TokenKind::kSet: return SetNode(token.set, token.caseless);
      case TokenKind::kClass: return ClassNode(token);
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
  std::size_t next_ = 0;
};

}  // namespace

Node BuildTree(const TokenStream& stream) {
  if (!stream.certain) return Anything();
  for (const Token& token : stream.tokens) {
    // (*ACCEPT) ends a match early: nothing after it is required.
    if (token.kind == TokenKind::kVerb) return Anything();
  }
  return Builder(stream).Alternatives();
}

}  // namespace forge
