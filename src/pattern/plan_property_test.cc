// If a plan did not hold for a line that matches, an index would hide a match.
// A grammar of the dialect makes each pattern together with a text that it
// probably matches, so that most cases test something.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "pattern/ngram_plan.h"
#include "pattern/pattern.h"
#include "pattern/plan_algebra.h"
#include "tests/testing/seed.h"

namespace forge {
namespace {

using forge::testing::Random;

struct Sample {
  std::string pattern;
  std::string text;
};

// Patterns of one character or nothing, each with texts that they match.
const std::vector<Sample> kAtoms = {
    {".", "x"},
    {".", "\u00E9"},
    {"\\w", "k"},
    {"\\w", "\u65E5"},
    {"\\d", "7"},
    {"\\s", " "},
    {"\\S", "-"},
    {"[ab]", "b"},
    {"[a-f]", "d"},
    {"[0-9]", "3"},
    {"[^x]", "y"},
    {"[^\\d]", "z"},
    {"[]a-]", "]"},
    {"[\\w.]", "."},
    {"[[:alpha:]]", "q"},
    {"[\u00E9\u00E8]", "\u00E8"},
    {"[a-\u00E9]", "~"},
    {"[^\u00E9]", "k"},
    {"\\p{Lu}", "Q"},
    {"[A-C]", "B"},
    {"[k-s]", "s"},
    {"\\x41", "A"},
    {"\\x{e9}", "\u00E9"},
    {"\\101", "A"},
    {"\\N{U+e9}", "\u00E9"},
    {"\\h", "\t"},
    {"\\X", "\u00E9"},
    {"\\N", "n"},
    {"(?i:k)", "\u212A"},
    {"(?i:s)", "\u017F"},
    {"(?i:S)", "s"},
    {"(?i:\u00E9)", "\u00C9"},
    {"(?i:[j-l])", "\u212A"},
    {"(?i:[^k])", "x"},
    {"(?i:[\u00E9s])", "\u017F"},
    {"[\u212A]", "\u212A"},
    {"\\.", "."},
    {"\\(", "("},
    {"[\\x{80}-\\x{90}]", "\u0085"},
};

const std::vector<Sample> kNothing = {
    {"^", ""},        {"$", ""},       {"\\b", ""},    {"\\B", ""},     {"\\A", ""},      {"\\z", ""},
    {"\\Z", ""},      {"\\G", ""},     {"\\K", ""},    {"(?#abc)", ""}, {"(?C1)", ""},    {"(?!zz)", ""},
    {"(?<!zz)", ""},  {"(?=.)", ""},   {"(?<=.)", ""}, {"(?i)", ""},    {"(?-i)", ""},    {"(?s)", ""},
    {"(?m)", ""},     {"(?U)", ""},    {"(?n)", ""},   {"(?R)?", ""},   {"()", ""},       {"(?:)", ""},
    {"(?=abc|)", ""}, {"(?!abc)", ""}, {"\\Q\\E", ""}, {"\\E", ""},     {"(*PRUNE)", ""}, {"(?(DEFINE)abc)", ""},
};

const std::vector<std::string> kWords = {"foo",  "barbaz",        "lock",         "Mask", "_id", "a1b2",      "ks",
                                         "Disk", "\u00E9t\u00E9", "\u65E5\u672C", "x",    "ab",  "STATIC int"};

// Classes that together make a plan of sets, also with what is not ASCII.
const std::vector<Sample> kClasses = {
    {"[0-9]", "3"},
    {"[a-z]", "k"},
    {"[A-Z]", "Q"},
    {"[0-9a-f]", "d"},
    {"\\d", "7"},
    {"\\d", "\u0663"},
    {"\\s", " "},
    {"\\s", "\u00A0"},
    {"\\w", "k"},
    {"\\w", "\u65E5"},
    {"[^a-z]", "#"},
    {"[^0-9]", "\U0001F600"},
    {".", "\u00E9"},
    {".", "%"},
    {"[\u00E9\u00E8k]", "\u00E8"},
    {"[#-%\u20AC]", "\u20AC"},
    {"[[:digit:]]", "5"},
    {"[[:punct:]]", "#"},
    {"\\p{Nd}", "\u0967"},
    {"(?i:[k-s])", "S"},
    {"\u00E9", "\u00E9"},
    {"#", "#"},
    {"(?i:[^k])", "\u212A"},
    {"[\\n-\\r]", "\r"},
    {"[\t ]", "\t"},
    {"\\x{20AC}", "\u20AC"},
    {"[^\\n]", "\r"},
    {"\\h", "\u3000"},
};

class Maker {
 public:
  explicit Maker(Random& random) : random_(random) {}

