// Fuzzy search (FR-LS-SRC-11, FR-LS-VAL-07, C28) compared with slow and obvious
// code: a line matches if one of its parts is within the level of the pattern.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "tests/acceptance/answer.h"

namespace forge::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::u32string Characters(std::string_view utf8) {
  std::u32string out;
  for (const char c : utf8) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80) out.push_back(byte);
    if (byte >= 0xc0) out.push_back(byte & (byte < 0xe0 ? 0x1fU : byte < 0xf0 ? 0x0fU : 0x07U));
    if (byte >= 0x80 && byte < 0xc0) out.back() = (out.back() << 6) | (byte & 0x3fU);
  }
  return out;
}

std::size_t Distance(const std::u32string& a, const std::u32string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0 : 1)});
      diagonal = above;
    }
  }
  return row[b.size()];
}

// `anchored`: ugrep's rule, the first character of the pattern must be there.
bool Matches(const std::u32string& line, const std::u32string& pattern, std::size_t level, bool anchored) {
  for (std::size_t from = 0; from <= line.size(); ++from) {
    if (anchored && (from == line.size() || line[from] != pattern[0])) continue;
    for (std::size_t length = 0; from + length <= line.size() && length <= pattern.size() + level; ++length) {
      if (Distance(line.substr(from, length), pattern) <= level) return true;
    }
  }
  return false;
}

// Lines with copies of the pattern that have up to five mistakes.
std::vector<std::string> Lines(const std::string& pattern, std::mt19937& random) {
  const std::vector<std::string> letters = {"a", "e", "m", "_", "x", "\u00e9", "\u4e2d", " "};
  auto pick = [&](std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random); };
  std::vector<std::string> lines;
  for (int i = 0; i < 60; ++i) {
    std::vector<std::string> word;
    for (const char c : pattern) {
      if ((static_cast<unsigned char>(c) & 0xc0U) == 0x80U) {
        word.back() += c;
      } else {
        word.emplace_back(1, c);
      }
    }
    for (std::size_t edits = pick(6); edits > 0; --edits) {
      const auto at = static_cast<std::ptrdiff_t>(pick(word.size()));
      const std::size_t kind = pick(3);
      if (kind == 0) word[static_cast<std::size_t>(at)] = letters[pick(letters.size())];
      if (kind == 1) word.insert(word.begin() + at, letters[pick(letters.size())]);
      if (kind == 2) word.erase(word.begin() + at);
    }
    std::string line;
    for (std::size_t n = pick(4); n > 0; --n) line += letters[pick(letters.size())];
    for (const std::string& part : word) line += part;
    for (std::size_t n = pick(4); n > 0; --n) line += letters[pick(letters.size())];
    lines.push_back(line);
  }
  return lines;
}

class Fuzzy : public ::testing::TestWithParam<std::string> {
 protected:
  Answer Ask1(const std::string& pattern, int level, const std::string& more = R"(,"fixed_strings":true)") {
    return SearchWith(GetParam(), tree_, Ask(pattern, "\"fuzzy\":" + std::to_string(level) + more));
  }
  TempTree tree_;
};

INSTANTIATE_TEST_SUITE_P(Backends, Fuzzy, ::testing::Values("ugrep", "native"));

TEST_P(Fuzzy, FindsTheLinesOfTheOracleAndTellsWhereTheyMatch) {
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  for (const std::string& pattern : {std::string("memory_hotplug"), std::string("caf\u00e9_m\u4e2dme")}) {
    const std::vector<std::string> lines = Lines(pattern, random);
    std::string text;
    for (const std::string& line : lines) text += line + "\n";
    tree_.Write("f", text);
    for (int level = 1; level <= 4; ++level) {
      const Answer all =
          SearchWith(GetParam(), tree_,
                     Ask(pattern, R"("fixed_strings":true,"case":"sensitive","fuzzy":)" + std::to_string(level)),
                     {"--set", "tools.search.max_matches_per_file=1000"});
      ASSERT_TRUE(all.ok()) << all.message();
      std::vector<std::size_t> found;
      for (std::size_t i = 0; i < all.json().Size("/matches"); ++i) {
        const std::string data = "/matches/" + std::to_string(i) + "/data";
        const std::size_t number = std::stoul(all.json().At(data + "/line_number"));
        const std::size_t column = std::stoul(all.json().At(data + "/column"));
        const std::string match = all.json().Text(data + "/match_text");
        const std::string& line = lines.at(number - 1);
        found.push_back(number);
        EXPECT_EQ(line.substr(column - 1, match.size()), match) << line;
        EXPECT_LE(Distance(Characters(match), Characters(pattern)), static_cast<std::size_t>(level)) << match;
      }
      std::vector<std::size_t> expected;
      for (std::size_t i = 0; i < lines.size(); ++i) {
        if (Matches(Characters(lines[i]), Characters(pattern), static_cast<std::size_t>(level),
                    GetParam() == "ugrep")) {
          expected.push_back(i + 1);
        }
      }
      EXPECT_EQ(found, expected) << pattern << " level " << level << "\n" << text;
    }
  }
}

TEST_P(Fuzzy, CaseIsThatOfAnyOtherSearch) {
  tree_.Write("f", "Quick_Sorter\nquick_sortr\nQUICK_SORTER\n");
  EXPECT_EQ(Ask1("quick_sorter", 1).events().size(), 3U) << "smart: no capital letter";
  EXPECT_THAT(Ask1("Quick_Sorter", 1).events(), ElementsAre("f:1:1:Quick_Sorter|Quick_Sorter"));
  EXPECT_EQ(Ask1("QUICK_sorter", 1, R"(,"fixed_strings":true,"case":"insensitive")").events().size(), 3U);
  EXPECT_THAT(Ask1("quick_sorter", 1, R"(,"fixed_strings":true,"case":"sensitive")").events(),
              ElementsAre("f:2:1:quick_sortr|quick_sortr"));
}

