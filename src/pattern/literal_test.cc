#include "pattern/literal.h"

#include <gtest/gtest.h>

#include <ctime>

#include "base/ascii.h"
#include "tests/testing/seed.h"

namespace forge {
namespace {

using Simd = LiteralFinder::Simd;

std::size_t Naive(std::string_view text, std::string_view needle, bool fold, std::size_t from) {
  const auto same = [fold](char a, char b) { return fold ? LowerAscii(a) == LowerAscii(b) : a == b; };
  for (std::size_t at = from; at + needle.size() <= text.size(); ++at) {
    std::size_t i = 0;
    while (i < needle.size() && same(text[at + i], needle[i])) ++i;
    if (i == needle.size()) return at;
  }
  return std::string_view::npos;
}

std::string Letters(testing::Random& random, std::size_t size) {
  static constexpr std::string_view kLetters = "aAbB@`_\xE9kK";
  std::string out;
  while (out.size() < size) out += random.Pick(kLetters);
  return out;
}

// Every instruction set, every alignment, both cases. Without rapidcheck: so it also
// runs where there is none (scripts/cross).
TEST(LiteralFinder, EveryInstructionSetFindsWhatANaiveSearchFinds) {
  testing::Random random(testing::FirstSeed());
  for (std::uint64_t i = 0; i < testing::CaseCount(20000); ++i) {
    const std::string needle = Letters(random, 1 + random.Below(6));
    const std::string text = Letters(random, random.Below(200));
    const bool fold = random.OneIn(2);
    const std::size_t from = random.Below(40);
    const LiteralFinder finder(needle, fold);
    for (const Simd simd : {Simd::kNone, Simd::kSse2, Simd::kAvx2, Simd::kNeon}) {
      if (simd > LiteralFinder::Best()) continue;
      ASSERT_EQ(finder.FindWith(simd, text, from), Naive(text, needle, fold, from))
          << "case " << i << ": " << needle << " in " << text << " from " << from;
    }
  }
}

std::string Repeated(std::size_t times, std::string_view text) {
  std::string out;
  for (; times > 0; --times) out += text;
  return out;
}

// A needle that nearly occurs everywhere: comparing it at each place would take
// a minute without regard to case. Seconds of processor time
// are far more than it needs.
TEST(Literal, ABadNeedleTakesNoLonger) {
  const std::string half(30'000, 'a');
  const std::string needle = half + "b" + half;
  const std::string nearly = Repeated(66, half + "b") + "c";
  for (const bool fold : {false, true}) {
    const LiteralFinder finder(needle, fold);
    for (const std::string& text : {Repeated(2'000'000, "a"), Repeated(33, half.substr(1) + "b" + half + "c")}) {
      const std::clock_t begin = std::clock();
      EXPECT_EQ(finder.Find(text, 0), std::string::npos);
      EXPECT_EQ(finder.Find(text + needle, 5), text.size());
      EXPECT_LT(std::clock() - begin, 3 * CLOCKS_PER_SEC);
    }
    EXPECT_EQ(finder.Find(nearly, 0), 0U);
    EXPECT_EQ(finder.Find(nearly, 1), half.size() + 1);
  }
}

}  // namespace
}  // namespace forge
