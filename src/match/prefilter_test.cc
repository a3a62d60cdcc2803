#include "match/prefilter.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <ctime>

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
    using How = Prefilter::SetSearch;
    for (const How how : {How::kBest, How::kShiftAnd, How::kHyperscan}) {
      RC_ASSERT(Numbers(ScanText(text, Prefilter::For(*pattern, how), matcher, limits, Deadline())) == expected);
    }
  }));
  if (!Hyperscan::Version()) GTEST_SKIP() << "NOT TESTED: Hyperscan, which is not installed; only Shift-And was";
}

}  // namespace
}  // namespace forge
