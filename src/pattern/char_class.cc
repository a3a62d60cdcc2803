#include "pattern/char_class.h"

#include "base/utf8.h"
#include "pattern/escape.h"

namespace forge {
namespace {

CharSet SetOf(char32_t low, char32_t high) {
  CharSet set;
  for (char32_t c = low; c <= high && c < 128; ++c) set.ascii.set(c);
  set.other = high >= 128;
  return set;
}

class Reader {
 public:
  Reader(std::string_view pattern, std::size_t at, bool skip_blanks)
      : pattern_(pattern), pos_(at + 1), skip_blanks_(skip_blanks) {}

  CharClass Read() {
    SkipBlanks();
    if (Peek() == '^') {
      class_.negated = true;
      ++pos_;
    }
    SkipBlanks();
    // A bracket in first place is a literal.
    bool first = true;
    while (pos_ < pattern_.size() && (first || Peek() != ']')) {
      if (!Item()) return Uncertain();
      SkipBlanks();
      first = false;
    }
    if (pos_ >= pattern_.size()) return Uncertain();
    class_.end = pos_ + 1;
    return class_;
  }

 private:
  char Peek() const { return pos_ < pattern_.size() ? pattern_[pos_] : '\0'; }
  bool AtBlank() const { return skip_blanks_ && (Peek() == ' ' || Peek() == '\t'); }

  void SkipBlanks() {
    while (AtBlank()) ++pos_;
  }

  bool Item() {
    if (pattern_.substr(pos_).starts_with("[:") && Posix()) return true;
    const std::size_t begin = pos_;
    ClassItem item;
    if (!One(item)) return false;
    if (item.kind == ClassItem::Kind::kRange) {
      if (!RangeEnd(item)) return false;
      if (item.low == item.high) Note(begin, item.low);
      item.set = SetOf(item.low, item.high);
    }
    class_.items.push_back(item);
    return true;
  }

  // [:name:] or [:^name:]; anything else that starts like this is a plain
  // bracket.
  bool Posix() {
    const std::size_t close = pattern_.find(":]", pos_ + 2);
    if (close == std::string_view::npos) return false;
    std::string_view name = pattern_.substr(pos_ + 2, close - pos_ - 2);
    const bool negated = name.starts_with('^');
    if (negated) name.remove_prefix(1);
    const auto set = PosixSet(name, negated);
    if (!set) return false;
    class_.items.push_back({ClassItem::Kind::kEscape, 0, 0, pos_, close + 2, *set});
    pos_ = close + 2;
    return true;
  }

  // One character or escape.
  bool One(ClassItem& item) {
    if (Peek() == '\\') return OneEscape(item);
    const Decoded d = DecodeOne(pattern_.substr(pos_));
    item.low = item.high = d.code;
    pos_ += d.size;
    return true;
  }

  bool OneEscape(ClassItem& item) {
    const Escape escape = ReadEscape(pattern_, pos_, true, 0);
    item.begin = pos_;
    item.end = escape.end;
    pos_ = escape.end;
    if (escape.kind == Escape::Kind::kChar) {
      item.low = item.high = escape.code;
      return true;
    }
    item.kind = ClassItem::Kind::kEscape;
    item.set = escape.set;
    // \Q and \E have special rules inside a class; we do not follow them.
    return escape.kind == Escape::Kind::kSet;
  }

  // "-x" after a character.
  bool RangeEnd(ClassItem& item) {
    if (AtBlank()) return false;  // "a -z": rules differ by version
    if (Peek() != '-' || pos_ + 1 >= pattern_.size() || pattern_[pos_ + 1] == ']') return true;
    ++pos_;
    if (AtBlank()) return false;
    ClassItem last;
    if (!One(last) || last.kind != ClassItem::Kind::kRange) return false;
    item.high = last.high;
    return item.low <= item.high;
  }

  // A range that includes a line feed does not ask for one. Neither does [^\n],
  // nor [^\x00-\x7F], which finds characters outside ASCII.
  void Note(std::size_t at, char32_t code) {
    if (class_.negated) return;
    if (code == '\n' && !class_.line_feed) class_.line_feed = at;
    if (code == 0 && !class_.nul) class_.nul = at;
  }

  CharClass Uncertain() {
    class_.certain = false;
    class_.end = pattern_.size();
    return class_;
  }

  const std::string_view pattern_;
  std::size_t pos_;
  const bool skip_blanks_;
  CharClass class_;
};

}  // namespace

CharClass ReadCharClass(std::string_view pattern, std::size_t at, bool skip_blanks) {
  return Reader(pattern, at, skip_blanks).Read();
}

}  // namespace forge
