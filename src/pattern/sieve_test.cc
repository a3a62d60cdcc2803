#include "pattern/sieve.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <string>
#include <vector>

#include "pattern/pattern.h"

namespace forge {
namespace {

Pattern Must(const std::string& text, CaseMode mode = CaseMode::kSensitive) {
  return std::move(*Pattern::Compile({.pattern = text, .case_mode = mode}));
}

bool Finds(const std::string& pattern, const std::string& line, CaseMode mode = CaseMode::kSensitive) {
  return Must(pattern, mode).sieve().value().Find(line, 0) != std::string::npos;
}

TEST(Sieve, TestsWhatStandsAroundTheText) {
  const struct {
    const char* pattern;
    const char* line;
    bool found;
  } cases[] = {
      {"[A-Z]{3,}_[0-9]+_MASK", "#define ABC_12_MASK", true},
      {"[A-Z]{3,}_[0-9]+_MASK", "#define AB_12_MASK", false},
      {"[A-Z]{3,}_[0-9]+_MASK", "#define ABC_x2_MASK", false},
      {"[A-Z]{3,}_[0-9]+_MASK", "#define ABC__MASK", false},
      {"[A-Z]{3,}_[0-9]+_MASK", "1_MASK ABC_1_MASK", true},
      {"static\\s+int\\s+\\w+_probe", "static int foo_probe", true},
      {"static\\s+int\\s+\\w+_probe", "static \t int  a_probe_probe", true},
      {"static\\s+int\\s+\\w+_probe", "static long foo_probe", false},
      {"static\\s+int\\s+\\w+_probe", "static int\nfoo_probe", false},
      {"_MASK[0-9]{1,3}x", "_MASK123x", true},
      {"_MASK[0-9]{1,3}x", "_MASK1234x", false},
      {"_MASK[0-9]{1,3}x", "_MASKx", false},
      {"_MASK$", "_MASK", true},
      {"_MASK[0-9]*x", "_MASKx", true},
      {"_MASK[0-9]*x", "_MASK4", false},
      {"_MASK(?:ab){2}", "_MASKabab", true},
      {"_MASK(?:ab){2}", "_MASKabac", false},
      {"_MASK(?:-|\\+)*x", "_MASK-x", true},  // alternatives end the test
      {"_MASK(?:-|\\+)*x", "_MASK=x", true},
  };
  for (const auto& c : cases) EXPECT_EQ(Finds(c.pattern, c.line), c.found) << c.pattern << " in " << c.line;
}

// What one link may take, a later one may need.
TEST(Sieve, EndsWhereLinksShareCharacters) {
  EXPECT_TRUE(Finds("_MASK\\d+5", "_MASK125"));
  EXPECT_TRUE(Finds("_MASK\\d+[a-z]*\\d5", "_MASK125"));  // with nothing between them
  EXPECT_TRUE(Finds("_MASK\\d*x?\\d*y?\\d", "_MASK1"));
  EXPECT_TRUE(Finds("a[ab]*b_MASK", "ab_MASK"));
  EXPECT_TRUE(Finds("[a-z]{2,3}[a-z]_MASK", "abc_MASK"));
  EXPECT_FALSE(Finds("[a-z]{2,3}[a-z]_MASK", "_MASK"));
}

TEST(Sieve, LeavesOtherCharactersToTheMatcher) {
  EXPECT_TRUE(Finds("x\\w+_MASK", "x\u00E9_MASK"));
  EXPECT_FALSE(Finds("x[a-z]+_MASK", "x\u00E9_MASK"));
  EXPECT_TRUE(Finds("X[A-Z]+_MASK", "xb_mask", CaseMode::kInsensitive));
}

// Linear time: every occurrence looks at a bounded number of bytes.
TEST(Sieve, LooksOnlySoFar) {
  const std::string pattern = "-[a-z_]+\\._probe";
  const std::string far(100'000, 'a');
  EXPECT_TRUE(Finds(pattern, far + "._probe"));
  EXPECT_FALSE(Finds(pattern, std::string(100, 'a') + "._probe"));
  EXPECT_TRUE(Finds("[0-9]{300}_MASK", std::string(300, '1') + "_MASK"));
}

TEST(Sieve, IsOfTheWholePatternOrNotThere) {
  EXPECT_FALSE(Must("foo_bar|bar_foo").sieve());
  EXPECT_FALSE(Must("x*").sieve());
  EXPECT_FALSE(Must("[a-z]{4}[0-9]").sieve());
  EXPECT_TRUE(Must("(foo_bar)\\1").sieve());
}

rc::Gen<std::string> GenChain() {
  const auto atom = rc::gen::element<std::string>("[ab]", "[^a]", "\\w", "\\d", "\\s", ".", "_", "\u00E9", "[a\u00E9]",
                                                  "(?i:k)", "\\W", "foo_", "(?:a|b_)", "(?:ab)", "^", "$", "\\b", "(a)",
                                                  "\\Kb", "(?=a)", "(?<=b)", "7", "(?#x)");
  const auto count = rc::gen::element<std::string>("", "", "*", "+", "?", "{2}", "{1,3}", "{2,}", "*?", "++");
  const auto link =
      rc::gen::apply([](const std::string& a, const std::string& q) { return "(?:" + a + ")" + q; }, atom, count);
  const auto side = rc::gen::map(rc::gen::resize(6, rc::gen::container<std::vector<std::string>>(link)),
                                 [](const std::vector<std::string>& links) {
                                   std::string out;
                                   for (const std::string& one : links) out += one;
                                   return out;
                                 });
  return rc::gen::apply([](const std::string& a, const std::string& b) { return a + "zqx" + b; }, side, side);
}

// Against PCRE2: a line that matches is found, by itself and within a text.
TEST(SieveProperty, MissesNoMatch) {
  int matched = 0;
  EXPECT_TRUE(rc::check([&] {
    const auto mode = *rc::gen::element(CaseMode::kSensitive, CaseMode::kInsensitive);
    const std::string text = *GenChain();
    const auto pattern = Pattern::Compile({.pattern = text, .case_mode = mode});
    RC_PRE(pattern.ok() && pattern->sieve().has_value());
    const auto piece = rc::gen::element<std::string>("a", "b", "ab", "k", "K", "foo_", "_", "7", "\u00E9", "\u212A",
                                                     "\xFF", "\t", " ", "zqx", "ZQX", "-");
    const auto pieces = rc::gen::resize(8, rc::gen::container<std::vector<std::string>>(piece));
    for (int i = 0; i < 100; ++i) {
      std::string line;
      for (const std::string& part : *pieces) line += part;
      line += "zqx";
      for (const std::string& part : *pieces) line += part;
      Pattern::Scratch scratch(*pattern);
      if (pattern->Match(line, scratch).status != MatchStatus::kMatch) continue;
      ++matched;
      RC_ASSERT(pattern->sieve()->Find(line, 0) != std::string::npos);
      const std::string within = "zqx a\n" + line + "\r\nb zqx";
      RC_ASSERT(pattern->sieve()->Find(within, 6) < 6 + line.size());
    }
  }));
  EXPECT_GT(matched, 100);
}

}  // namespace
}  // namespace forge
