// Bytes that are not plain UTF-8 with line feeds (C9 to C11, C27, C32).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/acceptance/answer.h"

namespace forge::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using namespace std::string_literals;

std::string Utf16(const std::u16string& text, bool big_endian) {
  std::string out = big_endian ? "\xfe\xff" : "\xff\xfe";
  for (const char16_t c : text) {
    const char high = static_cast<char>(c >> 8);
    const char low = static_cast<char>(c & 0xff);
    out += big_endian ? high : low;
    out += big_endian ? low : high;
  }
  return out;
}

std::string Utf32(const std::u32string& text, bool big_endian) {
  std::string out = big_endian ? "\0\0\xfe\xff"s : "\xff\xfe\0\0"s;
  for (const char32_t c : text) {
    for (unsigned i = 0; i < 4; ++i) out += static_cast<char>(c >> (big_endian ? 24 - 8 * i : 8 * i));
  }
  return out;
}

TEST(Encoding, AUtf8BomIsNotPartOfTheFirstLine) {
  TempTree tree;
  tree.Write("f",
             "\xef\xbb\xbf"
             "foo\nx foo\n");
  EXPECT_THAT(Search(tree, Ask("foo")).events(), ElementsAre("f:1:1:foo|foo", "f:2:3:x foo|foo"));
  EXPECT_THAT(Search(tree, Ask("^foo")).events(), ElementsAre("f:1:1:foo|foo"));
  EXPECT_THAT(Search(tree, Ask("^x", R"("context":1)")).events(), ElementsAre("f-1-foo", "f:2:1:x foo|x"));
}

TEST(Encoding, ABomIsNotFoundAsText) {
  TempTree tree;
  tree.Write("f",
             "\xef\xbb\xbf"
             "foo\n");
  EXPECT_THAT(Search(tree, Ask("\uFEFF", R"("fixed_strings":true)")).events(), IsEmpty());
}

TEST(Encoding, AFileThatIsOnlyABomHasNoLine) {
  TempTree tree;
  tree.Write("f", "\xef\xbb\xbf");
  EXPECT_THAT(Search(tree, Ask("x*")).events(), IsEmpty());
}

TEST(Encoding, ASecondBomIsText) {
  TempTree tree;
  tree.Write("f",
             "\xef\xbb\xbf\xef\xbb\xbf"
             "foo\n");
  EXPECT_THAT(Search(tree, Ask("foo")).events(), ElementsAre("f:1:4:\uFEFFfoo|foo"));
}

TEST(Encoding, Utf16WithABomIsSearchedAsUtf8) {
  for (const bool big : {false, true}) {
    TempTree tree;
    tree.Write("f", Utf16(u"caf\u00e9 foo\r\n\U0001F600 foo\nlast foo", big));
    EXPECT_THAT(Search(tree, Ask("foo", R"("context":1)")).events(),
                ElementsAre("f:1:7:caf\u00e9 foo|foo", "f:2:6:\U0001F600 foo|foo", "f:3:6:last foo|foo"));
    EXPECT_THAT(Search(tree, Ask("foo$")).events().size(), 3U);
    EXPECT_THAT(Search(tree, Ask("\u00e9", R"("fixed_strings":true)")).events().size(), 1U);
  }
}

TEST(Encoding, Utf32WithABomIsSearchedAsUtf8) {
  for (const bool big : {false, true}) {
    TempTree tree;
    tree.Write("f", Utf32(U"x\n\u00e9 foo\n", big));
    EXPECT_THAT(Search(tree, Ask("foo", R"("context":1)")).events(), ElementsAre("f-1-x", "f:2:4:\u00e9 foo|foo"));
  }
}

TEST(Encoding, BrokenUtf16IsDecodedLossily) {
  TempTree tree;
  tree.Write("f", Utf16(u"a\xd800z foo\n", false) + "x");  // a lone surrogate, an odd byte at the end
  EXPECT_THAT(Search(tree, Ask("foo")).events(), ElementsAre("f:1:7:a\uFFFDz foo|foo"));
}

