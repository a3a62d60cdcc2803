// PCRE2 patterns, cut into tokens.
//
// PCRE2 itself decides what a pattern means and whether it is valid; it has
// compiled the pattern before the lexer gets it. The lexer answers two
// questions that PCRE2 does not: which letters must be doubled so that case
// does not matter (rewrite.h), and what every match must contain (factor.h).
// Both need the right borders of the tokens. So if the lexer does not know
// something with certainty, it sets `certain` to false, and its users draw no
// conclusions.
#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace forge {

// A set of characters: exact for ASCII, all or nothing for the rest, where it
// may only be too large.
struct CharSet {
  std::bitset<128> ascii;
  bool other = false;

  static CharSet All();
  CharSet& operator|=(const CharSet& that);
};

struct ClassItem {
  enum class Kind {
    kRange,   // low to high; a single character has low == high
    kEscape,  // \w, \p{..}, [:alpha:]: copied as it stands
  };
  Kind kind = Kind::kRange;
  char32_t low = 0;
  char32_t high = 0;
  std::size_t begin = 0;  // span in the pattern (kEscape)
  std::size_t end = 0;
  CharSet set;
};

enum class TokenKind {
  kChar,   // one literal character
  kSet,    // one character of a set written as an escape: `.`, \w, \p{..}
  kClass,  // [...]
  kOpen,   // a group
  kClose,
  kAlternate,  // |
  kRepeat,
  kZeroWidth,  // anchors, \b, \K, flags, callouts: consume nothing
  kBackref,
  kOpaque,   // may match any text: subroutine calls, \X
  kVerb,     // (*ACCEPT) and similar verbs: we conclude nothing
  kNothing,  // \E, white space in extended mode
  kComment,  // in extended mode, to the end
};

enum class GroupKind {
  kPlain,
  kLook,    // an assertion: consumes nothing
  kOpaque,  // a conditional group
};

struct Token {
  TokenKind kind = TokenKind::kNothing;
  std::size_t begin = 0;
  std::size_t end = 0;
  bool caseless = false;  // A-Z and a-z are the same here
  bool flags = false;     // kZeroWidth, kOpen: (?i) and the like
  bool quoted = false;    // kChar inside \Q..\E: its span is not escaped
  char32_t code = 0;      // kChar
  CharSet set;            // kSet
  bool negated = false;   // kClass
  std::vector<ClassItem> items;
  GroupKind group = GroupKind::kPlain;
  std::uint32_t min = 0;  // kRepeat
  std::uint32_t max = 0;  // kUnlimited for no upper bound
  // (?R), \g<0> and (*ACCEPT): they would re-enter or leave the text that we
  // wrap around the pattern.
  bool sees_wrapping = false;
};

inline constexpr std::uint32_t kUnlimited = 0xFFFFFFFF;

struct TokenStream {
  std::vector<Token> tokens;
  bool certain = true;  // false: the borders of tokens may be wrong
  // Where the pattern asks for a line feed or a NUL, if it does.
  std::optional<std::size_t> line_feed;
  std::optional<std::size_t> nul;
};

// `pattern` must have been accepted by Regex::Compile. With `caseless`, case does
// not matter until (?-i) says otherwise.
TokenStream Tokenize(std::string_view pattern, bool caseless);

}  // namespace forge
