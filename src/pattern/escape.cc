#include "pattern/escape.h"

#include <array>
#include <cctype>
#include <charconv>
#include <cstdio>

#include "base/utf8.h"

namespace forge {
namespace {

using Kind = Escape::Kind;

template <typename Predicate>
CharSet AsciiWhere(Predicate predicate, bool negated) {
  CharSet set;
  for (unsigned c = 0; c < 128; ++c) set.ascii[c] = static_cast<bool>(predicate(static_cast<int>(c))) != negated;
  set.other = true;
  return set;
}

bool IsWordByte(int c) { return std::isalnum(c) != 0 || c == '_'; }
bool IsBlankByte(int c) { return c == ' ' || c == '\t'; }
bool IsSpaceByte(int c) { return c == ' ' || (c >= 9 && c <= 13); }
bool IsVerticalByte(int c) { return c >= 10 && c <= 13; }

class Reader {
 public:
  Reader(std::string_view pattern, std::size_t at, bool in_class, unsigned groups)
      : pattern_(pattern), next_(at + 2), in_class_(in_class), groups_(groups) {
    if (at + 1 < pattern.size()) letter_ = pattern[at + 1];
  }

  Escape Read() {
    if (next_ > pattern_.size()) return Unknown();
    const auto byte = static_cast<unsigned char>(letter_);
    if (byte >= 0x80) return Wide();
    if (std::isalnum(byte) == 0) return Char(byte);
    if (std::isdigit(byte) != 0) return Number();
    return Letter();
  }

 private:
  Escape Letter() {
    switch (letter_) {
      case 'a': return Char(0x07);
      case 'e': return Char(0x1B);
      case 'f': return Char(0x0C);
      case 'n': return Char(0x0A);
      case 'r': return Char(0x0D);
      case 't': return Char(0x09);
      case 'c': return Control();
      case 'o': return Braced(8);
      case 'x': return Hex();
      case 'd': return Set(AsciiWhere(isdigit, false));
      case 'D': return Set(AsciiWhere(isdigit, true));
      case 'w': return Set(AsciiWhere(IsWordByte, false));
      case 'W': return Set(AsciiWhere(IsWordByte, true));
      case 's': return Set(AsciiWhere(IsSpaceByte, false));
      case 'S': return Set(AsciiWhere(IsSpaceByte, true));
      case 'h': return Set(AsciiWhere(IsBlankByte, false));
      case 'H': return Set(AsciiWhere(IsBlankByte, true));
      case 'v': return Set(AsciiWhere(IsVerticalByte, false));
      case 'V': return Set(AsciiWhere(IsVerticalByte, true));
      case 'p':
      case 'P': return Property();
      case 'Q': return Simple(Kind::kQuoteBegin);
      case 'E': return Simple(Kind::kQuoteEnd);
      case 'b': return in_class_ ? Char(0x08) : Simple(Kind::kZeroWidth);
      default: return in_class_ ? Unknown() : OutsideClass();
    }
  }

  Escape OutsideClass() {
    switch (letter_) {
      case 'A':
      case 'B':
      case 'G':
      case 'K':
      case 'Z':
      case 'z': return Simple(Kind::kZeroWidth);
      case 'R': return Simple(Kind::kLineEnd);
      case 'X': return Simple(Kind::kOpaque);
      case 'N': return Rest().starts_with("{U+") ? NamedCode() : Set(CharSet::All());
      case 'k': return Named(Kind::kBackref);
      case 'g': return GroupReference();
      default: return Unknown();
    }
  }

  // \1: a reference if small or if that many groups exist, else octal.
  Escape Number() {
    if (letter_ == '0') return Octal(2, 0);
    if (in_class_) return letter_ >= '8' ? Char(static_cast<char32_t>(letter_)) : OctalFromHere();
    unsigned value = 0;
    const char* begin = pattern_.data() + next_ - 1;
    const auto [end, error] = std::from_chars(begin, pattern_.data() + pattern_.size(), value);
    const bool reference = error == std::errc() && (value < 10 || letter_ >= '8' || value <= groups_);
    if (!reference) return OctalFromHere();
    next_ = static_cast<std::size_t>(end - pattern_.data());
    return Simple(Kind::kBackref);
  }

  Escape OctalFromHere() { return Octal(2, static_cast<char32_t>(letter_ - '0')); }

  Escape Octal(int more, char32_t value) {
    for (; more > 0 && next_ < pattern_.size() && pattern_[next_] >= '0' && pattern_[next_] <= '7'; --more) {
      value = value * 8 + static_cast<char32_t>(pattern_[next_++] - '0');
    }
    return Char(value);
  }

