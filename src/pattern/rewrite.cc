#include "pattern/rewrite.h"

#include <cctype>

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
  Rewriter(std::string_view pattern, bool fold) : pattern_(pattern), fold_(fold) {}

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
      case TokenKind::kSet: return fold_ ? Set(source) : Copy(source);
      case TokenKind::kClass: return fold_ || IsAllButOne(token) ? Class(token) : Copy(source);
      case TokenKind::kBackref:
        if (fold_) return Refuse("a back-reference compares exactly");
        return Copy(source);
      default: return Copy(source);
    }
  }

  std::string Take() { return std::move(out_); }

 private:
  Status Copy(std::string_view source) {
    out_.append(source);
    return {};
  }

  static Status Refuse(const std::string& why) {
    return ExecutionFailed("pattern: cannot be matched without regard to ASCII case: " + why +
                           "; use case \"sensitive\"");
  }

  void Char(const Token& token, std::string_view source) {
    if (fold_ && IsAsciiLetter(token.code)) {
      out_ += {'[', static_cast<char>(token.code), static_cast<char>(OtherCase(token.code)), ']'};
    } else if (token.quoted) {
      AppendEscaped(token.code, out_);
    } else {
      out_.append(source);
    }
  }

  // Only properties can distinguish cases; \w, \d and the like cannot.
  Status Set(std::string_view source) {
    if (!source.starts_with("\\p") && !source.starts_with("\\P")) return Copy(source);
    const std::bitset<128> missing = MissingCases(LettersOf(source, false));
    if (missing.none()) return Copy(source);
    if (IsNegatedEscape(source)) return Refuse("so is " + std::string(source));
    out_.append("[").append(source);
    AppendLetters(missing, out_);
    out_.append("]");
    return {};
  }

  // (?i)[^k]: if the character has more than two cases, PCRE2's JIT (seen in
  // 10.42) treats a byte that is not UTF-8 as a character of four bytes, and
  // reads past the end of the line. If the class names the character twice, it
  // reads correctly.
  static bool IsAllButOne(const Token& token) {
    return token.negated && token.caseless && token.items.size() == 1 &&
           token.items[0].kind == ClassItem::Kind::kRange && token.items[0].low == token.items[0].high;
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
      if (MissingCases(own).any() && IsNegatedEscape(source)) return Refuse("so is " + std::string(source));
      letters |= own;
      out_.append(source);
    }
    if (fold_) AppendLetters(MissingCases(letters), out_);
    if (IsAllButOne(token)) AppendHex(token.items[0].low, out_);
    out_.append("]");
    return {};
  }

  const std::string_view pattern_;
  const bool fold_;
  std::string out_;
};

}  // namespace

Result<std::string> RewritePattern(std::string_view pattern, const TokenStream& stream, bool fold) {
  if (!stream.certain) {
    if (!fold) return std::string(pattern);
    return ExecutionFailed(
        "pattern: uses syntax that cannot be matched without regard to ASCII case; use case \"sensitive\"");
  }
  Rewriter rewriter(pattern, fold);
  for (const Token& token : stream.tokens) {
    if (Status status = rewriter.Add(token); !status.ok()) return status.error();
  }
  return rewriter.Take();
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
