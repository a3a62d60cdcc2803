#include "glob/char_class.h"

#include <algorithm>
#include <optional>

namespace forge {
namespace {

bool IsAlpha(unsigned char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool IsDigit(unsigned char c) { return c >= '0' && c <= '9'; }
// As in git: no vertical tab, no form feed.
bool IsSpace(unsigned char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool IsGraph(unsigned char c) { return c > 0x20 && c < 0x7F; }
bool IsHex(unsigned char c) { return IsDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

// ASCII only, whatever the locale. nullopt: there is no class of that name.
std::optional<bool> IsInNamedClass(std::string_view name, unsigned char c) {
  if (name == "alnum") return IsAlpha(c) || IsDigit(c);
  if (name == "alpha") return IsAlpha(c);
  if (name == "blank") return c == ' ' || c == '\t';
  if (name == "cntrl") return c < 0x20 || c == 0x7F;
  if (name == "digit") return IsDigit(c);
  if (name == "graph") return IsGraph(c);
  if (name == "lower") return c >= 'a' && c <= 'z';
  if (name == "print") return IsGraph(c) || c == ' ';
  if (name == "punct") return IsGraph(c) && !IsAlpha(c) && !IsDigit(c);
  if (name == "space") return IsSpace(c);
  if (name == "upper") return c >= 'A' && c <= 'Z';
  if (name == "xdigit") return IsHex(c);
  return std::nullopt;
}

class ClassReader {
 public:
  ClassReader(std::string_view pattern, std::size_t open, bool fold) : pattern_(pattern), at_(open + 1), fold_(fold) {}

  GlobClass Read() {
    const bool negated = at_ < pattern_.size() && (pattern_[at_] == '!' || pattern_[at_] == '^');
    if (negated) ++at_;
    do {
      if (!ReadMember()) return out_;
    } while (at_ >= pattern_.size() || pattern_[at_] != ']');
    out_.end = at_ + 1;
    if (negated) out_.bytes.Invert();
    out_.bytes.Remove('/');
    return out_;
  }

 private:
  using Problem = GlobClass::Problem;

  bool Fail(Problem problem) {
    out_.problem = problem;
    return false;
  }

  bool More(std::size_t ahead = 0) const { return at_ + ahead < pattern_.size(); }
  unsigned char Byte(std::size_t ahead = 0) const { return static_cast<unsigned char>(pattern_[at_ + ahead]); }

  // One byte, possibly written with a backslash.
  bool ReadByte(unsigned char& out) {
    if (More() && Byte() == '\\') ++at_;
    if (!More()) return Fail(Problem::kUnclosed);
    out = Byte();
    ++at_;
    return true;
  }

  bool ReadMember() {
    if (!More()) return Fail(Problem::kUnclosed);
    if (Byte() == '-' && range_start_ != 0 && More(1) && Byte(1) != ']') return ReadRangeEnd();
    if (Byte() == '[' && More(1) && Byte(1) == ':') return ReadNamed();
    unsigned char c = 0;
    if (!ReadByte(c)) return false;
    out_.bytes.Add(c);
    range_start_ = c;
    return true;
  }

  bool ReadRangeEnd() {
    ++at_;
    unsigned char last = 0;
    if (!ReadByte(last)) return false;
    out_.backwards |= last < range_start_;
    out_.bytes.AddRange(range_start_, last);
    if (fold_) {
      const int first_letter = std::max<int>(range_start_, 'A');
      const int last_letter = std::min<int>(last, 'Z');
      for (int c = first_letter; c <= last_letter; ++c) out_.bytes.Add(static_cast<unsigned char>(c - 'A' + 'a'));
    }
    range_start_ = 0;  // "a-c-e" is a range, then '-' and 'e'
    return true;
  }

  // "[:name:]". Without ":]" before the next ']' it is just a '['.
  bool ReadNamed() {
    const std::size_t start = at_ + 2;
    const std::size_t close = pattern_.find(']', start);
    if (close == std::string_view::npos) return Fail(Problem::kUnclosed);
    if (close == start || pattern_[close - 1] != ':') {
      out_.bytes.Add('[');
      range_start_ = '[';
      ++at_;
      return true;
    }
    const std::string_view name = pattern_.substr(start, close - 1 - start);
    if (!IsInNamedClass(name, 0)) return Fail(Problem::kUnknownName);
    for (int c = 0; c < 0x80; ++c) {
      if (*IsInNamedClass(name, static_cast<unsigned char>(c))) out_.bytes.Add(static_cast<unsigned char>(c));
    }
    if (fold_ && name == "upper") out_.bytes.AddRange('a', 'z');
    range_start_ = 0;
    at_ = close + 1;
    return true;
  }

  std::string_view pattern_;
  std::size_t at_;
  const bool fold_;
  unsigned char range_start_ = 0;  // 0: a '-' here is an ordinary byte
  GlobClass out_;
};

}  // namespace

GlobClass ReadClass(std::string_view pattern, std::size_t open, bool fold) {
  return ClassReader(pattern, open, fold).Read();
}

}  // namespace forge
