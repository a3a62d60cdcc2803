// What a pattern means: one dialect on every backend (R2, R3, rows C1 to C9,
// C13, C31). Each row is one file, one pattern, and what is found in it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/acceptance/answer.h"

namespace forge::testing {
namespace {

using ::testing::ElementsAreArray;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct Row {
  const char* name;
  const char* file;
  const char* pattern;
  const char* fields;
  std::vector<std::string> events;  // without the file name
};
void PrintTo(const Row& row, std::ostream* out) { *out << row.pattern << " with " << row.fields; }

class Pattern : public ::testing::TestWithParam<Row> {};

TEST_P(Pattern, MeansTheSameOnEveryBackend) {
  TempTree tree;
  tree.Write("f", GetParam().file);
  tree.Write("g", "nothing here\n");  // so that no backend sees a single file
  std::vector<std::string> expected;
  for (const std::string& event : GetParam().events) expected.push_back("f:" + event);
  const Answer answer = Search(tree, Ask(GetParam().pattern, GetParam().fields), {});
  EXPECT_TRUE(answer.ok()) << answer.message();
  EXPECT_THAT(answer.events(), ElementsAreArray(expected));
}

constexpr const char* kFixed = R"("fixed_strings":true,"include_glob":["f"])";
constexpr const char* kWord = R"("word_regexp":true,"include_glob":["f"])";
constexpr const char* kFixedWord = R"("fixed_strings":true,"word_regexp":true,"include_glob":["f"])";
constexpr const char* kFold = R"("case":"insensitive","include_glob":["f"])";
constexpr const char* kFixedFold = R"("case":"insensitive","fixed_strings":true,"include_glob":["f"])";
constexpr const char* kExact = R"("case":"sensitive","include_glob":["f"])";
constexpr const char* kF = R"("include_glob":["f"])";

const Row kRows[] = {
    // Literals.
    {"LiteralSpecials",
     "a[i]++ (x) {y} $z ^w \\q |p| .* ?\n",
     "a[i]++ (x) {y} $z ^w \\q |p| .* ?",
     kFixed,
     {"1:1:a[i]++ (x) {y} $z ^w \\q |p| .* ?|a[i]++ (x) {y} $z ^w \\q |p| .* ?"}},
    {"LiteralStartsWithDash", "x --foo\n", "--foo", kFixed, {"1:3:x --foo|--foo"}},
    {"LiteralQuoteE", "a\\Eb\n", "\\E", kFixed, {"1:2:a\\Eb|\\E"}},
    {"LiteralPatternIsNotTrimmed", "foo\n  foo \nfoo \n", " foo ", kFixed, {"2:2:  foo | foo "}},
    {"RegexPatternIsNotTrimmed", "foo\n  foo \n", " foo ", kF, {"2:2:  foo | foo "}},
    {"TabInPattern", "a\tb\na b\n", "a\tb", kFixed, {"1:1:a\tb|a\tb"}},
    // Leftmost first, one event a line (C13).
    {"LeftmostFirst", "foobar\n", "foo|foobar", kF, {"1:1:foobar|foo"}},
    {"OneEventALine", "foo foo foo\n", "foo", kF, {"1:1:foo foo foo|foo"}},
    {"LazyQuantifier", "foo.bar.bar\n", "foo.*?bar", kF, {"1:1:foo.bar.bar|foo.bar"}},
    // Unicode classes (R2).
    {"DotIsACharacter", "caf\u00e9\n", "caf.$", kF, {"1:1:caf\u00e9|caf\u00e9"}},
    {"FourDots", "\u00e9t\u00e9s\nabcdef\n", "^....$", kF, {"1:1:\u00e9t\u00e9s|\u00e9t\u00e9s"}},
    {"WordClassIsUnicode", "na\u00efve!\n", "\\w+", kF, {"1:1:na\u00efve!|na\u00efve"}},
    {"DigitClassIsUnicode", "x\u0663\n", "\\d", kF, {"1:2:x\u0663|\u0663"}},
    {"BoundaryIsUnicode", "na\u00efve\n ve\n", "\\bve", kF, {"2:2: ve|ve"}},
    {"SpaceClassIsUnicode", "a\u00a0b\n", "a\\sb", kF, {"1:1:a\u00a0b|a\u00a0b"}},
    {"NegatedClassIsACharacter", "x\u00e9y\n", "x[^a]y", kF, {"1:1:x\u00e9y|x\u00e9y"}},
    {"NonAsciiClass", "caf\u00e9\ncafe\n", "caf[\u00e9\u00e8]", kF, {"1:1:caf\u00e9|caf\u00e9"}},
    {"Property", "ab\u00c9c\n", "\\p{Lu}\\w", kExact, {"1:3:ab\u00c9c|\u00c9c"}},
    {"PosixClassIsUnicode", "\u00e9t\u00e9 x\n", "[[:alpha:]]+", kF, {"1:1:\u00e9t\u00e9 x|\u00e9t\u00e9"}},
    // Dialect: patterns that rg's own engine or ugrep's would reject or read
    // differently.
    {"BoundaryInTheMiddle",
     "return -ENOMEM;\n",
     "\\breturn\\b.*-ENOMEM\\b",
     kExact,
     {"1:1:return -ENOMEM;|return -ENOMEM"}},
    {"AlternationWithAnchor",
     "#include\nx #include\nx#include\n",
     "(^|\\s)#include",
     kF,
     {"1:1:#include|#include", "2:2:x #include| #include"}},
    {"Lookahead", "foobar foobaz\n", "foo(?=baz)", kF, {"1:8:foobar foobaz|foo"}},
    {"Lookbehind", "xfoo yfoo\n", "(?<=y)foo", kF, {"1:7:xfoo yfoo|foo"}},
    {"NegativeLookahead", "foobar foobaz\n", "foo(?!bar)", kF, {"1:8:foobar foobaz|foo"}},
    {"BackReference", "abab abba\nabcabc\n", "\\b(\\w+)\\1\\b", kExact, {"1:1:abab abba|abab", "2:1:abcabc|abcabc"}},
    {"NamedGroups", "key=key\n", "(?<k>\\w+)=(?P=k)", kF, {"1:1:key=key|key=key"}},
    {"KeepOut", "foobar\n", "foo\\Kbar", kF, {"1:4:foobar|bar"}},
    {"Possessive", "aaab\n", "a++b", kF, {"1:1:aaab|aaab"}},
    {"LiteralBraces", "x {ok} a{\n", "{ok}", kF, {"1:3:x {ok} a{|{ok}"}},
    {"LoneClosingBrace", "a}\n", "}", kF, {"1:2:a}|}"}},
    {"EscapedSlashAndQuote", "a/\"b\n", "a\\/\\\"b", kF, {"1:1:a/\"b|a/\"b"}},
    {"QuotedLiteralInRegex", "a.b axb\n", "\\Qa.b\\E", kF, {"1:1:a.b axb|a.b"}},
    {"FreeSpacing", "foo bar\nfoobar\n", "(?x) foo bar # no space", kF, {"2:1:foobar|foobar"}},
    {"HexEscape", "\u00e9 x\n", "\\x{e9}", kF, {"1:1:\u00e9 x|\u00e9"}},
    {"AtomicGroup", "foobar\n", "(?>foo)bar", kF, {"1:1:foobar|foobar"}},
    {"HorizontalSpace", "a \tb\n", "a\\h+b", kF, {"1:1:a \tb|a \tb"}},
    {"Recursion", "x((a)b)\n", "\\((?:[^()]|(?R))*\\)", kF, {"1:2:x((a)b)|((a)b)"}},
    // A match never leaves its line (C5, R2).
    {"NonWordStaysInItsLine", "foo\nbar\nfoo bar\n", "foo\\W+bar", kF, {"3:1:foo bar|foo bar"}},
    {"SpaceStaysInItsLine", "foo\n\n\nbar\n", "foo\\s*", kF, {"1:1:foo|foo"}},
    {"NonDigitStaysInItsLine", "a\n1\n", "\\D+", kF, {"1:1:a|a"}},
    {"DotAllStaysInItsLine", "foo\nbar\n", "(?s)foo.*", kF, {"1:1:foo|foo"}},
    {"NegatedClassStaysInItsLine", "foo\nbar\n", "foo[^x]*", kF, {"1:1:foo|foo"}},
    {"NonDigitBeforeTheLineEndIsNoMatch", "foo\nbar\n", "foo\\D", kF, {}},
    // Anchors are about lines (C9).
    {"LineStart", "foo\nxfoo\nfoo\n", "^foo", kF, {"1:1:foo|foo", "3:1:foo|foo"}},
    {"LineEnd", "foo\nfoox\nfoo", "foo$", kF, {"1:1:foo|foo", "3:1:foo|foo"}},
    {"LineEndBeforeCrlf", "foo\r\nfoox\r\n", "foo$", kF, {"1:1:foo|foo"}},
    {"StartOfSubjectIsTheLine", "x\nfoo\n", "\\Afoo", kF, {"2:1:foo|foo"}},
    {"EndOfSubjectIsTheLine", "foo\nx\n", "foo\\z", kF, {"1:1:foo|foo"}},
    // Empty matches (C8).
    {"EmptyMatchEveryLine", "a\n\nxb\n", "x*", kF, {"1:1:a|", "2:1:|", "3:1:xb|x"}},
    {"EmptyLines", "a\n\nb\n\n", "^$", kF, {"2:1:|", "4:1:|"}},
    {"EmptyLinesWithCrlf", "a\r\n\r\nb\r\n", "^$", kF, {"2:1:|"}},
    {"DotStarOnEmptyLines", "a\n\n", ".*", kF, {"1:1:a|a", "2:1:|"}},
    {"JustLineStart", "a\nb", "^", kF, {"1:1:a|", "2:1:b|"}},
    {"JustLineEnd", "ab\nc", "$", kF, {"1:3:ab|", "2:2:c|"}},
    {"BoundaryAlone", " ab\n", "\\b", kF, {"1:2: ab|"}},
    // Words: half-boundaries, Unicode (C4).
    {"Word", "foo\nfoobar\n\u00e9foo\nx foo y\nfoo_\n", "foo", kWord, {"1:1:foo|foo", "4:3:x foo y|foo"}},
    {"FixedWord", "foo\nfoobar\n\u00e9foo\nx foo y\nfoo_\n", "foo", kFixedWord, {"1:1:foo|foo", "4:3:x foo y|foo"}},
    {"WordWithNonWordEdge", "->foo\nx->foo\n ->foo\n", "->foo", kFixedWord, {"1:1:->foo|->foo", "3:2: ->foo|->foo"}},
    {"WordWithParentheses", "foo() x\nfoo()x\n", "foo()", kFixedWord, {"1:1:foo() x|foo()"}},
    {"WordSkipsToALaterOccurrence", "foobar foo\n", "foo", kWord, {"1:8:foobar foo|foo"}},
    {"WordAndAlternation", "foobar x\n", "foo|foobar", kWord, {"1:1:foobar x|foobar"}},
    {"WordColumnOfTheBoundedMatch",
     "some.domain.com\n",
     "(\\w+\\.)*domain\\.(\\w+)",
     kWord,
     {"1:1:some.domain.com|some.domain.com"}},
    {"WordWithAnchors", "foo\nfoobar\nbarfoo\n", "^foo$", kWord, {"1:1:foo|foo"}},
    {"WordAtStart", "foo x\nfoobar\n", "^foo", kWord, {"1:1:foo x|foo"}},
    // Case is ASCII (R3, C1, C3).
    {"FoldIsAscii", "xKx\nx\u212ax\nxkx\n", "xkx", kFold, {"1:1:xKx|xKx", "3:1:xkx|xkx"}},
    {"FixedFoldIsAscii", "s\u017fs\nSSS\n", "sss", kFixedFold, {"2:1:SSS|SSS"}},
    {"NonAsciiIsNotFolded",
     "\u00e9t\u00e9\n\u00c9T\u00c9\n\u00e9T\u00e9\n",
     "\u00e9t\u00e9",
     kFold,
     {"1:1:\u00e9t\u00e9|\u00e9t\u00e9", "3:1:\u00e9T\u00e9|\u00e9T\u00e9"}},
    {"FixedNonAsciiIsNotFolded",
     "\u00e9t\u00e9\n\u00c9T\u00c9\n\u00e9T\u00e9\n",
     "\u00e9t\u00e9",
     kFixedFold,
     {"1:1:\u00e9t\u00e9|\u00e9t\u00e9", "3:1:\u00e9T\u00e9|\u00e9T\u00e9"}},
    {"FoldInClasses", "FOO\nfoo\n", "[f][n-p]{2}", kFold, {"1:1:FOO|FOO", "2:1:foo|foo"}},
    {"FoldInNegatedClasses", "A\na\nb\n", "^[^a]$", kFold, {"3:1:b|b"}},
    {"FoldInRanges", "Q5\nq5\n-5\n", "[a-z]5", kFold, {"1:1:Q5|Q5", "2:1:q5|q5"}},
    {"FoldKeepsEscapes", "A1\na1\n", "a\\d", kFold, {"1:1:A1|A1", "2:1:a1|a1"}},
    {"FoldedGroupName", "Key\n", "(?<name>key)", kFold, {"1:1:Key|Key"}},
    {"FoldedHexEscape", "K\nk\n", "\\x6b", kFold, {"1:1:K|K", "2:1:k|k"}},
    {"SmartSeesEscapes", "FOO bar\nfoo bar\n", "foo\\Sbar|foo\\s\\w", kF, {"2:1:foo bar|foo b"}},
    {"SmartIgnoresNonAsciiCapitals",
     "\u00c9TE\n\u00c9te\n",
     "\u00c9te",
     kF,
     {"1:1:\u00c9TE|\u00c9TE", "2:1:\u00c9te|\u00c9te"}},
    {"SmartWithFixed", "FOO\nfoo\nFoo\n", "Foo", kFixed, {"3:1:Foo|Foo"}},
    {"UpperClassIsNotFoldedAway", "a\nA\n", "^[[:upper:]]$", kExact, {"2:1:A|A"}},
    {"CarriageReturnBeforeText", "\r1 1\n1 1\n", "\\r+?1 1", kF, {"1:1:\r1 1|\r1 1"}},
    {"LiteralCarriageReturn", "a\rb\nab\n", "\rb", kFixed, {"1:2:a\rb|\rb"}},
    {"CarriageReturnAlone", "a\rb\nab\r\n", "\\r", kF, {"1:2:a\rb|\r"}},
    {"CarriageReturnInAnAlternative", "a\rb\nab\r\n", "(z|)\\r", kF, {"1:2:a\rb|\r"}},
    // Raw bytes decide, not normalized text (C31).
    {"DecomposedPatternFindsDecomposedText",
     "cafe\u0301\ncaf\u00e9\n",
     "cafe\u0301",
     kFixed,
     {"1:1:cafe\u0301|cafe\u0301"}},
    {"DecomposedRegexFindsDecomposedText", "cafe\u0301\ncaf\u00e9\n", "cafe\u0301", kF, {"1:1:cafe\u0301|cafe\u0301"}},
    {"ComposedPatternFindsComposedText", "cafe\u0301\ncaf\u00e9\n", "caf\u00e9", kF, {"2:1:caf\u00e9|caf\u00e9"}},
    {"PlainPatternFindsItsBytesBeforeAMark", "cafe\u0301\n", "cafe", kF, {"1:1:cafe\u0301|cafe"}},
};

INSTANTIATE_TEST_SUITE_P(Table, Pattern, ::testing::ValuesIn(kRows),
                         [](const auto& row) { return std::string(row.param.name); });

class BadPattern : public ::testing::TestWithParam<const char*> {};

TEST_P(BadPattern, IsBadArgsOnEveryBackend) {
  TempTree tree;
  tree.Write("f", "foo\nbar\n");
  const Answer answer = Search(tree, Ask(GetParam()));
  EXPECT_EQ(answer.kind(), "BadArgs");
  EXPECT_THAT(answer.message(), HasSubstr("pattern"));
  EXPECT_EQ(answer.ended().exit_code, 2);
}

INSTANTIATE_TEST_SUITE_P(Syntax, BadPattern,
                         ::testing::Values("(", ")", "[", "[z-a]", "*a", "a{3,2}", "(?z)", "foo\\", "\\p{Foo}",
                                           "(?<n>a)(?<n>b)", "(?<=a*)b", "[[:foo:]]", "\\8"));
INSTANTIATE_TEST_SUITE_P(LineFeed, BadPattern,
                         ::testing::Values("foo\nbar", "foo\\nbar", "foo\\Rbar", "foo\\x0abar", "foo\\x{a}bar",
                                           "foo\\012bar", "foo\\cJbar", "foo\\x{00A}bar", "[\\n]", "a|b\\n"));

TEST(PatternErrors, ALineFeedInALiteralIsBadArgs) {
  TempTree tree;
  tree.Write("f", "foo\nbar\n");
  EXPECT_EQ(Search(tree, Ask("foo\nbar", R"("fixed_strings":true)")).kind(), "BadArgs");
}

TEST(PatternErrors, ANulIsBadArgs) {
  TempTree tree;
  tree.Write("f", "foo\n");
  EXPECT_EQ(Search(tree, R"({"pattern":"fo\u0000o"})").kind(), "BadArgs");
  EXPECT_EQ(Search(tree, R"({"pattern":"fo\u0000o","fixed_strings":true})").kind(), "BadArgs");
}

TEST(PatternErrors, AnEscapedNInALiteralIsText) {
  TempTree tree;
  tree.Write("f", "a\\nb\n");
  EXPECT_EQ(Search(tree, Ask("\\n", R"("fixed_strings":true)")).events().size(), 1U);
}

TEST(PatternErrors, TheMessageTellsThePosition) {
  TempTree tree;
  tree.Write("f", "foo\n");
  EXPECT_THAT(Search(tree, Ask("abc(def")).message(), HasSubstr("7"));
}

TEST(PatternErrors, BadSyntaxInALiteralIsText) {
  TempTree tree;
  tree.Write("f", "none\n");
  const Answer answer = Search(tree, Ask("foo(", R"("fixed_strings":true)"));
  EXPECT_TRUE(answer.ok());
  EXPECT_THAT(answer.events(), IsEmpty());
}

TEST(PatternErrors, WhatCannotBeFoldedSafelySaysSo) {  // R3
  TempTree tree;
  tree.Write("f", "fooFOO\nfoofoo\n");
  const Answer refused = Search(tree, Ask("[^\\P{Lu}]", R"("case":"insensitive")"));
  EXPECT_EQ(refused.kind(), "ExecutionFailed");
  EXPECT_THAT(refused.message(), HasSubstr("\\P{Lu} in a class"));
}

TEST(Patterns, ABackReferenceIgnoresCaseWhereThePatternDoes) {  // R3
  TempTree tree;
  tree.Write("f", "fooFOO\nfoofoo\n");
  EXPECT_EQ(Search(tree, Ask("(foo)\\1")).events().size(), 2U);
  EXPECT_EQ(Search(tree, Ask("(foo)\\1", R"("case":"sensitive")")).events().size(), 1U);
}

TEST(PatternErrors, APatternTooLargeForTheProgramIsAnErrorNotACrash) {
  TempTree tree;
  tree.Write("f", "foo\n");
  for (const char* fields : {"", R"("fixed_strings":true)"}) {
    const Answer answer = Search(tree, Ask(Repeat(10 << 20, "a"), fields));
    EXPECT_TRUE(answer.ok() || answer.kind() == "BadArgs" || answer.kind() == "ExecutionFailed") << answer.kind();
    EXPECT_LT(answer.message().size(), 10000U) << "the message repeats the pattern";
  }
}

TEST(PatternErrors, ACatastrophicPatternEndsWithAClearAnswer) {
  TempTree tree;
  tree.Write("a", "foo\n");
  tree.Write("f", Repeat(5000, "a") + "!\n");
  tree.Write("z", "(a+)+$ aa\n");
  for (const std::string& backend : kBackends) {
    const Answer answer = SearchWith(backend, tree, Ask("(a+)+$", R"("timeout_ms":5000)"));
    SCOPED_TRACE(backend + " " + answer.ended().out.substr(0, 600));
    // Either errors[] names the file, or time ran out, or the whole search
    // failed with an error; never a silent gap.
    EXPECT_TRUE(!answer.ok() || answer.timed_out() || answer.json().Size("/errors") > 0);
  }
}

}  // namespace
}  // namespace forge::testing
