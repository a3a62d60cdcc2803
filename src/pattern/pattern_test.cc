#include "pattern/pattern.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "base/utf8.h"

namespace forge {
namespace {

Pattern Must(const PatternSpec& spec) {
  auto pattern = Pattern::Compile(spec);
  EXPECT_TRUE(pattern.ok()) << spec.pattern << ": " << (pattern.ok() ? "" : pattern.error().message);
  return std::move(*pattern);
}

std::optional<std::string> MatchText(const Pattern& pattern, std::string_view line) {
  Pattern::Scratch scratch(pattern);
  const MatchOutcome outcome = pattern.Match(line, scratch);
  if (outcome.status != MatchStatus::kMatch) return std::nullopt;
  return std::string(line.substr(outcome.span.begin, outcome.span.size()));
}

std::string Repeated(std::size_t times, std::string_view text) {
  std::string out;
  for (; times > 0; --times) out += text;
  return out;
}

std::string Complaint(const PatternSpec& spec) {
  auto pattern = Pattern::Compile(spec);
  return pattern.ok() ? "" : std::string(Name(pattern.error().kind)) + ": " + pattern.error().message;
}

// What every match must contain, printed.
TEST(Factors, OfPatterns) {
  const struct {
    const char* pattern;
    const char* factors;
  } cases[] = {
      {"memory_hotplug", "memory_hotplug"},
      {"mutex_lock.*->lock", "mutex_lock"},
      {"\\w+_lock\\(", "[0-9A-Z_a-z\\x{80}-\\x{10ffff}]_lock\\x{28}"},
      {"[A-Z]{3,}_[0-9]+_MASK", "[0-9]_MASK"},
      {"[a-z]{2}[0-9]", "[a-z][a-z][0-9]"},
      {"foo|bar", "foo|bar"},
      {"(foo|bar)baz", "foobaz|barbaz"},
      {"(foo|bar)+x?", "foo|bar"},
      {"x*", ""},
      {"^$", ""},
      {"(?=foo)", ""},
      {"a|", ""},
      {"(foo)?bar", "foobar|bar"},
      {"(foo){2}", "foofoo"},
      {"(foo){2,}", "foofoo"},
      {"(foo){0,2}bar", "bar"},
      {"foo\\1(x)", "foo"},
      {"(x)?(?(1)a|b)foo", "foo"},
      {"foo(*ACCEPT)bar", ""},
      {"(?x) fo o # bar", "foo"},
      {"\\Qa.b\\E+", "a\\x{2e}b"},
      {"(?i)ak", "[Aa][Kk]"},
      {"(?i)a(?-i)k", "[Aa]k"},
      {"(?i:a(?^:k)s)x", "[Aa]k[Ss]x"},
      {"(?x)a*  bc", "bc"},
      {"(?x)a+  ?bc", "bc"},
      {"(?<!x)foo(?!bar)", "foo"},
      {"[^a]b", "[\\x{0}-\\x{9}\\x{b}-\\x{60}b-\\x{7f}\\x{80}-\\x{10ffff}]b"},
      {"\\x{e9}t", "\\x{e9}t"},
      {"foo\\Kbar", "foobar"},
      {"(?xx)[ ^a]b", "[\\x{0}-\\x{9}\\x{b}-\\x{60}b-\\x{7f}\\x{80}-\\x{10ffff}]b"},
      {"(?xxsx)[^ 1]2", "[\\x{0}-\\x{9}\\x{b}-02-\\x{7f}\\x{80}-\\x{10ffff}]2"},
      {"(?R)?foo", "foo"},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(ToRegex(Must({.pattern = c.pattern, .case_mode = CaseMode::kSensitive}).factors()), c.factors)
        << c.pattern;
  }
}

TEST(T_LS_CASE_01, SmartCaseLooksForAsciiUpperCase) {
  EXPECT_TRUE(IgnoresCase("foo", CaseMode::kSmart));
  EXPECT_FALSE(IgnoresCase("Foo", CaseMode::kSmart));
  EXPECT_FALSE(IgnoresCase("foo\\S", CaseMode::kSmart));  // raw bytes, escapes included
  EXPECT_TRUE(IgnoresCase("\xC3\x89t\xC3\xA9", CaseMode::kSmart));
  EXPECT_TRUE(IgnoresCase("FOO", CaseMode::kInsensitive));
  EXPECT_FALSE(IgnoresCase("foo", CaseMode::kSensitive));
}

TEST(Case, IsIgnoredForAsciiAlone) {
  const struct {
    const char* pattern;
    const char* line;
    const char* match;  // nullptr: none
  } cases[] = {
      {"k", "K", "K"},
      {"k", "\u212A", nullptr},
      {"s", "\u017F", nullptr},
      {"\u00E9", "\u00C9", nullptr},
      {"[a-c]x", "BX", "BX"},
      {"[^a]x", "Ax", nullptr},
      {"[^a]x", "bx", "bx"},
      {"\\x66oo", "FOO", "FOO"},
      {"\\Qf.o\\E", "F.O", "F.O"},
      {"[[:upper:]]x", "ax", "ax"},
      {"\\p{Ll}x", "Ax", "Ax"},
      {"\\p{Ll}x", "\u00C9x", nullptr},
      {"[]a-]", "A", "A"},
      {"[a-]", "-", "-"},
      {"[\\w-]+", "a-B", "a-B"},
      {"(?x) f o o # comment", "FOO", "FOO"},
      {"\\bfoo\\b", "a FOO b", "FOO"},
      {"(?<name>foo)", "FOO", "FOO"},
      {"\\103", "c", "c"},
      {"\\cA", "\x01", "\x01"},
  };
  for (const auto& c : cases) {
    const Pattern pattern = Must({.pattern = c.pattern, .case_mode = CaseMode::kInsensitive});
    const auto match = MatchText(pattern, c.line);
    EXPECT_EQ(match.value_or("(none)"), c.match ? c.match : "(none)") << c.pattern << " on " << c.line;
  }
}

TEST(Case, WhatCannotBeFoldedIsRefused) {
  EXPECT_NE(Complaint({.pattern = "[[:^upper:]]", .case_mode = CaseMode::kInsensitive}), "");
  EXPECT_NE(Complaint({.pattern = "(?i)[[:^upper:]]", .case_mode = CaseMode::kSensitive}), "");
}

// R3: (?i) and (?-i) decide within a pattern, and fold ASCII alone.
TEST(Case, IsSwitchedWithinAPattern) {
  constexpr auto kSensitive = CaseMode::kSensitive;
  constexpr auto kInsensitive = CaseMode::kInsensitive;
  const struct {
    const char* pattern;
    CaseMode mode;
    const char* line;
    const char* match;  // nullptr: none
  } cases[] = {
      {"(?-i:foo)bar", CaseMode::kSmart, "FOObar", nullptr},
      {"(?-i:foo)bar", CaseMode::kSmart, "fooBAR", "fooBAR"},
      {"foo(?-i)bar", kInsensitive, "FOObar", "FOObar"},
      {"foo(?-i)bar", kInsensitive, "FOOBAR", nullptr},
      {"(foo(?-i)bar)baz", kInsensitive, "foobarBAZ", "foobarBAZ"},
      {"(foo(?-i)bar)baz", kInsensitive, "fooBARbaz", nullptr},
      {"(?^:foo)bar", kInsensitive, "FOObar", nullptr},
      {"(?^i:foo)bar", kSensitive, "FOObar", "FOObar"},
      {"(?-i)[a-c]x", kInsensitive, "Ax", nullptr},
      {"(?-i:a(?i)b)c", kInsensitive, "aBC", "aBC"},
      {"(?-i:a(?i)b)c", kInsensitive, "ABC", nullptr},
      {"(?i)k", kSensitive, "K", "K"},
      {"(?i)k", kSensitive, "\u212A", nullptr},
      {"(?i)[^k]", kSensitive, "\u212A", "\u212A"},
      {"(?i:s)", kSensitive, "\u017F", nullptr},
      {"(?i)\u00E9", kSensitive, "\u00C9", nullptr},
      {"(?i-s:A)b", kSensitive, "ab", "ab"},
      {"(?is)A.b", kSensitive, "axB", "axB"},
      {"(?i)\\P{Lu}", kSensitive, "aA1", "1"},
      {"(?i)\\p{Lu}", kSensitive, "1a", "a"},
      {"(?xi) a b # c", kSensitive, "AB", "AB"},
  };
  for (const auto& c : cases) {
    const auto match = MatchText(Must({.pattern = c.pattern, .case_mode = c.mode}), c.line);
    EXPECT_EQ(match.value_or("(none)"), c.match ? c.match : "(none)") << c.pattern << " on " << c.line;
  }
}

// R3: what a back-reference compares with cannot be written out, so PCRE2 ignores
// case there, as Unicode does.
TEST(Case, IsIgnoredByABackReference) {
  const struct {
    const char* pattern;
    CaseMode mode;
    const char* line;
    const char* match;  // nullptr: none
  } cases[] = {
      {"(\\w)\\1", CaseMode::kSmart, "abBc", "bB"},
      {"(\\w)\\1", CaseMode::kSensitive, "abBc", nullptr},
      {"(?<x>ab)-\\k<x>+", CaseMode::kInsensitive, "aB-AbABab.", "aB-AbABab"},
      {"(ab)(?P=y)|(?<y>c)", CaseMode::kInsensitive, "C", "C"},
      {"(a)(?-i:\\1)", CaseMode::kInsensitive, "aAAa", "AA"},
      {"(a)(?-i:\\1)", CaseMode::kInsensitive, "aA", nullptr},
      {"(A)(?i:\\1)", CaseMode::kSensitive, "Aa", "Aa"},
      {"(k)\\g{1}", CaseMode::kInsensitive, "k\u212A", "k\u212A"},
      {"(a)\\g{1}0", CaseMode::kInsensitive, "aA0", "aA0"},
  };
  for (const auto& c : cases) {
    const auto match = MatchText(Must({.pattern = c.pattern, .case_mode = c.mode}), c.line);
    EXPECT_EQ(match.value_or("(none)"), c.match ? c.match : "(none)") << c.pattern << " on " << c.line;
  }
}

// What (?x) skips, and braces that only some versions of PCRE2 read as a
// repetition, are no reason to refuse a pattern.
TEST(Case, IsIgnoredInPatternsThatLookOdd) {
  EXPECT_EQ(MatchText(Must({.pattern = "(?x)a*  b"}), "xAAb"), "AAb");
  EXPECT_EQ(MatchText(Must({.pattern = "(?x)a+  ?b"}), "xAAb"), "AAb");
  EXPECT_EQ(MatchText(Must({.pattern = "(?x)a+  +a"}), "AAA"), std::nullopt);
  const auto library = Regex::Compile("^a{,3}$");
  Regex::Scratch scratch(*library);
  const bool literal = library->Match("a{,3}", scratch).status == MatchStatus::kMatch;  // up to 10.42
  const Pattern pattern = Must({.pattern = "a{,3}b"});
  EXPECT_EQ(MatchText(pattern, "xA{,3}B"), literal ? "A{,3}B" : "B");
  EXPECT_EQ(MatchText(pattern, "aaB"), literal ? std::nullopt : std::optional<std::string>("aaB"));
}

TEST(SeveralPatterns, AnyOfThemMatchesAndTheFirstAtAPlaceCounts) {
  const Pattern words = Must({.pattern = "foo", .more = {"ba[rz]", "foobar"}});
  EXPECT_EQ(MatchText(words, "a baz foo"), "baz");
  EXPECT_EQ(MatchText(words, "foobar"), "foo");
  EXPECT_EQ(MatchText(words, "fo"), std::nullopt);
  EXPECT_TRUE(words.ignores_case());
  EXPECT_FALSE(Must({.pattern = "foo", .more = {"Bar"}}).ignores_case());
  EXPECT_EQ(MatchText(Must({.pattern = "a.b", .fixed_strings = true, .more = {"c*"}}), "axb c*"), "c*");
  EXPECT_EQ(MatchText(Must({.pattern = "(a)\\1", .more = {"(b)\\1"}}), "ab bb"), "bb") << "groups are its own";
  EXPECT_EQ(MatchText(Must({.pattern = "\\Qa|", .more = {"b"}}), "xb"), "b");
  EXPECT_EQ(MatchText(Must({.pattern = "foo", .word_regexp = true, .more = {"bar"}}), "xfoo bar"), "bar");
  EXPECT_NE(Complaint({.pattern = "foo", .more = {"("}}), "");
}

TEST(LineRegexp, AMatchIsAWholeLine) {
  const Pattern text = Must({.pattern = "foo", .line_regexp = true});
  EXPECT_EQ(MatchText(text, "foo"), "foo");
  EXPECT_EQ(MatchText(text, "foo "), std::nullopt);
  EXPECT_EQ(MatchText(Must({.pattern = "a|ab", .line_regexp = true}), "ab"), "ab");
  EXPECT_EQ(MatchText(Must({.pattern = "a", .more = {"b+"}, .line_regexp = true}), "bbb"), "bbb");
}

TEST(EmptyPattern, MatchesEveryLineWhereItIsMeant) {
  EXPECT_EQ(MatchText(Must({.pattern = "", .may_be_blank = true}), "x"), "");
  EXPECT_NE(Complaint({.pattern = ""}), "");
}

TEST(Word, NeitherNeighbourIsAWordCharacter) {
  const struct {
    const char* pattern;
    bool fixed;
    const char* line;
    const char* match;
  } cases[] = {
      {"foo", true, "a foo b", "foo"},    {"foo", true, "foobar foo", "foo"},
      {"foo", true, "food", nullptr},     {"foo", true, "\u00E9foo", nullptr},
      {"->foo", true, "x->foo", nullptr}, {"->foo", true, "x ->foo", "->foo"},
      {"foo()", true, "foo()x", nullptr}, {"foo|foobar", false, "foobar", "foobar"},
      {"^foo", false, "foo x", "foo"},    {"a+", false, "aaab aa", "aa"},
  };
  for (const auto& c : cases) {
    const Pattern pattern = Must({.pattern = c.pattern, .fixed_strings = c.fixed, .word_regexp = true});
    EXPECT_EQ(MatchText(pattern, c.line).value_or("(none)"), c.match ? c.match : "(none)")
        << c.pattern << " " << c.line;
  }
}

// They would re-enter the look-arounds around a word, or skip the last one.
TEST(Word, WhatSeesTheWrappingIsRefused) {
  for (const char* call : {"(?R)", "(?0)", "\\g<0>", "\\g'0'", "(*ACCEPT)", "(*ACCEPT:name)"}) {
    const std::string pattern = "a" + std::string(call) + "?b|c";
    EXPECT_EQ(Complaint({.pattern = pattern, .word_regexp = true, .case_mode = CaseMode::kSensitive}),
              "BadArgs: word_regexp: cannot be used with " + std::string(call) +
                  " in the pattern, which would bypass the test for word ends");
    EXPECT_EQ(Complaint({.pattern = pattern, .case_mode = CaseMode::kSensitive}), "");
  }
  for (const char* other : {"(a)(?1)", "(a)\\g<1>", "(?<n>a)(?&n)", "a(*COMMIT)b", "(a)(?-1)", "(a)(?01)"}) {
    EXPECT_EQ(Complaint({.pattern = other, .word_regexp = true, .case_mode = CaseMode::kSensitive}), "") << other;
  }
}

// A part that the lexer does not know may end in an open quotation or comment,
// which would swallow the wrapping.
TEST(Word, SyntaxThatIsNotKnownForCertainIsRefusedPlainly) {
  for (const char* pattern : {"[\\Qa\\E]\\Qb", "(?x)[\\Qa\\E]#b", "[\\Qa\\E](?R)?", "[\\Qa\\E]"}) {
    EXPECT_EQ(Complaint({.pattern = pattern, .word_regexp = true, .case_mode = CaseMode::kSensitive}),
              "BadArgs: word_regexp: the pattern uses syntax that cannot be searched for as a whole word; write it "
              "with plainer syntax, or put (?<!\\w) and (?!\\w) around it yourself")
        << pattern;
    EXPECT_EQ(Complaint({.pattern = pattern, .case_mode = CaseMode::kSensitive}), "") << pattern;
  }
  const Pattern open = Must({.pattern = "\\Qa.b", .word_regexp = true});
  EXPECT_EQ(MatchText(open, "xa.b a.b"), "a.b");
  const Pattern comment = Must({.pattern = "(?x)a b # c", .word_regexp = true});
  EXPECT_EQ(MatchText(comment, "xab ab"), "ab");
}

TEST(Word, TheHalfBoundaryLooksAtTheByteBeforeABadOne) {
  const Pattern pattern = Must({.pattern = "foo", .fixed_strings = true, .word_regexp = true});
  EXPECT_EQ(MatchText(pattern,
                      "\xFF"
                      "foo\xE9"),
            "foo");
}

// \Q and \E are taken out before the pattern is compiled.
TEST(Match, AQuoteThatEndsKeepsItsNeighboursApart) {
  const struct {
    const char* pattern;
    const char* line;
    const char* match;
  } cases[] = {
      {"\\x4\\E1",
       "\x04"
       "1",
       "\x04"
       "1"},
      {"x{1,\\E2}", "x{1,2}", "x{1,2}"},
      {"a{\\Q2\\E}", "aa{2}", "a{2}"},
  };
  for (const auto& c : cases) {
    const Pattern pattern = Must({.pattern = c.pattern, .case_mode = CaseMode::kSensitive});
    EXPECT_EQ(MatchText(pattern, c.line), c.match) << c.pattern;
  }
}

// On such patterns, PCRE2's JIT reads past the end of the line.
TEST(Match, AllButOneCaselessCharacterIsNotABadByte) {
  for (const CaseMode mode : {CaseMode::kSensitive, CaseMode::kInsensitive}) {
    for (const char* pattern : {"(?i)[^k]", "(?i)[^\\x{e5}]", "(?i:[^s])"}) {
      const Pattern compiled = Must({.pattern = pattern, .case_mode = mode});
      EXPECT_EQ(MatchText(compiled, "\xFF"), std::nullopt) << pattern;
      EXPECT_EQ(MatchText(compiled, "\xFF&"), "&") << pattern;
    }
  }
  EXPECT_EQ(MatchText(Must({.pattern = "(?i)[^k]"}), "kKx"), "x");
}

TEST(BadPatterns, AreNamedWithTheirPosition) {
  const struct {
    const char* pattern;
    const char* complaint;
  } cases[] = {
      {" \t", "BadArgs: pattern: must contain something other than white space"},
      {"foo(", "BadArgs: pattern: missing closing parenthesis at offset 4"},
      {"ab[", "BadArgs: pattern: missing terminating ] for character class at offset 3"},
      {"foo\\nbar",
       "BadArgs: pattern: asks for a line feed at offset 3; a match never spans lines, search for one line "
       "at a time"},
      {"\\x0a",
       "BadArgs: pattern: asks for a line feed at offset 0; a match never spans lines, search for one line at a "
       "time"},
      {"a\\R",
       "BadArgs: pattern: asks for a line feed at offset 1; a match never spans lines, search for one line at a "
       "time"},
      {"[\\n]",
       "BadArgs: pattern: asks for a line feed at offset 1; a match never spans lines, search for one line at a "
       "time"},
      {"(*CRLF)foo", "BadArgs: pattern: options such as (*CRLF) are not supported"},
      {"a\\C", "BadArgs: pattern: using \\C is disabled by the application at offset 3"},
  };
  for (const auto& c : cases) EXPECT_EQ(Complaint({.pattern = c.pattern}), c.complaint) << c.pattern;
  EXPECT_NE(Complaint({.pattern = "\n"}), "");
  EXPECT_NE(Complaint({.pattern = "a\nb", .fixed_strings = true}), "");
  EXPECT_NE(Complaint({.pattern = std::string("a\0b", 3), .fixed_strings = true}), "");
  EXPECT_EQ(Complaint({.pattern = "\\s"}), "");
  EXPECT_EQ(Complaint({.pattern = "[^x]"}), "");
  EXPECT_EQ(Complaint({.pattern = "a[^\\n]*b"}), "");
  EXPECT_EQ(Complaint({.pattern = "[^\\x00-\\x7F]"}), "");
  EXPECT_EQ(Complaint({.pattern = "[\\x00-\\x08]"}), "");
  EXPECT_EQ(Complaint({.pattern = "[\\t-\\n]"}), "");
  EXPECT_NE(Complaint({.pattern = "[\\x00]"}), "");
  EXPECT_NE(Complaint({.pattern = std::string(10'000'000, 'a')}), "");
}

// The command line draws a caret there; it does not read the message.
TEST(BadPatterns, HaveACodeAndAnOffset) {
  const struct {
    PatternSpec spec;
    std::optional<std::uint64_t> offset;
  } cases[] = {
      {{.pattern = "foo("}, 4},
      {{.pattern = "foo(", .word_regexp = true}, 4},
      {{.pattern = "foo\\nbar"}, 3},
      {{.pattern = "a[\\x00]"}, 2},
      {{.pattern = " "}, std::nullopt},
      {{.pattern = "a\nb", .fixed_strings = true}, std::nullopt},
      {{.pattern = "(*CRLF)foo"}, std::nullopt},
  };
  for (const auto& c : cases) {
    const auto pattern = Pattern::Compile(c.spec);
    ASSERT_FALSE(pattern.ok()) << c.spec.pattern;
    EXPECT_EQ(pattern.error().code, ErrorCode::kBadPattern) << c.spec.pattern;
    EXPECT_EQ(pattern.error().field, "pattern") << c.spec.pattern;
    EXPECT_EQ(pattern.error().offset, c.offset) << c.spec.pattern;
  }
}

TEST(Match, ACatastropheIsToldNotSuffered) {
  const Pattern pattern = Must({.pattern = "(a|aa)+$", .case_mode = CaseMode::kSensitive});
  Pattern::Scratch scratch(pattern);
  EXPECT_EQ(pattern.Match(std::string(5000, 'a') + "b", scratch).status, MatchStatus::kTooComplex);
}

// The native backend does not try a line that the sieve excludes; ripgrep and ugrep report it
// for its factor. The answer must be the same.
TEST(Match, ACatastropheIsToldOnlyWhereTheSieveFits) {
  const Pattern pattern = Must({.pattern = "(?:\\w+\\s?)+;(?<=X;)_MASK[0-9]+x", .case_mode = CaseMode::kSensitive});
  Pattern::Scratch scratch(pattern);
  const std::string hard(5000, 'a');
  EXPECT_EQ(pattern.Match(hard + "-a;_MASK12x", scratch).status, MatchStatus::kTooComplex);
  EXPECT_EQ(pattern.Match(hard + "-a;_MASK12y x", scratch).status, MatchStatus::kNoMatch);
}

// R12. The budget of a line is counted in steps, so nothing here depends on the
// time that they take.
TEST(Match, ALineMayCostSoMuchAndNoMore) {
  const std::string line(100'000, 'a');
  for (const char* text : {"(?=.*[A-Z])", "(?=.*X)(?=.*Y)", "(\\w+)-?\\1b", "a*a*b"}) {
    const Pattern pattern = Must({.pattern = text, .case_mode = CaseMode::kSensitive});
    Pattern::Scratch scratch(pattern);
    EXPECT_EQ(pattern.Match(line + " b- xy", scratch).status, MatchStatus::kTooComplex) << text;
  }
}

// A pattern whose time is linear finds its match at the end of a long line.
TEST(Match, ALongLineIsNoReasonToGiveUp) {
  const std::string line = Repeated(100'000, "foo(a,b){c} ");
  for (const char* text : {"\\w+_t\\b", "foo.*bar", "[A-Z]+_[A-Z]+", "\\bba\\w+", "(?:bar|qux)\\s*\\w+$"}) {
    const Pattern pattern = Must({.pattern = text, .case_mode = CaseMode::kSensitive});
    Pattern::Scratch scratch(pattern);
    EXPECT_EQ(pattern.Match(line + "bar_t A_B bar x", scratch).status, MatchStatus::kMatch) << text;
    EXPECT_EQ(pattern.Match(line, scratch).status, MatchStatus::kNoMatch) << text;
  }
}

// What is slow for each character can be given up within a repetition.
TEST(Match, ASlowRepetitionMeansTheSameInALongLine) {
  std::string many = "[";
  for (char32_t c = 0x100; c < 0x200; c += 4) {
    AppendUtf8(c, many);
    many += '-';
    AppendUtf8(c + 1, many);
  }
  many += "]";
  const std::string line = Repeated(20'000, "\u0100\u0101e\u0301");
  for (const std::string& item : {many, std::string("\\X")}) {
    for (const char* repeat : {"+", "*?", "{2}", "++", "{1,3}"}) {
      const Pattern pattern = Must({.pattern = item + repeat + "z", .case_mode = CaseMode::kSensitive});
      EXPECT_EQ(MatchText(pattern, line.substr(0, 12) + "z").has_value(), MatchText(pattern, line + "z").has_value())
          << item << repeat;
      EXPECT_EQ(MatchText(pattern, line), std::nullopt) << item << repeat;
    }
  }
}

// R12: a cancel is seen within a line. The line would take minutes.
TEST(Match, IsGivenUpWhenCancelled) {
  const std::string line(1'000'000, 'a');
  CancelSource source;
  const Deadline deadline(Clock::time_point::max(), source.token());
  const Pattern pattern = Must({.pattern = "(?:(?=.*[A-Z])|(?=.*[0-9]))", .case_mode = CaseMode::kSensitive});
  Pattern::Scratch scratch(pattern, deadline);
  source.Cancel();
  EXPECT_EQ(pattern.Match(line, scratch).status, MatchStatus::kTooComplex);
}

TEST(Match, AnEmptyMatchIsAMatch) { EXPECT_EQ(MatchText(Must({.pattern = "x*"}), "abc"), ""); }

// --- Properties, on patterns made from a grammar of the dialect.

rc::Gen<std::string> GenPattern(int depth);

rc::Gen<std::string> GenAtom() {
  return rc::gen::element<std::string>("a", "b", "k", "S", "_", "\\.", ".", "\\w", "\\W", "\\d", "\\s", "[ab]", "[^a]",
                                       "[a-k]", "[[:alpha:]]", "[]a-]", "\u00E9", "\\x{e9}", "\\x41", "[\\w.]", "\\bk",
                                       "^", "$", "\\Qa.\\E", "(?i:k)", "\\p{Lu}", "[^\\d]", "(?=a)", "(?!b)", "(?<=a)",
                                       "\\h", "-", " ", "\\K", "[^\\x{e9}]");
}

rc::Gen<std::string> GenPattern(int depth) {
  if (depth == 0) return GenAtom();
  const auto inner = [depth] { return GenPattern(depth - 1); };
  return rc::gen::oneOf(
      GenAtom(), rc::gen::apply([](const std::string& a, const std::string& b) { return a + b; }, inner(), inner()),
      rc::gen::apply([](const std::string& a, const std::string& b) { return "(?:" + a + "|" + b + ")"; }, inner(),
                     inner()),
      rc::gen::apply([](const std::string& a, const std::string& q) { return "(" + a + ")" + q; }, inner(),
                     rc::gen::element<std::string>("*", "+", "?", "{2}", "{1,3}", "{0,2}", "+?", "*+")),
      rc::gen::apply([](const std::string& a) { return "(?>" + a + ")"; }, inner()));
}

rc::Gen<std::string> GenLine() {
  return rc::gen::map(
      rc::gen::container<std::vector<std::string>>(rc::gen::element<std::string>(
          "a", "b", "k", "K", "S", "s", "A", "_", ".", "-", " ", "1", "\u00E9", "\u212A", "\u017F", "\xFF", "\t")),
      [](const std::vector<std::string>& parts) {
        std::string line;
        for (const auto& part : parts) line += part;
        return line;
      });
}

// If the factors did not allow a match, an external backend would never report
// that line, or the index would wrongly leave out its file.
TEST(FactorProperty, EveryMatchingLineContainsAFactor) {
  EXPECT_TRUE(rc::check([] {
    const std::string text = *GenPattern(3);
    const auto mode = *rc::gen::element(CaseMode::kSensitive, CaseMode::kInsensitive);
    const auto pattern =
        Pattern::Compile({.pattern = text, .word_regexp = *rc::gen::arbitrary<bool>(), .case_mode = mode});
    RC_PRE(pattern.ok());
    RC_PRE(!pattern->factors().empty());
    const auto finder = Regex::Compile(ToRegex(pattern->factors()));
    RC_ASSERT(finder.ok());
    const std::string line = *GenLine();
    Pattern::Scratch scratch(*pattern);
    if (pattern->Match(line, scratch).status != MatchStatus::kMatch) return;
    Regex::Scratch finder_scratch(*finder);
    RC_ASSERT(finder->Match(line, finder_scratch).status == MatchStatus::kMatch);
  }));
}

// ASCII-insensitive matching means: lower both the pattern and the line. That
// holds for patterns whose parts do not distinguish cases.
TEST(CaseProperty, FoldingEqualsLoweringTheLine) {
  EXPECT_TRUE(rc::check([] {
    const std::string text = *GenPattern(3);
    RC_PRE(text.find("\\p{Lu}") == std::string::npos && text.find("(?i") == std::string::npos);
    RC_PRE(text.find('S') == std::string::npos && text.find("\\x41") == std::string::npos);
    const auto folded = Pattern::Compile({.pattern = text, .case_mode = CaseMode::kInsensitive});
    const auto exact = Pattern::Compile({.pattern = text, .case_mode = CaseMode::kSensitive});
    RC_PRE(folded.ok() && exact.ok());
    const std::string line = *GenLine();
    std::string lowered = line;
    for (char& c : lowered) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
    Pattern::Scratch a(*folded);
    Pattern::Scratch b(*exact);
    const MatchOutcome want = exact->Match(lowered, b);
    const MatchOutcome got = folded->Match(line, a);
    RC_ASSERT(got.status == want.status);
    RC_ASSERT(got.span.begin == want.span.begin);
    RC_ASSERT(got.span.end == want.span.end);
  }));
}

// Every line of up to three such bytes: letters, others, and bytes that begin, continue
// or never are a character.
std::vector<std::string> LinesOfOddBytes() {
  const std::string_view bytes = "a. \x80\xA9\xBF\xC0\xC3\xE0\xE2\xED\xF0\xF4\xFF";
  std::vector<std::string> lines = {""};
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string line = lines[i];
    if (line.size() == 3) break;
    for (const char byte : bytes) lines.push_back(line + byte);
  }
  for (const char* const line : {"\xF0\x9F\x98", "a\xF4\x90\x80\x80", "\xF8\x88\x80\x80\x80", ".\xF0\x80\x80\x80"}) {
    lines.emplace_back(line);
  }
  return lines;
}

// If the end of the line is no whole character, PCRE2's JIT code looks at the bytes after
// it in memory: the rest of a file that was read before.
TEST(Pattern, WhatLiesBehindALineInMemoryIsNotSeen) {
  const std::vector<std::string> patterns = {"\\b",     "\\w$", ".$",   "\\X$",  "[^k]$", "(?i)[^k]$", "\\B",
                                             "\\p{L}$", "$",    "\\W$", "\\S+$", ".*",    "(?<=.)$",   "[^x]*\\b"};
  const std::vector<std::string> behind = {"\n",   "\xAC", "\xA9", "\x80\x80\x80", "a", std::string(1, '\0'),
                                           "\r\n", "\xFF"};
  for (const std::string& text : patterns) {
    for (const bool word : {false, true}) {
      const auto pattern = Pattern::Compile({text, false, word, CaseMode::kSensitive});
      ASSERT_TRUE(pattern.ok()) << text;
      Pattern::Scratch quick(*pattern);
      Pattern::Scratch watched(*pattern, {}, {.quick_bytes = 0, .part_bytes = 1});
      for (const std::string& line : LinesOfOddBytes()) {
        std::optional<MatchOutcome> first;
        for (const std::string& rest : behind) {
          const std::string memory = line + rest + std::string(8, '\n');
          for (Pattern::Scratch* const scratch : {&quick, &watched}) {
            const MatchOutcome outcome = pattern->Match(std::string_view(memory).substr(0, line.size()), *scratch);
            if (!first) first = outcome;
            ASSERT_EQ(outcome.status, first->status)
                << text << " on " << ::testing::PrintToString(line) << " before " << ::testing::PrintToString(rest);
            if (outcome.status == MatchStatus::kMatch) {
              ASSERT_EQ(outcome.span.begin, first->span.begin) << text;
              ASSERT_EQ(outcome.span.end, first->span.end) << text;
            }
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace forge
