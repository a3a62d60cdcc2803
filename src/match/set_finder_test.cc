#include "match/set_finder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <initializer_list>
#include <limits>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "match/lines.h"
#include "pattern/pattern.h"
#include "tests/testing/seed.h"

namespace forge {
namespace {

using testing::Random;
using Sequences = std::vector<ByteSequence>;

constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();
constexpr const char* kNotTested = "NOT TESTED: Hyperscan, which is not installed; only Shift-And was";

Sequences SequencesOf(const std::string& pattern) {
  return ToByteSequences(Pattern::Compile({.pattern = pattern})->factors());
}

// The beginnings of the lines in which something is found.
std::vector<std::size_t> Lines(SetFinder& finder, std::string_view text) {
  std::vector<std::size_t> lines;
  const Deadline none;
  SetFinder::Cursor cursor(finder, text, none);
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t at = cursor.Next(from);
    if (at == std::string_view::npos) break;
    const Line line = LineAround(text, at, from);
    lines.push_back(line.begin);
    from = line.next;
  }
  return lines;
}

std::vector<std::size_t> ByShiftAnd(const Sequences& sequences, std::string_view text) {
  SetFinder finder(sequences, kNever);
  auto lines = Lines(finder, text);
  EXPECT_FALSE(finder.uses_hyperscan());
  return lines;
}

// Repeats each part so many times.
std::string Text(std::initializer_list<std::pair<std::size_t, std::string_view>> parts) {
  std::string text;
  for (const auto& [times, part] : parts) {
    for (std::size_t i = 0; i < times; ++i) text.append(part);
  }
  return text;
}

TEST(SetFinder, TurnsToHyperscanWhenItPays) {
  SetFinder finder(SequencesOf("[a-z]{2}[0-9]{2}"), 100);
  const std::string text = Text({{57, "-"}, {1, "ab12\n"}});
  const std::vector<std::size_t> expected = {0};
  EXPECT_EQ(Lines(finder, text), expected);
  EXPECT_FALSE(finder.uses_hyperscan());
  EXPECT_EQ(Lines(finder, text), expected);
  EXPECT_EQ(Lines(finder, text), expected);
  if (!Hyperscan::Version()) GTEST_SKIP() << kNotTested;
  EXPECT_TRUE(finder.uses_hyperscan());
}

TEST(SetFinder, LeavesToShiftAndWhatTakesLongToCompile) {
  for (const char* const pattern : {"[a-z]{4}[0-9]{3}[a-z]{4}[0-9]{3}[a-z]{3}x|[a-z]_", "[^a][^b][^c][^d][^e]"}) {
    SetFinder finder(SequencesOf(pattern), 0);
    EXPECT_EQ(Lines(finder, "a_\nxyzuvw\n").size(), 1U) << pattern;
    EXPECT_FALSE(finder.uses_hyperscan()) << pattern;
  }
}

// The pieces for Hyperscan end at line ends.
TEST(SetFinder, FindsAtTheEndsOfPieces) {
  const Sequences sequences = SequencesOf("[a-z]{2}[0-9]{2}");
  constexpr std::size_t kPiece = SetFinder::kPiece;
  std::vector<std::string> texts = {"", "\n", "ab12", "ab1\n2", Text({{3 * kPiece, "\n"}, {1, "ab12"}})};
  for (std::size_t before = kPiece - 6; before < kPiece + 6; ++before) {
    texts.push_back(Text({{before, "-"}, {1, "ab12\nab\nab12\n"}}));  // a long line
    texts.push_back(Text({{before, "-"}, {1, "\nab12"}, {9, "-"}}));  // a short one after it
    texts.push_back(Text({{before, "\n"}, {1, "ab12\n"}, {kPiece, "-"}, {1, "ab12"}}));
  }
  const std::string dense = Text({{kPiece / 8, "ab12ab1\nab12ab1-ab12ab1-"}});
  texts.push_back(dense);
  texts.push_back(Text({{kPiece, "-"}, {1, "ab12\n"}, {1, dense}, {kPiece, "-"}, {1, "\nab12\n"}}));
  SetFinder finder(sequences, 0);
  for (const std::string& text : texts) {
    EXPECT_EQ(Lines(finder, text), ByShiftAnd(sequences, text)) << text.size() << " bytes";
  }
  if (!Hyperscan::Version()) GTEST_SKIP() << kNotTested;
  EXPECT_TRUE(finder.uses_hyperscan());
}

constexpr std::string_view kBytes = "abc_1\x7F\x80\xA9\xC3\xFF";

ByteSequence MakeSequence(Random& random, std::size_t& loops) {
  ByteSequence sequence(1 + random.Below(5));
  for (BytePosition& position : sequence) {
    for (std::size_t n = random.Below(4) + (random.OneIn(20) ? 0 : 1); n > 0; --n) {
      position.bytes[static_cast<unsigned char>(random.Pick(kBytes))] = true;
    }
    if (loops == 0 || !random.OneIn(3)) continue;
    --loops;
    position.loops = true;
    std::fill(position.bytes.begin() + 128, position.bytes.end(), true);
  }
  return sequence;
}

std::string MakeText(Random& random) {
  std::string text;
  const std::size_t line = 2 + random.Below(60);
  for (std::size_t n = random.Below(random.OneIn(20) ? 200'000 : 600); n > 0; --n) {
    text += random.OneIn(line) ? '\n' : random.Pick(kBytes);
  }
  return text;
}

TEST(SetFinder, FindsTheSameBothWays) {
  const std::uint64_t first = testing::FirstSeed();
  const std::uint64_t cases = testing::CaseCount(200);
  std::uint64_t used = 0;
  for (std::uint64_t seed = first; seed < first + cases; ++seed) {
    Random random(seed);
    std::size_t loops = 4;
    Sequences sequences;
    for (std::size_t n = 1 + random.Below(3); n > 0; --n) sequences.push_back(MakeSequence(random, loops));
    SetFinder finder(sequences, 0);
    for (int i = 0; i < 5; ++i) {
      const std::string text = MakeText(random);
      ASSERT_EQ(Lines(finder, text), ByShiftAnd(sequences, text)) << "seed " << seed << ", text " << i;
    }
    if (finder.uses_hyperscan()) ++used;
  }
  if (!Hyperscan::Version()) GTEST_SKIP() << kNotTested;
  EXPECT_GT(used, cases / 2);
}

TEST(SetFinder, IsSharedByThreads) {
  const Sequences sequences = SequencesOf("[a-z][0-9]{2}");
  Random random(1);
  std::vector<std::string> texts;
  std::vector<std::vector<std::size_t>> expected;
  for (int i = 0; i < 20; ++i) {
    texts.push_back(MakeText(random) + "\na11\n");
    expected.push_back(ByShiftAnd(sequences, texts.back()));
  }
  SetFinder finder(sequences, 2000);  // Shift-And sees some of the texts first
  std::vector<std::thread> threads;
  std::atomic<std::size_t> wrong = 0;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (std::size_t i = 0; i < texts.size(); ++i) wrong += Lines(finder, texts[i]) != expected[i] ? 1 : 0;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0U);
  if (!Hyperscan::Version()) GTEST_SKIP() << kNotTested;
  EXPECT_TRUE(finder.uses_hyperscan());
}

}  // namespace
}  // namespace forge
