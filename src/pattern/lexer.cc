#include "pattern/lexer.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <string>

#include "base/utf8.h"
#include "pattern/char_class.h"
#include "pattern/escape.h"
#include "pattern/regex.h"

namespace forge {
namespace {

struct Flags {
  bool caseless = false;
  bool extended = false;
  bool extended_more = false;
  bool no_capture = false;
};

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// A group number that is zero means the whole pattern.
bool IsZero(std::string_view text) {
  const std::size_t end = text.find_first_not_of('0');
  return end != 0 && (end == std::string_view::npos || !IsDigit(text[end]));
}

// What (?x) skips. PCRE2 also skips some Unicode spaces there; for us they make
// the tokens uncertain.
bool IsPatternBlank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

class Lexer {
 public:
  Lexer(std::string_view pattern, bool caseless) : pattern_(pattern), flags_(1) { flags().caseless = caseless; }

  TokenStream Run() {
    while (pos_ < pattern_.size() && stream_.certain) Step();
    return std::move(stream_);
  }

 private:
  Flags& flags() { return flags_.back(); }
  std::string_view Rest() const { return pattern_.substr(std::min(pos_, pattern_.size())); }
  bool At(std::string_view text) const { return Rest().starts_with(text); }

  Token& Emit(TokenKind kind, std::size_t end) {
    Token token;
    token.kind = kind;
    token.begin = pos_;
    token.end = end;
    token.caseless = flags().caseless;
    stream_.tokens.push_back(std::move(token));
    pos_ = end;
    return stream_.tokens.back();
  }

  void GiveUp() { stream_.certain = false; }

  void EmitChar(std::size_t end, char32_t code) {
    if (code == '\n' && !stream_.line_feed) stream_.line_feed = pos_;
    if (code == 0 && !stream_.nul) stream_.nul = pos_;
    Emit(TokenKind::kChar, end).code = code;
  }

  void Step() {
    const char c = pattern_[pos_];
    if (flags().extended && c == '#') return void(Emit(TokenKind::kComment, CommentEnd()));
    // "a* ?" repeats as "a*?" does. Its parts are two repetitions here, which
    // match all that one does and more.
    if (flags().extended && IsPatternBlank(c)) return void(Emit(TokenKind::kNothing, pos_ + 1));
    switch (c) {
      case '\\': return EscapeSequence();
      case '[': return Class();
      case '(': return Open();
      case ')': return Close();
      case '|': return void(Emit(TokenKind::kAlternate, pos_ + 1));
      case '.': return void(Emit(TokenKind::kSet, pos_ + 1).set = CharSet::All());
      case '^':
      case '$': return void(Emit(TokenKind::kZeroWidth, pos_ + 1));
      case '*': return Repeat(pos_ + 1, 0, kUnlimited);
      case '+': return Repeat(pos_ + 1, 1, kUnlimited);
      case '?': return Repeat(pos_ + 1, 0, 1);
      case '{': return Brace();
      default: return Plain();
    }
  }

  std::size_t CommentEnd() const {
    const std::size_t end = pattern_.find('\n', pos_);
    return end == std::string_view::npos ? pattern_.size() : end + 1;
  }

  void Plain() {
    const Decoded d = DecodeOne(Rest());
    if (flags().extended && d.code >= 0x80) {
      const bool odd_blank = d.code == 0x85 || (d.code >= 0x200E && d.code <= 0x2029);
      if (odd_blank) return GiveUp();
    }
    EmitChar(pos_ + d.size, d.code);
  }

  void EscapeSequence() {
    const Escape escape = ReadEscape(pattern_, pos_, false, groups_);
    const bool whole = At("\\g<") || At("\\g'") ? IsZero(Rest().substr(3)) : false;
    switch (escape.kind) {
      case Escape::Kind::kChar: return EmitChar(escape.end, escape.code);
      case Escape::Kind::kSet: return void(Emit(TokenKind::kSet, escape.end).set = escape.set);
      case Escape::Kind::kZeroWidth: return void(Emit(TokenKind::kZeroWidth, escape.end));
      case Escape::Kind::kBackref: return void(Emit(TokenKind::kBackref, escape.end));
      case Escape::Kind::kOpaque: return void(Emit(TokenKind::kOpaque, escape.end).sees_wrapping = whole);
      case Escape::Kind::kQuoteEnd: return void(Emit(TokenKind::kNothing, escape.end));
      case Escape::Kind::kQuoteBegin: return Quoted(escape.end);
      case Escape::Kind::kLineEnd:
        if (!stream_.line_feed) stream_.line_feed = pos_;
        return void(Emit(TokenKind::kOpaque, escape.end));
      case Escape::Kind::kUnknown: return GiveUp();
    }
  }