TEST(Encoding, ANulInsideUtf16TextMakesItBinary) {
  TempTree tree;
  tree.Write("f", Utf16(u"foo\n"s + u'\0' + u"x\n", false));
  EXPECT_THAT(Search(tree, Ask("foo")).events(), IsEmpty());
}

TEST(Encoding, Utf16WithoutABomIsBinary) {
  TempTree tree;
  tree.Write("f", Utf16(u"foo\n", false).substr(2));
  EXPECT_THAT(Search(tree, Ask("foo")).events(), IsEmpty());
}

TEST(Encoding, AFileWithANulHasNoEventsAndIsSaidToBeSkipped) {
  TempTree tree;
  tree.Write("early", "\0foo\n"s);
  tree.Write("middle", "foo\nfoo\0\n"s);
  tree.Write("text", "foo\n");
  const Answer answer = Search(tree, Ask("foo", R"("context":1)"));
  EXPECT_THAT(answer.files(), ElementsAre("text"));
  EXPECT_THAT(answer.content(), HasSubstr("binary"));
  EXPECT_THAT(answer.errors(), IsEmpty());
  EXPECT_EQ(answer.files_scanned(), 3);
}

TEST(Encoding, ANulAfterALotOfTextStillMakesAFileBinary) {
  TempTree tree;
  tree.Write("late", "foo\n" + Repeat(300000, "x") + "\n\0\n"s);
  tree.Write("later", Repeat(1900000, "x") + "\nfoo\0"s);
  tree.Write("text", "foo\n" + Repeat(300000, "x") + "\n");
  EXPECT_THAT(Search(tree, Ask("foo")).files(), ElementsAre("text"));
}

TEST(Encoding, ABinaryFileWithoutAnyMatchIsNotMentioned) {
  TempTree tree;
  tree.Write("bin", "\0bar\n"s);
  tree.Write("text", "foo\n");
  EXPECT_THAT(Search(tree, Ask("foo")).content(), Not(HasSubstr("binary")));
}

TEST(Encoding, Latin1IsText) {
  TempTree tree;
  tree.Write("f", "caf\xe9 foo\n\xe9\xe8\xe7\n");
  EXPECT_THAT(Search(tree, Ask("foo")).events(), ElementsAre("f:1:6:caf\uFFFD foo|foo"));
}

TEST(Encoding, AnInvalidByteInTheMatchIsReplaced) {
  TempTree tree;
  tree.Write("f",
             "foo bar\nfoo\xff"
             "bar\n");
  EXPECT_THAT(Search(tree, Ask("fo+", R"("context":1)")).events(), ElementsAre("f:1:1:foo bar|foo",
                                                                               "f:2:1:foo\uFFFD"
                                                                               "bar|foo"));
  // A dot matches a character, and an invalid byte is not one (R2).
  EXPECT_THAT(Search(tree, Ask("foo.bar")).events(), ElementsAre("f:1:1:foo bar|foo bar"));
}

TEST(Encoding, WordsBesideInvalidBytesAreWords) {
  TempTree tree;
  tree.Write("f",
             "\xff"
             "foo\xff\n\xff"
             "foox\n");
  EXPECT_THAT(Search(tree, Ask("foo", R"("word_regexp":true)")).events(), ElementsAre("f:1:2:\uFFFDfoo\uFFFD|foo"));
  EXPECT_THAT(Search(tree, Ask("foo", R"("word_regexp":true,"fixed_strings":true)")).events(),
              ElementsAre("f:1:2:\uFFFDfoo\uFFFD|foo"));
  EXPECT_THAT(Search(tree, Ask("\\bfoo\\b")).events(), ElementsAre("f:1:2:\uFFFDfoo\uFFFD|foo"));
}

TEST(Encoding, AnchorsHoldBesideInvalidBytes) {
  TempTree tree;
  tree.Write("f",
             "\xff"
             "foo\nfoo\xff\nfoo\n");
  EXPECT_THAT(Search(tree, Ask("^foo")).events(), ElementsAre("f:2:1:foo\uFFFD|foo", "f:3:1:foo|foo"));
  EXPECT_THAT(Search(tree, Ask("foo$")).events(), ElementsAre("f:1:2:\uFFFDfoo|foo", "f:3:1:foo|foo"));
}

