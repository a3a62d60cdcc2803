#include "pattern/rewrite.h"

#include <algorithm>
#include <cctype>
#include <iterator>

#include "base/ascii.h"
#include "base/utf8.h"
#include "pattern/escape.h"
#include "pattern/regex.h"

namespace forge {
namespace {

// The ASCII letters of a set whose other case is missing from it.
std::bitset<128> MissingCases(const std::bitset<128>& set) {
  std::bitset<128> missing;
  for (char32_t c = 'A'; c <= 'z'; ++c) {
    if (IsAsciiLetter(c) && set[c] && !set[OtherCase(c)]) {
      missing.set(OtherCase(c));
    }
  }
  return missing;
}

// Asks PCRE2 which ASCII letters an escape such as \p{Lu} matches.
std::bitset<128> LettersOf(std::string_view escape, bool posix) {
  std::bitset<128> letters;
  const auto regex = Regex::Compile(posix ? "[" + std::string(escape) + "]" : std::string(escape));
  if (!regex) return letters;
  Regex::Scratch scratch(*regex);
  for (char32_t c = 'A'; c <= 'z'; ++c) {
    const char byte = static_cast<char>(c);
    if (IsAsciiLetter(c) && regex->Match({&byte, 1}, scratch).status == MatchStatus::kMatch) letters.set(c);
  }
  return letters;
}

bool IsNegatedEscape(std::string_view escape) {
  return escape.starts_with("\\P") || escape.find('^') != std::string_view::npos;
}

void AppendLetters(const std::bitset<128>& letters, std::string& out) {
  for (std::size_t c = 0; c < 128; ++c) {
    if (letters[c]) out.push_back(static_cast<char>(c));
  }
}

class Rewriter {
 public:
  explicit Rewriter(std::string_view pattern) : pattern_(pattern) {}

  Status Add(const Token& token) {
    const std::string_view source = pattern_.substr(token.begin, token.end - token.begin);
    switch (token.kind) {
      case TokenKind::kComment: return {};
      case TokenKind::kNothing:
        // \Q and \E are resolved: the characters between them are escaped. An
        // empty comment keeps their neighbours apart: \x4\E1 is not \x41.
        out_.append(source.starts_with('\\') ? "(?#)" : source);
        return {};
      case TokenKind::kChar: Char(token, source); return {};
      case TokenKind::kSet: return token.caseless ? Set(source) : Copy(source);
      case TokenKind::kClass: return token.caseless ? Class(token) : Copy(source);
      case TokenKind::kBackref: return token.caseless ? Copy("(?i:" + std::string(source) + ")") : Copy(source);
      default: return token.flags ? Flags(source) : Copy(source);
    }
  }

  void AddCallout(unsigned number) { out_.append("(?C").append(std::to_string(number)).append(")"); }

  void Append(std::string_view text) { out_.append(text); }

  std::string Take() { return std::move(out_); }

 private:
  Status Copy(std::string_view source) {
    out_.append(source);
    return {};
  }

  static Status RefuseInClass(std::string_view item) {
    return ExecutionFailed("pattern: " + std::string(item) +
                           " in a class cannot be matched without regard to ASCII case; use case \"sensitive\"");
  }

  // (?i-s:  ->  (?-s:
  Status Flags(std::string_view source) {
    std::copy_if(source.begin(), source.end(), std::back_inserter(out_), [](char c) { return c != 'i'; });
    return {};
  }

  void Char(const Token& token, std::string_view source) {
    if (token.caseless && IsAsciiLetter(token.code)) {
      out_ += {'[', static_cast<char>(token.code), static_cast<char>(OtherCase(token.code)), ']'};
    } else if (token.quoted) {
      AppendEscaped(token.code, out_);
    } else {
      out_.append(source);
    }
  }

  // Only properties can distinguish cases; \w, \d and the like cannot. A
  // negated one matches what its opposite does not: [A-Z] is \p{Lu} and, without
  // case, so is [a-z]; neither is \P{Lu}.
  Status Set(std::string_view source) {
    if (!source.starts_with("\\p") && !source.starts_with("\\P")) return Copy(source);
    const std::bitset<128> letters = LettersOf(source, false);
    const std::bitset<128> missing = MissingCases(letters);
    if (missing.none()) return Copy(source);
    if (IsNegatedEscape(source)) {
      out_.append("(?:(?![");
      AppendLetters(MissingCases(missing) & letters, out_);
      out_.append("])").append(source).append(")");
      return {};
    }
    out_.append("[").append(source);
    AppendLetters(missing, out_);
    out_.append("]");
    return {};
  }

  // We write the class anew from its items, so that an added letter can never
  // become part of a range.
  Status Class(const Token& token) {
    out_.append(token.negated ? "[^" : "[");
    std::bitset<128> letters;
    for (const ClassItem& item : token.items) {
      if (item.kind == ClassItem::Kind::kRange) {
        letters |= item.set.ascii;
        AppendHex(item.low, out_);
        if (item.high != item.low) {
          out_.push_back('-');
          AppendHex(item.high, out_);
        }
        continue;
      }
      const std::string_view source = pattern_.substr(item.begin, item.end - item.begin);
      const std::bitset<128> own = LettersOf(source, source.starts_with('['));
      if (MissingCases(own).any() && IsNegatedEscape(source)) return RefuseInClass(source);
      letters |= own;
      out_.append(source);
    }
    AppendLetters(MissingCases(letters), out_);
    out_.append("]");
    return {};
  }