  Escape Hex() {
    if (Rest().starts_with('{')) return Braced(16);
    char32_t value = 0;
    for (int i = 0; i < 2 && next_ < pattern_.size() && std::isxdigit(static_cast<unsigned char>(pattern_[next_]));
         ++i) {
      unsigned digit = 0;
      std::from_chars(pattern_.data() + next_, pattern_.data() + next_ + 1, digit, 16);
      value = value * 16 + digit;
      ++next_;
    }
    return Char(value);
  }

  Escape Braced(int base) {
    const std::size_t close = pattern_.find('}', next_);
    if (!Rest().starts_with('{') || close == std::string_view::npos) return Unknown();
    return Code(next_ + 1, close, base);
  }

  Escape NamedCode() {
    const std::size_t close = pattern_.find('}', next_);
    return close == std::string_view::npos ? Unknown() : Code(next_ + 3, close, 16);
  }

  Escape Code(std::size_t begin, std::size_t close, int base) {
    unsigned value = 0;
    const auto [end, error] = std::from_chars(pattern_.data() + begin, pattern_.data() + close, value, base);
    if (error != std::errc() || end != pattern_.data() + close) return Unknown();
    next_ = close + 1;
    return Char(value);
  }

  Escape Control() {
    if (next_ >= pattern_.size()) return Unknown();
    const int c = std::toupper(static_cast<unsigned char>(pattern_[next_++]));
    return Char(static_cast<char32_t>(c) ^ 0x40U);
  }

  Escape Property() {
    if (Rest().starts_with('{')) {
      const std::size_t close = pattern_.find('}', next_);
      if (close == std::string_view::npos) return Unknown();
      next_ = close + 1;
    } else {
      ++next_;
    }
    return next_ <= pattern_.size() ? Set(CharSet::All()) : Unknown();
  }

  // \g{..} and \g1 are references, \g<..> and \g'..' call a group.
  Escape GroupReference() {
    if (Rest().starts_with('<') || Rest().starts_with('\'')) return Named(Kind::kOpaque);
    if (Rest().starts_with('{')) return Named(Kind::kBackref);
    if (Rest().starts_with('-') || Rest().starts_with('+')) ++next_;
    while (next_ < pattern_.size() && std::isdigit(static_cast<unsigned char>(pattern_[next_])) != 0) ++next_;
    return Simple(Kind::kBackref);
  }

  Escape Named(Kind kind) {
    if (next_ >= pattern_.size()) return Unknown();
    const char open = pattern_[next_];
    const char close = open == '{' ? '}' : open == '<' ? '>' : '\'';
    const std::size_t end = pattern_.find(close, next_ + 1);
    if (end == std::string_view::npos) return Unknown();
    next_ = end + 1;
    return Simple(kind);
  }

  Escape Wide() {
    const Decoded d = DecodeOne(pattern_.substr(next_ - 1));
    next_ += d.size - 1;
    return Char(d.code);
  }

  Escape Char(char32_t code) const { return {Kind::kChar, next_, code, {}}; }
  Escape Set(CharSet set) const { return {Kind::kSet, next_, 0, set}; }
  Escape Simple(Kind kind) const { return {kind, next_, 0, {}}; }
  Escape Unknown() const { return {Kind::kUnknown, next_, 0, {}}; }
  std::string_view Rest() const { return pattern_.substr(next_); }

  const std::string_view pattern_;
  std::size_t next_;
  const bool in_class_;
  const unsigned groups_;
  char letter_ = 0;
};

}  // namespace

Escape ReadEscape(std::string_view pattern, std::size_t at, bool in_class, unsigned groups) {
  return Reader(pattern, at, in_class, groups).Read();
}

void AppendHex(char32_t code, std::string& out) {
  std::array<char, 16> text{};
  const int size = std::snprintf(text.data(), text.size(), "\\x{%x}", static_cast<unsigned>(code));
  out.append(text.data(), static_cast<std::size_t>(size));
}

std::optional<CharSet> PosixSet(std::string_view name, bool negated) {
  static const struct {
    std::string_view name;
    int (*predicate)(int);
  } kNames[] = {{"alpha", isalpha}, {"lower", islower}, {"upper", isupper}, {"alnum", isalnum}, {"cntrl", iscntrl},
                {"digit", isdigit}, {"graph", isgraph}, {"print", isprint}, {"punct", ispunct}, {"xdigit", isxdigit}};
  for (const auto& entry : kNames) {
    if (entry.name == name) return AsciiWhere(entry.predicate, negated);
  }
  if (name == "ascii") return AsciiWhere([](int) { return true; }, negated);
  if (name == "blank") return AsciiWhere(IsBlankByte, negated);
  if (name == "space") return AsciiWhere(IsSpaceByte, negated);
  if (name == "word") return AsciiWhere(IsWordByte, negated);
  return std::nullopt;
}

}  // namespace forge