TEST(Encoding, MaximalSubpartsBecomeOneReplacementEach) {
  TempTree tree;
  tree.Write("f", "foo \xe2\x82 \xf0\x9f\x98 \xc0\xaf \xed\xa0\x80 \xf5 \xe2\xe2\x82\xac\n");
  EXPECT_THAT(Search(tree, Ask("foo")).events(),
              ElementsAre("f:1:1:foo \uFFFD \uFFFD \uFFFD\uFFFD \uFFFD\uFFFD\uFFFD \uFFFD \uFFFD\u20ac|foo"));
}

TEST(Encoding, CrlfIsALineEndAndALoneCrIsNot) {
  TempTree tree;
  tree.Write("f", "foo\r\na\rfoo\nfoo\r\r\nlast foo\r");
  EXPECT_THAT(Search(tree, Ask("foo")).events(),
              ElementsAre("f:1:1:foo|foo", "f:2:3:a\rfoo|foo", "f:3:1:foo\r|foo", "f:4:6:last foo\r|foo"));
}

TEST(Encoding, ACarriageReturnBeforeTheLineFeedIsNotInTheMatch) {
  TempTree tree;
  tree.Write("f", "foo bar\r\n");
  EXPECT_THAT(Search(tree, Ask("foo.*")).events(), ElementsAre("f:1:1:foo bar|foo bar"));
  EXPECT_THAT(Search(tree, Ask("bar\\s")).events(), IsEmpty());
  EXPECT_THAT(Search(tree, Ask("bar\r", R"("fixed_strings":true)")).events(), IsEmpty());
}

TEST(Encoding, ALastLineWithoutALineFeedIsALine) {
  TempTree tree;
  tree.Write("f", "a\nfoo");
  tree.Write("g", "foo\n");
  tree.Write("h", "");
  EXPECT_THAT(Search(tree, Ask("foo|^$", R"("context":1)")).events(),
              ElementsAre("f-1-a", "f:2:1:foo|foo", "g:1:1:foo|foo"));
}

TEST(Encoding, CompressedFilesAreOrdinaryBytes) {
  TempTree tree;
  // gzip of "foo\n", stored, without the NUL bytes that would make it binary.
  tree.Write("f.gz", "\x1f\x8b\x08 no gzip foo\n");
  EXPECT_THAT(Search(tree, Ask("foo")).files(), ElementsAre("f.gz"));
}

TEST(Encoding, LongLinesAreFoundAnywhere) {
  TempTree tree;
  tree.Write("f", Repeat(600000, "x") + "foo" + Repeat(600000, "y") + "\nfoo\n");
  const Answer answer = Search(tree, Ask("foo"));
  ASSERT_EQ(answer.json().Size("/matches"), 2U);
  EXPECT_EQ(answer.json().At("/matches/0/data/column"), "600001");
  EXPECT_EQ(answer.json().Text("/matches/0/data/lines/text").size(), 1200003U) << "matches are never cut";
  EXPECT_LT(answer.content().size(), 100000U) << "content clips long lines";
}

TEST(Encoding, ControlCharactersStayInMatchesAndLeaveContent) {
  TempTree tree;
  tree.Write("f", "\x1b[31mfoo\x1b]0;title\x07\x7f \u0085\u009b1m x\n");
  const Answer answer = Search(tree, Ask("foo"));
  EXPECT_THAT(answer.events(), ElementsAre("f:1:6:\x1b[31mfoo\x1b]0;title\x07\x7f \u0085\u009b1m x|foo"));
  for (const char* bad : {"\x1b", "\x07", "\x7f", "\u0085", "\u009b"})
    EXPECT_THAT(answer.content(), Not(HasSubstr(bad)));
}

}  // namespace
}  // namespace forge::testing