  // \Q..\E, or to the end of the pattern.
  void Quoted(std::size_t begin) {
    Emit(TokenKind::kNothing, begin);
    while (pos_ < pattern_.size() && !At("\\E")) {
      const Decoded d = DecodeOne(Rest());
      EmitChar(pos_ + d.size, d.code);
      stream_.tokens.back().quoted = true;
    }
    if (pos_ < pattern_.size()) Emit(TokenKind::kNothing, pos_ + 2);
  }

  void Class() {
    // POSIX word boundaries, written as classes of their own.
    if (At("[[:<:]]") || At("[[:>:]]")) return void(Emit(TokenKind::kZeroWidth, pos_ + 7));
    CharClass parsed = ReadCharClass(pattern_, pos_, flags().extended_more);
    if (parsed.line_feed && !stream_.line_feed) stream_.line_feed = parsed.line_feed;
    if (parsed.nul && !stream_.nul) stream_.nul = parsed.nul;
    if (!parsed.certain) return GiveUp();
    Token& token = Emit(TokenKind::kClass, parsed.end);
    token.negated = parsed.negated;
    token.items = std::move(parsed.items);
  }

  void Repeat(std::size_t end, std::uint32_t min, std::uint32_t max) {
    if (end < pattern_.size() && (pattern_[end] == '?' || pattern_[end] == '+')) ++end;
    Token& token = Emit(TokenKind::kRepeat, end);
    token.min = min;
    token.max = max;
  }

  // {n} {n,} {n,m}; any other brace is a literal, unless it is one of the forms
  // that PCRE2 reads as a repetition from 10.43 on ({,m}, blanks inside).
  void Brace() {
    const std::size_t close = pattern_.find('}', pos_);
    if (close == std::string_view::npos) return EmitChar(pos_ + 1, '{');
    const std::string_view inside = pattern_.substr(pos_ + 1, close - pos_ - 1);
    std::uint32_t min = 0;
    std::uint32_t max = 0;
    if (ParseBounds(inside, min, max)) return Repeat(close + 1, min, max);
    const bool numeric = inside.find_first_not_of("0123456789, \t") == std::string_view::npos;
    const bool maybe = numeric && inside.find_first_of("0123456789") != std::string_view::npos;
    if (!maybe || IsLiteralBrace(inside)) return EmitChar(pos_ + 1, '{');
    std::string plain(inside);
    std::erase_if(plain, [](char c) { return c == ' ' || c == '\t'; });
    if (plain.starts_with(',')) plain.insert(0, "0");
    return ParseBounds(plain, min, max) ? Repeat(close + 1, min, max) : GiveUp();
  }

  // We ask the library that we run with.
  static bool IsLiteralBrace(std::string_view inside) {
    const std::string text = "x{" + std::string(inside) + "}";
    const auto regex = Regex::Compile("\\A" + text + "\\z");
    if (!regex) return false;
    Regex::Scratch scratch(*regex);
    return regex->Match(text, scratch).status == MatchStatus::kMatch;
  }

  static bool ParseBounds(std::string_view inside, std::uint32_t& min, std::uint32_t& max) {
    const char* end = inside.data() + inside.size();
    if (inside.empty() || !IsDigit(inside[0])) return false;
    const auto first = std::from_chars(inside.data(), end, min);
    if (first.ec != std::errc()) return false;
    if (first.ptr == end) {
      max = min;
      return true;
    }
    if (*first.ptr != ',') return false;
    if (first.ptr + 1 == end) {
      max = kUnlimited;
      return true;
    }
    if (!IsDigit(first.ptr[1])) return false;
    const auto second = std::from_chars(first.ptr + 1, end, max);
    return second.ec == std::errc() && second.ptr == end;
  }

  void Push(GroupKind kind, std::size_t end) {
    Emit(TokenKind::kOpen, end).group = kind;
    flags_.push_back(flags());
  }

  void Close() {
    if (flags_.size() > 1) flags_.pop_back();
    Emit(TokenKind::kClose, pos_ + 1);
  }

  void Open() {
    if (At("(*")) return Star();
    if (At("(?")) return Question();
    if (!flags().no_capture) ++groups_;
    Push(GroupKind::kPlain, pos_ + 1);
  }

  // (*VERB) or (*pla:...).
  void Star() {
    const bool word = pos_ + 2 < pattern_.size() && std::islower(static_cast<unsigned char>(pattern_[pos_ + 2])) != 0;
    if (!word) {
      const bool accept = At("(*ACCEPT");
      ToParenthesis(TokenKind::kVerb);
      if (stream_.certain) stream_.tokens.back().sees_wrapping = accept;
      return;
    }
    const std::size_t colon = pattern_.find(':', pos_);
    if (colon == std::string_view::npos) return GiveUp();
    const std::string_view name = pattern_.substr(pos_ + 2, colon - pos_ - 2);
    const bool consumes =
        name == "atomic" || name == "sr" || name == "script_run" || name == "asr" || name == "atomic_script_run";
    Push(consumes ? GroupKind::kPlain : GroupKind::kLook, colon + 1);
  }