TEST_P(Fuzzy, FoldsAsciiOnly) {  // R3: the Kelvin sign is no k, so it is one mistake
  tree_.Write("f", "quic\u212a_sorter\nqui\u212a_sorter\n");
  EXPECT_EQ(Ask1("quick_sorter", 1).events().size(), 1U);
  EXPECT_EQ(Ask1("quick_sorter", 2).events().size(), 2U);
}

TEST_P(Fuzzy, WholeWordsOnly) {
  tree_.Write("f", "a quick_sortr b\nxquick_sorterx\naaaquick_sortraaa\n");
  EXPECT_THAT(Ask1("quick_sorter", 1, R"(,"fixed_strings":true,"word_regexp":true)").events(),
              ElementsAre("f:1:3:a quick_sortr b|quick_sortr"));
}

TEST_P(Fuzzy, SpecialCharactersOfALiteralAreText) {
  tree_.Write("f", "x = array[i]++ (y);\nx = arrayi++ (y);\n");
  EXPECT_EQ(Ask1("array[i]++ (", 1).events().size(), 1U);
  EXPECT_EQ(Ask1("array[i]++ (", 2).events().size(), 2U);
}

TEST_P(Fuzzy, StaysInItsLine) {
  tree_.Write("f", "quick_\nsorter\r\nquick_sorte\r\n");
  EXPECT_THAT(Ask1("quick_sorter", 1).events(), ElementsAre("f:3:1:quick_sorte|quick_sorte"));
}

TEST_P(Fuzzy, CapsContextAndBinaryFilesAreThoseOfAnyOtherSearch) {
  tree_.Write("a", "one\nquick_sortr\ntwo\nquick_sorter\n");
  tree_.Write("b", std::string("quick_sortr\0\n", 13));
  tree_.Write("c", "\xef\xbb\xbfquick_sortr\n");
  EXPECT_THAT(Ask1("quick_sorter", 1, R"(,"fixed_strings":true,"context":1)").events(),
              ElementsAre("a-1-one", "a:2:1:quick_sortr|quick_sortr", "a-3-two", "a:4:1:quick_sorter|quick_sorter",
                          "c:1:1:quick_sortr|quick_sortr"));
  const Answer one = Ask1("quick_sorter", 1, R"(,"fixed_strings":true,"max_results":1)");
  EXPECT_THAT(one.events(), ElementsAre("a:2:1:quick_sortr|quick_sortr"));
  EXPECT_TRUE(one.truncated());
  EXPECT_THAT(Ask1("quick_sorter", 1, R"(,"fixed_strings":true,"max_matches_per_file":1)").events(),
              ElementsAre("a:2:1:quick_sortr|quick_sortr", "c:1:1:quick_sortr|quick_sortr"));
}

TEST_P(Fuzzy, Utf16IsSearchedAsUtf8) {
  std::string text = "\xff\xfe";
  for (const char c : std::string("x quick_sortr\n")) text += std::string{c, '\0'};
  tree_.Write("f", text);
  EXPECT_THAT(Ask1("quick_sorter", 1).events(), ElementsAre("f:1:3:x quick_sortr|quick_sortr"));
}

TEST_P(Fuzzy, ALineFeedOrNulInThePatternIsBadArgs) {
  tree_.Write("f", "foo\n");
  for (const char* pattern : {R"("quick\nsorter")", R"("quick\u0000sorter")"}) {
    EXPECT_EQ(
        SearchWith(GetParam(), tree_, std::string(R"({"fixed_strings":true,"fuzzy":1,"pattern":)") + pattern + "}")
            .kind(),
        "BadArgs");
  }
}

TEST_P(Fuzzy, LongPatternsAreFoundOrRefused) {
  const std::string pattern = Repeat(40, "abcdefghij");
  tree_.Write("f", "x" + pattern + "\n" + pattern.substr(0, 200) + pattern.substr(201) + "\nabc\n");
  const Answer answer = Ask1(pattern, 1);
  if (answer.ok()) {
    EXPECT_EQ(answer.events().size(), 2U);
  } else {
    EXPECT_THAT(answer.kind(), ::testing::AnyOf("BadArgs", "ExecutionFailed"));
    EXPECT_NE(answer.message(), "");
  }
}

TEST(FuzzyNative, ARegularExpressionIsBadArgs) {
  TempTree tree;
  tree.Write("f", "quick_sorter\n");
  const Answer answer = SearchWith("native", tree, Ask("quick.*sorter", R"("fuzzy":1)"));
  EXPECT_EQ(answer.kind(), "BadArgs");
  EXPECT_THAT(answer.message(), HasSubstr("fuzzy"));
  EXPECT_EQ(SearchWith("native", tree, Ask("quick_sortr", R"("fuzzy":1)")).events().size(), 1U) << "it is plain text";
}

TEST(FuzzyUgrep, TheFirstCharacterMustBeThere) {  // C28
  TempTree tree;
  tree.Write("f", "nemory_hotplug\n");
  EXPECT_THAT(SearchWith("ugrep", tree, Ask("memory_hotplug", R"("fuzzy":1,"fixed_strings":true)")).events(),
              IsEmpty());
  EXPECT_THAT(SearchWith("native", tree, Ask("memory_hotplug", R"("fuzzy":1,"fixed_strings":true)")).events(),
              ElementsAre("f:1:1:nemory_hotplug|nemory_hotplug"));
}

}  // namespace
}  // namespace forge::testing
