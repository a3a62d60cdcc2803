#include "base/utf8.h"

#include <gtest/gtest.h>

#include "base/strings.h"
#include "base/unicode.h"

namespace forge {
namespace {

// T-LS-ENC-01: invalid UTF-8 becomes U+FFFD, by maximal subparts.
TEST(T_LS_ENC_01, EachMaximalSubpartBecomesOneReplacement) {
  const struct {
    std::string bytes;
    std::string text;
  } cases[] = {
      {"plain", "plain"},
      {"caf\xC3\xA9", "caf\xC3\xA9"},
      {"caf\xE9 x", "caf\uFFFD x"},
      {"a\xE2\x82z", "a\uFFFDz"},
      {"\xED\xA0\x80", "\uFFFD\uFFFD\uFFFD"},
      {"\xC0\xAF", "\uFFFD\uFFFD"},
      {"\xF0\x9F\x98", "\uFFFD"},
      {"\xF5\x80", "\uFFFD\uFFFD"},
      {"\xF4\x90\x80\x80", "\uFFFD\uFFFD\uFFFD\uFFFD"},
      {"\x80", "\uFFFD"},
  };
  for (const auto& c : cases) EXPECT_EQ(LossyUtf8(c.bytes), c.text) << ::testing::PrintToString(c.bytes);
}

TEST(Utf8, EveryScalarSurvivesARoundTrip) {
  for (char32_t code = 0; code <= 0x10FFFF; ++code) {
    if (code >= 0xD800 && code <= 0xDFFF) continue;
    std::string bytes;
    AppendUtf8(code, bytes);
    const Decoded d = DecodeOne(bytes);
    ASSERT_TRUE(d.valid && d.code == code && d.size == bytes.size()) << static_cast<std::uint32_t>(code);
  }
}

TEST(Unicode, ASortKeyIsLossyAndNfc) {
  EXPECT_EQ(SortKey("e\xCC\x81"), "\xC3\xA9");
  EXPECT_EQ(SortKey("a\xFF"), "a\uFFFD");
  EXPECT_EQ(SortKey("e\xCC\x81/\xCC\x81x"), SortKey("e\xCC\x81") + "/" + SortKey("\xCC\x81x"));
}

TEST(Unicode, BlankMeansWhiteSpaceOnly) {
  EXPECT_TRUE(IsBlank(" \t\u00A0\u3000\n"));
  EXPECT_TRUE(IsBlank(""));
  EXPECT_FALSE(IsBlank(" x "));
  EXPECT_FALSE(IsBlank("\u200B"));  // zero width space is not White_Space
}

TEST(Strings, SanitizeDropsWhatDrivesATerminal) { EXPECT_EQ(Sanitize("a\x1B[31mred\x07\u009B\tb\n"), "a[31mred\tb\n"); }

TEST(Strings, SanitizeLeavesTextAsItIs) {
  for (const std::string text : {"", "plain", "\t{\n", "na\u00EFve caf\u00E9", "\u65E5\u672C", "~ \U0001F600 ~"}) {
    EXPECT_EQ(Sanitize(text), text);
  }
  EXPECT_EQ(Sanitize("\x7F~\x1F \x01"), "~ ");
}

TEST(Strings, SanitizeMakesSpacesOfUnicodesEndsOfLines) { EXPECT_EQ(Sanitize("a\u2028b\u2029c"), "a b c"); }

TEST(Strings, ANameIsShownOnOneLineAndAnOrdinaryOneAsItIs) {
  const struct {
    std::string name;
    std::string shown;
  } cases[] = {
      {"src/a b.c", "src/a b.c"},
      {"caf\u00E9/\u65E5\u672C", "caf\u00E9/\u65E5\u672C"},
      {"dev\\x2ddisk", "dev\\x2ddisk"},  // systemd has such names
      {"a\nb\rc\td", "a\\nb\\rc\\td"},
      {std::string("a\0b", 3), "a\\u0000b"},
      {"\x1B[2J\x7F", "\\u001b[2J\\u007f"},
      {"\u0080\u0085\u009F", "\\u0080\\u0085\\u009f"},
      {"\u061C\u200E\u200F", "\\u061c\\u200e\\u200f"},
      {"\u202A\u202E\u2066\u2069", "\\u202a\\u202e\\u2066\\u2069"},
      {"\u2027\u2028\u2029\u202F", "\u2027\\u2028\\u2029\u202F"},
      {"x\\y\\\nz\\", "x\\\\y\\\\\\nz\\\\"},
      {"a\xFF\n", "a\uFFFD\\n"},
      {"", ""},
  };
  for (const auto& c : cases) EXPECT_EQ(ShownName(c.name), c.shown);
}

TEST(Strings, AnEchoIsShortAndCutsNoCharacter) {
  EXPECT_EQ(Echo("short\n", 10), "short\\n");
  EXPECT_EQ(Echo(std::string(300, 'x'), 10), "xxxxxxxxxx...");
  EXPECT_EQ(Echo("123456789\u00E9", 10), "123456789...");
  EXPECT_EQ(Echo("1234567\U0001F600", 10), "1234567...");
  EXPECT_EQ(Echo(std::string(20, '\x80'), 10), "\uFFFD\uFFFD\uFFFD...") << "bytes that are not UTF-8 do not matter";
  EXPECT_EQ(Echo(std::string(9, '\n'), 10), "\\n\\n\\n\\n\\n...") << "escapes count";
}

TEST(Strings, NearestWordIsWithinTwoEdits) {
  EXPECT_EQ(NearestWord("serach", {"search", "schema"}), "search");
  EXPECT_EQ(NearestWord("xyzzy", {"search", "schema"}), "");
}

}  // namespace
}  // namespace forge