  // No text in it.
  Sample MakeClasses() {
    Sample out;
    for (std::size_t n = 1 + random_.Below(5); n > 0; --n) {
      static const struct {
        const char* text;
        std::size_t times;
      } kTimes[] = {{"", 1}, {"", 1}, {"{2}", 2}, {"{3}", 3}, {"+", 2}, {"{2,4}", 3}, {"?", 1}, {"?", 0}, {"*", 0}};
      const auto& times = random_.Pick(kTimes);
      const Sample& one = random_.Pick(kClasses);
      out.pattern += one.pattern + times.text;
      for (std::size_t i = 0; i < times.times; ++i) out.text += one.text;
    }
    if (!random_.OneIn(4)) return out;
    const Sample other = MakeClasses();
    return {"(?:" + out.pattern + "|" + other.pattern + ")", random_.OneIn(2) ? out.text : other.text};
  }

  Sample Make(int depth) {
    if (depth == 0) return Leaf();
    switch (random_.Below(12)) {
      case 0:
      case 1:
      case 2:
      case 3: return Sequence(depth);
      case 4:
      case 5: return Choice(depth);
      case 6:
      case 7: return Repeated(depth);
      case 8: return Group(depth);
      case 9: return Twice(depth);
      case 10: return Condition(depth);
      default: return Leaf();
    }
  }

 private:
  Sample Leaf() {
    switch (random_.Below(6)) {
      case 0: return random_.Pick(kAtoms);
      case 1: return random_.OneIn(2) ? random_.Pick(kNothing) : random_.Pick(kAtoms);
      case 2: return Quoted();
      default: {
        const std::string& word = random_.Pick(kWords);
        return {word, word};
      }
    }
  }

  Sample Quoted() {
    static const std::vector<std::string> kTexts = {"a.b", "(x", "foo*", "[k]", "\\d", "||"};
    const std::string& text = random_.Pick(kTexts);
    return {"\\Q" + text + "\\E", text};
  }

  Sample Sequence(int depth) {
    Sample out;
    for (std::size_t i = 2 + random_.Below(3); i > 0; --i) {
      const Sample part = Make(depth - 1);
      out.pattern += part.pattern;
      out.text += part.text;
    }
    return out;
  }

  Sample Choice(int depth) {
    static const std::vector<std::string> kOpen = {"(?:", "(", "(?>", "(?|", "(?i:", "(?<n>", "(*atomic:"};
    const Sample a = Make(depth - 1);
    const Sample b = random_.OneIn(6) ? Sample() : Make(depth - 1);
    return {random_.Pick(kOpen) + a.pattern + "|" + b.pattern + ")", random_.OneIn(2) ? a.text : b.text};
  }

  Sample Repeated(int depth) {
    static const struct {
      const char* text;
      std::size_t times;
    } kTimes[] = {{"*", 0},     {"*", 2},    {"+", 1},   {"+", 3},  {"?", 0},  {"?", 1},   {"{2}", 2},    {"{1,3}", 2},
                  {"{0,2}", 1}, {"{3,}", 4}, {"{0}", 0}, {"*?", 1}, {"+?", 1}, {"{9}", 9}, {"{10,}", 11}, {"{,2}", 1}};
    const auto& times = random_.Pick(kTimes);
    const Sample part = Make(depth - 1);
    Sample out = {"(" + part.pattern + ")" + times.text, ""};
    // Without its group, a repetition applies to the last character only.
    if (random_.OneIn(4)) return {part.pattern + times.text, part.text};
    for (std::size_t i = 0; i < times.times; ++i) out.text += part.text;
    return out;
  }

  Sample Group(int depth) {
    static const struct {
      const char* open;
      const char* close;
      bool consumes;
    } kGroups[] = {{"(", ")", true},       {"(?:", ")", true},     {"(?x: ", " )", true}, {"(?i)", "", true},
                   {"(?=", ")", false},    {"(?!", ")", false},    {"(?<=", ")", false},  {"(?<!", ")", false},
                   {"(?xx)", "", true},    {"(?-i:", ")", true},   {"(?^:", ")", true},   {"(?im-sx:", ")", true},
                   {"(*pla:", ")", false}, {"(*nlb:", ")", false}, {"(*sr:", ")", true},  {"(?n:", ")", true}};
    const auto& group = random_.Pick(kGroups);
    const Sample part = Make(depth - 1);
    return {group.open + part.pattern + group.close, group.consumes ? part.text : ""};
  }

  // Back-references and calls.
  Sample Twice(int depth) {
    static const std::vector<Sample> kAgain = {{"(", ")\\1"},       {"(", ")(?1)"},    {"(?<w>", ")\\k<w>"},
                                               {"(?<w>", ")(?&w)"}, {"(", ")\\g{-1}"}, {"(", ")\\g<1>"},
                                               {"(?i)(", ")\\1"}};
    const Sample& again = random_.Pick(kAgain);
    const Sample part = Make(depth - 1);
    return {again.pattern + part.pattern + again.text, part.text + part.text};
  }

  Sample Condition(int depth) {
    const Sample a = Make(depth - 1);
    const Sample b = Make(depth - 1);
    if (random_.OneIn(8)) return {a.pattern + "(*ACCEPT)" + b.pattern, a.text};
    if (random_.OneIn(2)) return {"(?(?=f)" + a.pattern + "|" + b.pattern + ")", random_.OneIn(2) ? a.text : b.text};
    const bool yes = random_.OneIn(2);
    return {"(x)?(?(1)" + a.pattern + "|" + b.pattern + ")", yes ? "x" + a.text : b.text};
  }

