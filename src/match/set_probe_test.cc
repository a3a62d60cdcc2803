#include "match/set_probe.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "pattern/pattern.h"
#include "tests/testing/seed.h"

namespace forge {
namespace {

using testing::Random;

std::vector<ByteSequence> SequencesOf(const std::string& pattern) {
  return ToByteSequences(Pattern::Compile({.pattern = pattern})->factors());
}

bool IsSupported() { return SetProbe::For(SequencesOf("[0-9]{3}")) != nullptr; }

TEST(SetProbe, TakesWhatIsRareAndAscii) {
  if (!IsSupported()) GTEST_SKIP() << "NOT TESTED: this processor has no such instructions";
  for (const char* pattern : {"[a-z]{4}[0-9]{3}[a-z]{2}", "[0-9]{2}", "[0-9][A-F]"}) {
    EXPECT_NE(SetProbe::For(SequencesOf(pattern)), nullptr) << pattern;
  }
  for (const char* pattern : {"[a-z]{2}", "[0-9]{3}|[A-F]{3}", "[\u00E9\u00E8]{4}"}) {
    EXPECT_EQ(SetProbe::For(SequencesOf(pattern)), nullptr) << pattern;
  }
}

// A sequence of sets over few bytes, so that random text has many of them.
ByteSequence MakeSequence(Random& random, std::string_view bytes) {
  ByteSequence sequence(2 + random.Below(8));
  for (BytePosition& position : sequence) {
    position.bytes[static_cast<unsigned char>(random.Pick(bytes))] = true;
    if (random.OneIn(2)) position.bytes[static_cast<unsigned char>(random.Pick(bytes))] = true;
  }
  return sequence;
}

bool OccursAt(const ByteSequence& sequence, std::string_view text, std::size_t at) {
  if (at + sequence.size() > text.size()) return false;
  for (std::size_t i = 0; i < sequence.size(); ++i) {
    if (!sequence[i].bytes[static_cast<unsigned char>(text[at + i])]) return false;
  }
  return true;
}

// Each place that it finds belongs to the first occurrence.
TEST(SetProbe, FindsTheFirstOccurrence) {
  if (!IsSupported()) GTEST_SKIP() << "NOT TESTED: this processor has no such instructions";
  constexpr std::string_view kBytes = "Q~\x01\x7F";  // each is rare; and a byte of each half of the table
  const std::uint64_t first = testing::FirstSeed();
  std::uint64_t found = 0;
  for (std::uint64_t seed = first; seed < first + testing::CaseCount(3000); ++seed) {
    Random random(seed);
    const ByteSequence sequence = MakeSequence(random, kBytes);
    const auto probe = SetProbe::For({sequence});
    ASSERT_NE(probe, nullptr) << "seed " << seed;
    std::string text;
    for (std::size_t n = random.Below(200); n > 0; --n) {
      text += random.OneIn(6) ? static_cast<char>(random.Below(256)) : random.Pick(kBytes);
    }
    const std::size_t from = random.Below(text.size() + 2);
    std::size_t expected = from;
    while (expected < text.size() && !OccursAt(sequence, text, expected)) ++expected;
    const std::size_t at = probe->Find(text, from);
    if (expected >= text.size()) {
      ASSERT_EQ(at, std::string_view::npos) << "seed " << seed;
      continue;
    }
    ASSERT_TRUE(at >= expected && at < expected + sequence.size()) << "seed " << seed << ": " << at << ", " << expected;
    ++found;
  }
  EXPECT_GT(found, testing::CaseCount(3000) / 10);
}

}  // namespace
}  // namespace forge
