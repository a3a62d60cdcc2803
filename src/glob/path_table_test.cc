#include "glob/path_table.h"

#include <gtest/gtest.h>

#include "tests/testing/seed.h"

namespace forge {
namespace {

using testing::Random;

constexpr std::string_view kPieces[] = {"a",    "b", "A", "ab",  ".",   ".o",  ".tar", "*", "**", "?",    "[ab]",
                                        "[!a]", "/", "/", "**/", "/**", "\\b", "\\",   "[", "]",  "[a/b]"};
constexpr std::string_view kParts[] = {"a", "b", "ab", "A", "a.o", "b.tar.o", ".o", "a]", "aB", "ba"};

std::string RandomText(Random& random) {
  std::string out;
  for (std::size_t n = 1 + random.Below(5); n > 0; --n) out += random.Pick(kPieces);
  return out;
}

std::string RandomPath(Random& random) {
  std::string out(random.Pick(kParts));
  while (random.OneIn(2)) out.append("/").append(random.Pick(kParts));
  return out;
}

std::string Lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

// However patterns are found, the answer is that of trying them all.
TEST(PathTable, TheLastPatternThatMatchesIsFound) {
  const std::uint64_t first = testing::FirstSeed();
  std::size_t found = 0;
  for (std::uint64_t seed = first; seed < first + testing::CaseCount(3000); ++seed) {
    Random random(seed);
    const LetterCase letters = random.OneIn(2) ? LetterCase::kFold : LetterCase::kExact;
    std::vector<PathPattern> patterns;
    std::vector<std::string> texts;
    for (std::size_t n = random.Below(8); n > 0; --n) {
      texts.push_back(RandomText(random));
      patterns.push_back(MakePathPattern(texts.back(), letters));
      patterns.back().basename = texts.back().find('/') == std::string::npos;
      patterns.back().folder_only = random.OneIn(5);
    }
    const PathTable table(patterns, letters);
    for (int i = 0; i < 10; ++i) {
      const std::string path = RandomPath(random);
      const std::string name = path.substr(path.rfind('/') + 1);
      const bool is_folder = random.OneIn(2);
      PathTable::Index expected = -1;
      for (std::size_t k = 0; k < patterns.size(); ++k) {
        const std::string& text = patterns[k].basename ? name : path;
        const bool fits = patterns[k].wildcard.Matches(letters == LetterCase::kFold ? Lower(text) : text);
        if (fits && (is_folder || !patterns[k].folder_only)) expected = static_cast<PathTable::Index>(k);
      }
      found += expected >= 0 ? 1 : 0;
      ASSERT_EQ(table.LastMatch(path, name, is_folder, nullptr), expected)
          << "seed " << seed << ": " << ::testing::PrintToString(texts) << " on " << path;
    }
  }
  EXPECT_GT(found, 1000U);
}

TEST(PathTable, OrdinaryPatternsAreFoundByHash) {
  const auto slow = [](std::string_view text, bool basename) {
    std::vector<PathPattern> patterns = {MakePathPattern(text, LetterCase::kExact)};
    patterns.back().basename = basename;
    return PathTable(std::move(patterns), LetterCase::kExact).slow_patterns();
  };
  for (const char* text : {"build", "*.o", "*.tar.gz", "\\#x", "a\\ b"}) EXPECT_EQ(slow(text, true), 0U) << text;
  for (const char* text : {"a/b", "a/*.o", "src/**/x.c", "*/x", "[ab]/x"}) EXPECT_EQ(slow(text, false), 0U) << text;
  for (const char* text : {"*~", "x*", "*a*b?", "[ab]"}) EXPECT_EQ(slow(text, true), 1U) << text;
  EXPECT_EQ(slow("a/**", false), 1U);
}

TEST(PathTable, TheEndOfTheTimeEndsTheLookUp) {
  std::vector<PathPattern> patterns;
  for (int i = 0; i < 100'000; ++i) {
    patterns.push_back(MakePathPattern("*a*" + std::to_string(i) + "b?", LetterCase::kExact));
    patterns.back().basename = true;
  }
  patterns.front() = MakePathPattern("x*", LetterCase::kExact);
  patterns.front().basename = true;
  const PathTable table(std::move(patterns), LetterCase::kExact);
  const std::string name = "xa0123456789b";
  EXPECT_EQ(table.LastMatch(name, name, false, nullptr), 0);
  const Deadline over = Deadline::After(0);
  Pace pace(over);
  EXPECT_EQ(table.LastMatch(name, name, false, &pace), -1);
  EXPECT_TRUE(pace.over());
}

}  // namespace
}  // namespace forge
