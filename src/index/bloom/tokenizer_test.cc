#include "index/bloom/tokenizer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "base/unicode.h"
#include "index/bloom/bloom.h"

namespace forge::index {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::uint64_t kMiB = 1 << 20;

std::vector<std::string> Ngrams(std::string_view text, std::size_t ngram = 3) {
  std::vector<std::string> grams;
  ForEachNgram(text, ngram, [&](std::string_view gram) { grams.emplace_back(gram); });
  return grams;
}

std::vector<std::string> NgramsOfFile(std::string_view bytes) { return Ngrams(TextOf(bytes, 3, kMiB).text); }

std::string Hex(std::string_view bytes) {
  std::string out;
  for (const char c : bytes) {
    out.push_back("0123456789abcdef"[static_cast<unsigned char>(c) >> 4]);
    out.push_back("0123456789abcdef"[static_cast<unsigned char>(c) & 0xF]);
  }
  return out;
}

// The bytes come from another implementation of Appendix F.
TEST(T_LSI_TOK_01, AFixedFileHasTheseNgramsAndThisBitset) {
  const TokenText read = TextOf("Naïve\r\ncafé €😀\n", 3, kMiB);
  EXPECT_EQ(read.incomplete, Incomplete::kNo);
  EXPECT_THAT(Ngrams(read.text),
              ElementsAre("Naï", "aïv", "ïve", "ve\n", "e\nc", "\nca", "caf", "afé", "fé ", "é €", " €😀", "€😀\n"));
  const BloomShape shape = ShapeFor(32, 0.01);
  ASSERT_EQ(shape.bits, 307U);
  BloomFilter sensitive(shape);
  sensitive.AddAll(read.text, 3);
  EXPECT_EQ(Hex(sensitive.bytes()), "82280400097484ea48a4025020000482040060077a801408045004c0e1006424acca0080e02c04");
  BloomFilter insensitive(shape);
  insensitive.AddAll(Folded(read.text, Casefold::kAscii), 3);
  EXPECT_EQ(Hex(insensitive.bytes()), "82280403097480ea48a402502000008a440060077a801408045004e0c1036024acca0080c02c00");
}

TEST(T_LSI_TOK_01, NgramsAreCharactersInARow) {
  EXPECT_THAT(Ngrams(""), IsEmpty());
  EXPECT_THAT(Ngrams("ab"), IsEmpty());
  EXPECT_THAT(Ngrams("abc"), ElementsAre("abc"));
  EXPECT_THAT(Ngrams("abcd"), ElementsAre("abc", "bcd"));
  EXPECT_THAT(Ngrams("aaaa"), ElementsAre("aaa", "aaa"));
  EXPECT_THAT(Ngrams("é€😀x", 2), ElementsAre("é€", "€😀", "😀x"));
}

TEST(T_LSI_TOK_02, CrlfIsLf) {
  EXPECT_EQ(NgramsOfFile("one\r\ntwo\r\n\r\n"), NgramsOfFile("one\ntwo\n\n"));
  EXPECT_THAT(NgramsOfFile("a\rb\r\r\n"), ElementsAre("a\rb", "\rb\r", "b\r\n"));  // a CR alone stays
  EXPECT_EQ(TextOf("one\r\ntwo", 3, kMiB).incomplete, Incomplete::kNo);
}

TEST(T_LSI_TOK_03, ComposedAndDecomposedHaveTheSameNgrams) {
  const struct {
    const char* composed;
    const char* decomposed;
  } cases[] = {
      {"caf\u00E9", "cafe\u0301"},
      {"x\uAC01y", "x\u1100\u1161\u11A8y"},          // Hangul, three parts
      {"x\uAC01y", "x\uAC00\u11A8y"},                // LV and T
      {"a\u1E69b", "as\u0307\u0323b"},               // marks in another order
      {"\u00C5ngstr\u00F6m", "\u212Bngstr\u00F6m"},  // the sign of the unit
      {"\u0915\u093C-x", "\u0958-x"},                // composes to two characters
  };
  for (const auto& c : cases) {
    EXPECT_EQ(NgramsOfFile(c.composed), NgramsOfFile(c.decomposed)) << c.composed;
    EXPECT_EQ(TextOf(c.composed, 3, kMiB).incomplete, Incomplete::kNo) << c.composed;
    EXPECT_EQ(TextOf(c.decomposed, 3, kMiB).incomplete, Incomplete::kNotNormalized) << c.composed;  // E1
  }
}

TEST(T_LSI_TOK_04, AsciiFoldingIsOfAsciiOnly) {
  EXPECT_EQ(Ngrams(Folded("ABC", Casefold::kAscii)), Ngrams("abc"));
  EXPECT_EQ(Folded("@AZ[`az{ Ñ\u212A", Casefold::kAscii), "@az[`az{ Ñ\u212A");
}

TEST(T_LSI_TOK_05, SimpleFoldingIsOneToOne) {
  EXPECT_EQ(Ngrams(Folded("aÑb", Casefold::kUnicodeSimple)), Ngrams(Folded("añb", Casefold::kUnicodeSimple)));
  const struct {
    const char* text;
    const char* folded;
  } cases[] = {
      {"ABC", "abc"},       {"\u212A", "k"},               // C: the Kelvin sign
      {"\u1E9E", "\u00DF"}, {"\u1F88", "\u1F80"},          // S: there is an F too
      {"\u1FBC", "\u1FB3"}, {"\u00DF", "\u00DF"},          // F only
      {"\u0130", "\u0130"}, {"\uFB00", "\uFB00"},          // F and T only; F only
      {"\u03C2", "\u03C3"}, {"\u017F", "s"},               // final sigma, long s
      {"\u13F8", "\u13F0"}, {"\uAB70", "\u13A0"},          // Cherokee folds to upper case
      {"\u01C5", "\u01C6"}, {"\U00010400", "\U00010428"},  // title case; beyond 16 bits
  };
  for (const auto& c : cases) EXPECT_EQ(Folded(c.text, Casefold::kUnicodeSimple), c.folded) << c.text;
}

TEST(Tokenizer, WhatStaysACandidate) {
  using namespace std::string_literals;
  const struct {
    const char* why;
    std::string bytes;
    Incomplete expected;
  } cases[] = {
      {"plain", "abc", Incomplete::kNo},
      {"at the limit", std::string(64, 'x'), Incomplete::kNo},
      {"over it", std::string(65, 'x'), Incomplete::kTooLarge},
      {"empty", "", Incomplete::kTooShort},
      {"two characters", "\u20AC\u20AC", Incomplete::kTooShort},
      {"two after CRLF", "a\r\n", Incomplete::kTooShort},
      {"UTF-16, little", "\xFF\xFEh\0e\0y\0"s, Incomplete::kBinary},
      {"UTF-16, big", "\xFE\xFF\0h\0e\0y"s, Incomplete::kBinary},
      {"UTF-32, little", "\xFF\xFE\0\0h\0\0\0"s, Incomplete::kBinary},
      {"UTF-32, big", "\0\0\xFE\xFF\0\0\0h"s, Incomplete::kBinary},
      {"UTF-8 with a mark", "\uFEFFabc", Incomplete::kNo},
      {"half is not UTF-8", "ab\xFF\xFF", Incomplete::kNo},
      {"more than half", "ab\xFF\xFF\xFF", Incomplete::kBinary},
      {"also if it stood there", "ab\xEF\xBF\xBD\xFF\xFF", Incomplete::kBinary},
      {"a cut sequence is one", "ab\xE2\x82\xE2\x82", Incomplete::kNo},
      {"NUL is a character", "a\0b"s, Incomplete::kNo},
      {"a mark that changes nothing", "q\u0301x", Incomplete::kNo},
      {"a mark in front", "\u0301abc", Incomplete::kNo},
  };
  for (const auto& c : cases) EXPECT_EQ(TextOf(c.bytes, 3, 64).incomplete, c.expected) << c.why;
}

TEST(Tokenizer, WhichPatternsSaySomething) {
  const struct {
    std::string pattern;
    bool usable;
  } cases[] = {
      {"abc", true},
      {"ab", false},
      {"\u20AC\u20AC\u20AC", true},
      {"", false},
      {"bar\r", false},
      {"a\nb", false},
      {"h\u0331xx", false},
      {"H\u0331xx", true},
      {"caf\u00E9", true},
      {"cafe\u0301", false},
      {"ab\xFF"
       "cd",
       false},
      {"\u0301ab", true},
      {"abc\xE2\x82", false},
  };
  for (const auto& c : cases) EXPECT_EQ(HasUsableNgrams(c.pattern, 3), c.usable) << c.pattern;
}

TEST(Tokenizer, ItsNameHasTheParametersAndTheUnicodeVersion) {
  const std::string unicode(UnicodeVersion());
  EXPECT_EQ(TokenizerId({}), "ngram3-xxh64-nfc-crlf-v1-unicode" + unicode + "-m5025332-h7");
  EXPECT_EQ(TokenizerId({.ngram = 4, .target_fp_rate = 0.1, .max_tokenized_bytes = 32}),
            "ngram4-xxh64-nfc-crlf-v1-unicode" + unicode + "-m77-h3");
}

}  // namespace
}  // namespace forge::index