  void ToParenthesis(TokenKind kind) {
    const std::size_t close = pattern_.find(')', pos_);
    if (close == std::string_view::npos) return GiveUp();
    Emit(kind, close + 1);
  }

  void Question() {
    const char next = pos_ + 2 < pattern_.size() ? pattern_[pos_ + 2] : '\0';
    const char after = pos_ + 3 < pattern_.size() ? pattern_[pos_ + 3] : '\0';
    switch (next) {
      case '#': return ToParenthesis(TokenKind::kNothing);
      case ':':
      case '|':
      case '>': return Push(GroupKind::kPlain, pos_ + 3);
      case '=':
      case '!':
      case '*': return Push(GroupKind::kLook, pos_ + 3);
      case '<':
        if (after == '=' || after == '!' || after == '*') return Push(GroupKind::kLook, pos_ + 4);
        return NamedGroup(pos_ + 3, '>');
      case '\'': return NamedGroup(pos_ + 3, '\'');
      case 'P':
        if (after == '<') return NamedGroup(pos_ + 4, '>');
        return ToParenthesis(after == '=' ? TokenKind::kBackref : TokenKind::kOpaque);
      case 'R': return CallGroup(true);
      case '&': return CallGroup(false);
      case 'C': return IsDigit(after) || after == ')' ? ToParenthesis(TokenKind::kZeroWidth) : GiveUp();
      case '(': return Conditional();
      default: break;
    }
    if (IsDigit(next) || ((next == '+' || next == '-') && IsDigit(after))) {
      return CallGroup(IsZero(pattern_.substr(pos_ + 2)));
    }
    InlineFlags();
  }

  void CallGroup(bool whole_pattern) {
    ToParenthesis(TokenKind::kOpaque);
    if (stream_.certain) stream_.tokens.back().sees_wrapping = whole_pattern;
  }

  void NamedGroup(std::size_t name, char close) {
    const std::size_t end = pattern_.find(close, name);
    if (end == std::string_view::npos) return GiveUp();
    ++groups_;
    Push(GroupKind::kPlain, end + 1);
  }

  // (?(condition)yes|no). A condition that is an assertion is left to be read
  // as a group of its own.
  void Conditional() {
    const std::string_view condition = pattern_.substr(pos_ + 3);
    if (condition.starts_with("?C")) return GiveUp();
    if (condition.starts_with('?') || condition.starts_with('*')) return Push(GroupKind::kOpaque, pos_ + 2);
    const std::size_t close = pattern_.find(')', pos_ + 3);
    if (close == std::string_view::npos) return GiveUp();
    Push(GroupKind::kOpaque, close + 1);
  }

  // (?i-x) changes the rest of the enclosing group, (?i-x:...) a new one.
  void InlineFlags() {
    Flags changed = flags();
    bool on = true;
    bool twice = false;  // "xx" counts wherever it stands: (?xxsx)
    std::size_t at = pos_ + 2;
    for (; at < pattern_.size() && pattern_[at] != ')' && pattern_[at] != ':'; ++at) {
      switch (pattern_[at]) {
        case '^': changed = Flags(); break;
        case '-': on = false; break;
        case 'i': changed.caseless = on; break;
        case 'n': changed.no_capture = on; break;
        case 'x':
          twice |= pattern_[at - 1] == 'x';
          changed.extended_more = on && twice;
          changed.extended = on;
          break;
        case 'm':
        case 's':
        case 'J':
        case 'U': break;
        default: return GiveUp();
      }
    }
    if (at >= pattern_.size()) return GiveUp();
    if (pattern_[at] == ':') {
      Push(GroupKind::kPlain, at + 1);
    } else {
      Emit(TokenKind::kZeroWidth, at + 1);
    }
    stream_.tokens.back().flags = true;
    flags() = changed;
  }

  const std::string_view pattern_;
  std::size_t pos_ = 0;
  std::vector<Flags> flags_;
  unsigned groups_ = 0;
  TokenStream stream_;
};

}  // namespace

CharSet CharSet::All() {
  CharSet set;
  set.ascii.set();
  set.other = true;
  return set;
}

CharSet& CharSet::operator|=(const CharSet& that) {
  ascii |= that.ascii;
  other |= that.other;
  return *this;
}

TokenStream Tokenize(std::string_view pattern, bool caseless) { return Lexer(pattern, caseless).Run(); }

}  // namespace forge