  const std::string_view pattern_;
  std::string out_;
};

// Where a watched pattern has callouts: so that matching never goes on for long
// without one. What may be tried again and again has one behind it (each
// repetition, each way through a group); what is compared at once without
// bound, or at many places of a line, has one before it.
//
// They stand behind a repetition, not before it: PCRE2 remembers for foo.*bar
// that there is no bar, and a callout before .* would make it forget.
class CalloutPlaces {
 public:
  explicit CalloutPlaces(const std::vector<Token>& tokens) : tokens_(tokens) {}

  // Whether one is due before token `i`. To be asked for all of them, in order.
  bool Before(std::size_t i) {
    const Token& token = tokens_[i];
    switch (token.kind) {
      case TokenKind::kNothing:
      case TokenKind::kComment: return false;  // a repetition may go on: a* +
      case TokenKind::kRepeat: return Repeat(token);
      case TokenKind::kOpen: return Open(token);
      case TokenKind::kAlternate: return Due(depth_ > 0);
      case TokenKind::kClose: return Close();
      case TokenKind::kBackref:
      case TokenKind::kOpaque: return Due(true);
      case TokenKind::kZeroWidth: return Due(false);
      default: break;
    }
    const std::size_t width = MinimumOf(i);
    const bool due = Due(compared_ + width > kCompared);
    compared_ += width;
    return due;
  }

 private:
  static constexpr std::size_t kCompared = 16;  // characters

  bool Due(bool now) {
    const bool due = now || pending_;
    pending_ = false;
    condition_ = false;
    if (due) compared_ = 0;
    return due;
  }

  bool Repeat(const Token& token) {
    pending_ |= token.min != token.max;
    return false;
  }

  // No callout may stand between (? and its condition.
  bool Open(const Token& token) {
    ++depth_;
    const bool due = Due(token.group == GroupKind::kLook && !condition_);
    condition_ = token.group == GroupKind::kOpaque;
    return due;
  }

  bool Close() {
    if (depth_ > 0) --depth_;
    return Due(true);
  }

  // How often the character at `i` must occur.
  std::size_t MinimumOf(std::size_t i) const {
    while (++i < tokens_.size() && tokens_[i].kind == TokenKind::kNothing) {
    }
    return i < tokens_.size() && tokens_[i].kind == TokenKind::kRepeat ? tokens_[i].min : 1;
  }

  const std::vector<Token>& tokens_;
  std::size_t depth_ = 0;
  std::size_t compared_ = 0;  // characters since the last callout
  bool pending_ = false;      // behind a repetition, as soon as it is over
  bool condition_ = false;    // an assertion that follows belongs to (?(
};

// Whether the token at `i` is repeated and so slow for each character that a line
// full of them takes long: \X, and classes with many parts outside ASCII, which
// are tried one after the other.
bool IsSlowRepeat(std::string_view pattern, const std::vector<Token>& tokens, std::size_t i) {
  constexpr std::size_t kManyItems = 16;
  const Token& token = tokens[i];
  const bool cluster =
      token.kind == TokenKind::kOpaque && pattern.substr(token.begin, token.end - token.begin) == "\\X";
  const bool large = token.kind == TokenKind::kClass && token.items.size() > kManyItems;
  if (!cluster && !large) return false;
  while (++i < tokens.size() && tokens[i].kind == TokenKind::kNothing) {
  }
  return i < tokens.size() && tokens[i].kind == TokenKind::kRepeat;
}

// Verbs and \G see where a call of the library starts, and a watched line is
// searched by several calls.
bool NeedsOneCall(std::string_view pattern, const Token& token) {
  return token.kind == TokenKind::kVerb || pattern.substr(token.begin, token.end - token.begin) == "\\G";
}

}  // namespace

Result<RewrittenPattern> RewritePattern(std::string_view pattern, const TokenStream& stream, bool fold) {
  if (!stream.certain) {
    if (!fold) return RewrittenPattern{std::string(pattern), {}};
    return ExecutionFailed(
        "pattern: uses syntax that cannot be matched without regard to ASCII case; use case \"sensitive\"");
  }
  Rewriter plain(pattern);
  Rewriter watched(pattern);
  CalloutPlaces places(stream.tokens);
  bool one_call = false;
  for (std::size_t i = 0; i < stream.tokens.size(); ++i) {
    const Token& token = stream.tokens[i];
    if (Status status = plain.Add(token); !status.ok()) return status.error();
    if (places.Before(i)) watched.AddCallout(token.kind == TokenKind::kBackref ? kBeforeReference : 0);
    const bool slow = IsSlowRepeat(pattern, stream.tokens, i);
    if (slow) watched.Append("(?:");
    if (Status status = watched.Add(token); !status.ok()) return status.error();
    if (slow) watched.Append("(?C))");
    one_call |= NeedsOneCall(pattern, token);
  }
  return RewrittenPattern{plain.Take(), one_call ? std::string() : watched.Take()};
}

void AppendEscaped(char32_t code, std::string& out) {
  const bool special = code < 0x80 && std::isalnum(static_cast<int>(code)) == 0 && code != '_';
  if (special && code > ' ' && code != 0x7F) {
    out.push_back('\\');
    out.push_back(static_cast<char>(code));
  } else if (special) {
    AppendHex(code, out);
  } else {
    AppendUtf8(code, out);
  }
}

}  // namespace forge
