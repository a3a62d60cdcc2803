#include "match/prefilter.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <ctime>

#include "match/count_lines.h"
#include "match/scan.h"

namespace forge {
namespace {

Pattern Must(const std::string& text, CaseMode mode = CaseMode::kSensitive) {
  return std::move(*Pattern::Compile({.pattern = text, .case_mode = mode}));
}

TEST(Prefilter, PicksTheCheapestSoundTest) {
  const struct {
    const char* pattern;
    const char* filter;
  } cases[] = {
      {"memory_hotplug", "literal \"memory_hotplug\""},
      {"\\w+_lock\\(", "literal \"_lock(\""},
      {"[A-Z]{3,}_[0-9]+_MASK", "literal \"_MASK\""},
      {"kmalloc|kvmalloc|devm_kasprintf", "literals \"kmalloc\" \"kvmalloc\" \"devm_kasprintf\""},
      {"[a-z]{2}[0-9]{3}", "sets [a-z][a-z][0-9][0-9][0-9]"},
      {"x*", "every line"},
      {"e+", "sets e"},  // too common to be looked for by itself
      {"e", "literal \"e\""},
  };
  for (const auto& c : cases) EXPECT_EQ(Prefilter::For(Must(c.pattern)).description(), c.filter) << c.pattern;
  EXPECT_EQ(Prefilter::For(Must("Spin_lock", CaseMode::kInsensitive)).description(), "literal \"spin_lock\"i");
}

std::string Repeated(std::size_t times, std::string_view text) {
  std::string out;
  for (; times > 0; --times) out += text;
  return out;
}

std::string Naive(std::string_view text, std::string needle, bool fold, std::size_t from) {
  std::string hay(text);
  const auto lower = [](std::string& s) {
    for (char& c : s) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
  };
  if (fold) lower(hay), lower(needle);
  return std::to_string(hay.find(needle, from));
}

// Every instruction set, every alignment, both cases.
TEST(LiteralProperty, EqualsANaiveSearch) {
  EXPECT_TRUE(rc::check([] {
    const auto letter = rc::gen::element('a', 'A', 'b', 'B', '@', '`', '_', '\xE9', 'k', 'K');
    const auto needle = *rc::gen::nonEmpty(rc::gen::resize(6, rc::gen::container<std::string>(letter)));
    const auto text = *rc::gen::resize(200, rc::gen::container<std::string>(letter));
    const bool fold = *rc::gen::arbitrary<bool>();
    const auto from = *rc::gen::inRange<std::size_t>(0, 40);
    const LiteralFinder finder(needle, fold);
    for (const auto simd : {LiteralFinder::Simd::kNone, LiteralFinder::Simd::kSse2, LiteralFinder::Simd::kAvx2,
                            LiteralFinder::Simd::kNeon}) {
      if (simd > LiteralFinder::Best()) continue;
      RC_ASSERT(std::to_string(finder.FindWith(simd, text, from)) == Naive(text, needle, fold, from));
    }
  }));
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

TEST(CountLines, OfAnyLength) {
  for (std::size_t size = 0; size < 20'000; size = size * 3 / 2 + 1) {
    std::string text(size, 'x');
    for (std::size_t i = 0; i < size; i += 1 + i % 3) text[i] = '\n';
    EXPECT_EQ(CountLineFeeds(text), static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n'))) << size;
  }
  EXPECT_EQ(CountLineFeeds(std::string(100'000, '\n')), 100'000U);
}

rc::Gen<std::string> GenPattern(int depth) {
  const auto atom = rc::gen::element<std::string>("ab", "k", "[ab]", "[^a]", "\\w", "\\d", ".", "_", "\u00E9",
                                                  "[k-s\u00E9]", "(?i:k)", "\\W", "foo", "^", "$", "\\b");
  if (depth == 0) return atom;
  const auto inner = [depth] { return GenPattern(depth - 1); };
  return rc::gen::oneOf(
      atom, rc::gen::apply([](const std::string& a, const std::string& b) { return a + b; }, inner(), inner()),
      rc::gen::apply([](const std::string& a, const std::string& b) { return "(" + a + "|" + b + ")"; }, inner(),
                     inner()),
      rc::gen::apply([](const std::string& a, const std::string& q) { return "(?:" + a + ")" + q; }, inner(),
                     rc::gen::element<std::string>("*", "+", "?", "{2}", "{1,3}")));
}

std::string Numbers(const ScanResult& result) {
  std::string out;
  for (const LineEvent& event : result.events) {
    out += std::to_string(event.line_number) + ":" + std::to_string(event.match.begin) + "-" +
           std::to_string(event.match.end) + " ";
  }
  return out;
}

// A prefilter may only find too much, so the result is the same without it.
TEST(PrefilterProperty, ChangesNoAnswer) {
  EXPECT_TRUE(rc::check([] {
    const auto mode = *rc::gen::element(CaseMode::kSensitive, CaseMode::kInsensitive);
    const auto pattern = Pattern::Compile({.pattern = *GenPattern(3), .case_mode = mode});
    RC_PRE(pattern.ok());
    const auto piece = rc::gen::element<std::string>("ab", "k", "K", "AB", "foo", "_", "7", "\u00E9", "\u212A", "\xFF",
                                                     "\n", "\r\n", " ", "foo_", "x");
    std::string text;
    for (const auto& part : *rc::gen::container<std::vector<std::string>>(piece)) text += part;
    PatternMatcher matcher(*pattern);
    const ScanLimits limits{1000, 0, 1000};
    const std::string expected = Numbers(ScanText(text, Prefilter(), matcher, limits, Deadline()));
    RC_ASSERT(Numbers(ScanText(text, Prefilter::For(*pattern), matcher, limits, Deadline())) == expected);
    const Prefilter with_hyperscan = Prefilter::For(*pattern, 0);
    RC_ASSERT(Numbers(ScanText(text, with_hyperscan, matcher, limits, Deadline())) == expected);
  }));
  if (!Hyperscan::Version()) GTEST_SKIP() << "NOT TESTED: Hyperscan, which is not installed; only Shift-And was";
}

}  // namespace
}  // namespace forge