  Random& random_;
};

std::string Around(Random& random) {
  static const std::vector<std::string> kParts = {"", "", " ", "x", "foo", "\xFF", "\xE2\x84", "-", "\u00E9", "K", "_"};
  return random.Pick(kParts) + random.Pick(kParts);
}

// Sometimes with a letter in its other case, a byte missing or a wrong one.
std::string Spoil(std::string text, Random& random) {
  if (text.empty() || random.OneIn(2)) return text;
  const std::size_t at = random.Below(text.size());
  switch (random.Below(5)) {
    case 0: text.erase(at, 1); break;
    case 2: std::reverse(text.begin(), text.end()); break;
    case 1: text[at] = '\xBF'; break;
    default:
      for (char& c : text) {
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        if (letter && random.OneIn(2)) c = static_cast<char>(c ^ 0x20);
      }
  }
  return text;
}

struct Counts {
  std::size_t compiled = 0;
  std::size_t says_something = 0;
  std::size_t matched = 0;
  std::size_t matched_and_said = 0;
  std::size_t excluded = 0;
  std::size_t matched_sets = 0;  // matches of patterns whose plan has sets
  std::size_t excluded_by_sets = 0;
};

void CheckLines(const PatternSpec& spec, const std::string& text, Random& random, Counts& counts) {
  const auto pattern = Pattern::Compile(spec);
  if (!pattern.ok()) return;
  const bool says_something = pattern->plan().kind != NgramPlan::Kind::kAll;
  ++counts.compiled;
  counts.says_something += says_something ? 1 : 0;
  Pattern::Scratch scratch(*pattern);
  for (int i = 0; i < 4; ++i) {
    const std::string line = Around(random) + Spoil(text, random) + Around(random);
    const bool holds = Holds(pattern->plan(), line);
    counts.excluded += holds ? 0 : 1;
    counts.excluded_by_sets += !holds && HasSets(pattern->plan()) ? 1U : 0U;
    if (pattern->Match(line, scratch).status != MatchStatus::kMatch) continue;
    ++counts.matched;
    counts.matched_and_said += says_something ? 1 : 0;
    counts.matched_sets += HasSets(pattern->plan()) ? 1U : 0U;
    ASSERT_TRUE(holds) << "pattern " << spec.pattern << "\nline " << line << "\nplan " << ToString(pattern->plan());
  }
}

// One text takes a shorter way than several.
TEST(PlanProperty, ATextTwiceHasThePlanOfThatText) {
  Random random(forge::testing::FirstSeed());
  for (int i = 0; i < 2000; ++i) {
    std::string text(random.Below(30), '\0');
    for (char& c : text) c = "abc\xE9"[random.Below(4)];
    EXPECT_EQ(AnyText({text}), AnyText({text, text})) << text;
  }
}

TEST(PlanProperty, HoldsForEveryLineThatMatches) {
  static constexpr std::array kModes = {CaseMode::kSensitive, CaseMode::kInsensitive, CaseMode::kSmart};
  const std::uint64_t first = forge::testing::FirstSeed();
  const std::uint64_t cases = forge::testing::CaseCount(5000);
  Counts counts;
  for (std::uint64_t seed = first; seed < first + cases; ++seed) {
    Random random(seed);
    Maker maker(random);
    const Sample sample = random.OneIn(3) ? maker.MakeClasses() : maker.Make(static_cast<int>(random.Below(4)));
    PatternSpec spec;
    spec.pattern = sample.pattern;
    spec.fixed_strings = random.OneIn(10);
    spec.word_regexp = random.OneIn(4);
    spec.case_mode = random.Pick(kModes);
    CheckLines(spec, spec.fixed_strings ? sample.pattern : sample.text, random, counts);
    ASSERT_FALSE(HasFatalFailure()) << "seed " << seed;
  }
  // The test must be able to fail: enough patterns with a plan, enough matches of
  // them, and enough lines for which a plan does not hold.
  EXPECT_GT(counts.compiled, cases / 2);
  EXPECT_GT(counts.says_something, cases / 4);
  EXPECT_GT(counts.matched, cases / 2);
  EXPECT_GT(counts.matched_and_said, cases / 4);
  EXPECT_GT(counts.excluded, cases / 4);
  EXPECT_GT(counts.matched_sets, cases / 8);
  EXPECT_GT(counts.excluded_by_sets, cases / 200);
  RecordProperty("matched_and_said", static_cast<int>(counts.matched_and_said));
  if (cases > 5000) {
    GTEST_LOG_(INFO) << cases << " patterns, " << counts.compiled << " compiled, " << counts.says_something
                     << " with a plan, " << counts.matched << " matches, " << counts.matched_and_said
                     << " of them with a plan, " << counts.matched_sets << " with one of sets, " << counts.excluded
                     << " lines excluded, " << counts.excluded_by_sets << " of them by sets";
  }
}

}  // namespace
}  // namespace forge
