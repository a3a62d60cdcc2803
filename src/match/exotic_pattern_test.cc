// Patterns from a grammar of everything that PCRE2 knows, on short lines.
// Compared with what PCRE2 itself says about the pattern as it was written:
//
//   what runs is what was written       \Q..\E and comments are resolved
//   ASCII case                          equals (?i) where only ASCII has case
//   whole words                         equal look-arounds put around by hand
//   factors and prefilters              never miss a line that matches
//
//   FORGE_TEST_SEED=7 FORGE_TEST_CASES=1000000 unit_tests --gtest_filter='Exotic*'
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "match/prefilter.h"
#include "match/scan.h"
#include "tests/testing/seed.h"

namespace forge {
namespace {

using testing::Random;
using Strings = std::vector<std::string>;

const Strings kChars = {"a", "b", "k", "K", "s", "S", "B", "x", "1", "_", "-", " ", "\u00E9", "\u4E2D", ",", "#", "}"};

const Strings kEscapes = {
    "\\x41",   "\\x{6b}", "\\x6",     "\\o{141}", "\\101", "\\60",    "\\t",     "\\e",        "\\cA",     "\\d",
    "\\D",     "\\w",     "\\W",      "\\s",      "\\S",   "\\h",     "\\H",     "\\v",        "\\V",      "\\N",
    "\\b",     "\\B",     "\\A",      "\\z",      "\\Z",   "\\G",     "\\K",     "\\X",        "\\p{L}",   "\\p{Lu}",
    "\\p{Ll}", "\\P{Lu}", "\\p{^L}",  "\\pL",     "\\PN",  "\\p{Nd}", "\\p{L&}", "\\p{Greek}", "\\p{Xwd}", "\\p{Xsp}",
    "\\.",     "\\-",     "\\[",      "\\\\",     "\\{",   "\\#",     "\\ ",     "\\_",        "\\\u00E9", "\\N{U+6b}",
    "\\E",     "\\x{e9}", "\\p{Any}", "\\P{Any}", "\\81",  "\\018",   "^",       "$",          ".",        "[[:<:]]"};

const Strings kClassItems = {"a",
                             "b",
                             "k",
                             "S",
                             "-",
                             "_",
                             "1",
                             "^",
                             "]",
                             "a-c",
                             "A-K",
                             "0-9",
                             "\\x41-\\x4b",
                             "a-\\x6b",
                             "\\w",
                             "\\W",
                             "\\d",
                             "\\s",
                             "\\S",
                             "\\h",
                             "\\p{Lu}",
                             "\\P{Ll}",
                             "\\pN",
                             "\\b",
                             "\\-",
                             "\\]",
                             "\\\\",
                             "[:alpha:]",
                             "[:^alpha:]",
                             "[:upper:]",
                             "[:lower:]",
                             "[:punct:]",
                             "[:word:]",
                             "[:^space:]",
                             "[:xdigit:]",
                             "[:ascii:]",
                             "\\Qa-k\\E",
                             "\\E",
                             " ",
                             "\u00E9",
                             "\u4E2D-\u4E2F",
                             "\\x{e9}",
                             "\\101",
                             "\\60-\\71",
                             "#",
                             "\\d-z",
                             "[:alpha:]-z",
                             "--a",
                             "[",
                             "[:",
                             "&&",
                             "\\Q]\\E",
                             "[=a=]",
                             "\\cA"};

const Strings kRepeats = {"*",  "+",  "?",    "{2}",    "{1,3}", "{0,2}", "{2,}", "*?",  "+?", "??",     "*+",
                          "++", "?+", "{2}+", "{1,2}?", "{,3}",  "{0}",   "{",    "{x}", " *", "{1, 2}", "(?#c)*"};

const Strings kReferences = {"\\1",  "\\2",    "\\g1",  "\\g{-1}", "\\k<n>", "\\k{n}", "(?P=n)", "(?1)",
                             "(?R)", "\\g<1>", "(?&n)", "(?P>n)",  "(?-1)",  "\\g'1'", "\\10",   "\\11"};

const Strings kOddities = {"(?#c)",     "(?C1)",     "(*FAIL)",  "(*COMMIT)", "(*PRUNE)", "(*SKIP)", "(*THEN)",
                           "(*ACCEPT)", "(*MARK:x)", "(?i)",     "(?x)",      "(?xx)",    "(?s)",    "(?m)",
                           "(?n)",      "(?U)",      "(?-i)",    "(?-x)",     "(?^)",     "(?J)",    "\\Qa.\\E",
                           "\\Qk",      "\\Q\\E",    "\\Q-|\\E", "#c",        " # k|",    "(?ix-s)"};

const Strings kGroups = {"(",      "(?:",  "(?>",    "(?|",     "(?<n>",     "(?P<m>",   "(?'o'",     "(?=",  "(?!",
                         "(?<=",   "(?<!", "(*pla:", "(*nla:",  "(*atomic:", "(*naplb:", "(?i:",      "(?x:", "(?-i:",
                         "(?s-x:", "(?^:", "(?(1)",  "(?(?=a)", "(?(<n>)",   "(?(R)",    "(?(DEFINE)"};

class Grammar {
 public:
  explicit Grammar(Random& random) : random_(random) {}

  std::string Pattern(int depth) {
    std::string out = Sequence(depth);
    while (random_.OneIn(5)) out += "|" + Sequence(depth);
    return out;
  }

 private:
  std::string Sequence(int depth) {
    std::string out;
    for (std::size_t n = random_.Below(4) + (random_.OneIn(8) ? 0 : 1); n > 0; --n) {
      out += Piece(depth);
      if (random_.OneIn(4)) out += random_.Pick(kRepeats);
    }
    return out;
  }

  std::string Piece(int depth) {
    switch (random_.Below(depth > 0 ? 14 : 9)) {
      case 0:
      case 1:
      case 2:
      case 3: return random_.Pick(kChars);
      case 4:
      case 5: return random_.Pick(kEscapes);
      case 6:
      case 7: return Class();
      case 8: return random_.OneIn(3) ? random_.Pick(kReferences) : random_.Pick(kOddities);
      default: return random_.Pick(kGroups) + Pattern(depth - 1) + ")";
    }
  }

  std::string Class() {
    std::string out = random_.OneIn(3) ? "[^" : "[";
    for (std::size_t n = 1 + random_.Below(3); n > 0; --n) out += random_.Pick(kClassItems);
    return out + "]";
  }

  Random& random_;
};

// `cased`: with characters outside ASCII that have two cases, or a case in
// ASCII.
std::string MakeLine(Random& random, bool cased) {
  static const Strings kParts = {"a", "b",    "k",    "K",  "s",      "S", "A", "B", "x", "1", "_",
                                 "-", " ",    ".",    "\t", "\u4E2D", ",", "]", "[", "{", "}", "#",
                                 "^", "\x01", "\xFF", "\r", "0",      "&", "c", "k", "a", "|"};
  static const Strings kCased = {"\u00E9", "\u00C9", "\u212A", "\u017F", "\u03A3"};
  std::string line;
  for (std::size_t n = random.Below(9); n > 0; --n) {
    line += cased && random.OneIn(4) ? random.Pick(kCased) : random.Pick(kParts);
  }
  return line;
}

std::string Print(const MatchOutcome& outcome) {
  switch (outcome.status) {
    case MatchStatus::kMatch: return std::to_string(outcome.span.begin) + "-" + std::to_string(outcome.span.end);
    case MatchStatus::kNoMatch: return "none";
    case MatchStatus::kTooComplex: break;
  }
  return "too complex";
}

// Has its own scratch memory, because making that takes longer than a match.
class Finder {
 public:
  explicit Finder(const std::string& text) : regex_(Regex::Compile(text)) {
    if (regex_) scratch_.emplace(*regex_);
  }
  bool ok() const { return regex_.ok(); }
  std::string operator()(std::string_view line) { return Print(regex_->Match(line, *scratch_)); }

 private:
  Result<Regex> regex_;
  std::optional<Regex::Scratch> scratch_;
};

// A pattern as PCRE2 reads it.
struct Oracle {
  explicit Oracle(const std::string& text) : pattern(text), finder(text) {}

  // Nothing where the library gave up, or is known to be wrong (see
  // rewrite.cc).
  std::optional<std::string> Ask(std::string_view line) {
    const bool bad_byte = line.find('\xFF') != std::string_view::npos;
    const bool all_but_one = pattern.find("(?i") != std::string::npos && pattern.find("[^") != std::string::npos;
    if (bad_byte && all_but_one) return std::nullopt;
    const std::string answer = finder(line);
    return answer == "too complex" ? std::nullopt : std::optional(answer);
  }

  std::string pattern;
  Finder finder;
};

// As short lines are matched, as long ones are, and as very long ones are.
void ExpectSame(const Pattern& ours, Oracle& theirs, const Strings& lines, const std::string& what) {
  const MatchTuning tunings[] = {{}, {.quick_bytes = 0}, {.quick_bytes = 0, .part_bytes = 2}};
  for (const MatchTuning& tuning : tunings) {
    PatternMatcher matcher(ours, {}, tuning);
    for (const std::string& line : lines) {
      const auto expected = theirs.Ask(line);
      if (!expected) continue;
      EXPECT_EQ(Print(matcher.Match(line)), *expected)
          << what << " on <" << line << ">, parts of " << tuning.part_bytes << " bytes";
    }
  }
}

void ExpectNoLineIsMissed(const Pattern& pattern, const Strings& lines, const std::string& what) {
  std::string text;
  Finder factors(ToRegex(pattern.factors()));
  ASSERT_TRUE(factors.ok()) << what;
  PatternMatcher matcher(pattern);
  for (const std::string& line : lines) {
    text += line + "\n";
    if (matcher.Match(line).status != MatchStatus::kMatch) continue;
    EXPECT_NE(factors(line), "none") << what << " on <" << line << ">, factors " << ToRegex(pattern.factors());
  }
  const ScanLimits limits{1000, 0, 1000};
  const ScanResult all = ScanText(text, Prefilter(), matcher, limits, Deadline());
  using How = Prefilter::SetSearch;
  for (const How how : {How::kBest, How::kShiftAnd, How::kHyperscan}) {
    const Prefilter filter = Prefilter::For(pattern, how);
    const ScanResult filtered = ScanText(text, filter, matcher, limits, Deadline());
    EXPECT_EQ(filtered.events.size(), all.events.size())
        << what << " on <" << text << ">, filter " << filter.description();
  }
}

// Patterns for which (?i) is not a fair comparison. Whether \p{Lu} includes
// lower case letters under (?i) depends on the library's version. What (*COMMIT)
// stops depends on where the search starts.
bool CanBeMeasured(std::string_view pattern) {
  static constexpr std::string_view kParts[] = {
      "p{Lu}", "p{Ll}", "P{Lu}", "P{Ll}", "upper:", "lower:", "(*COMMIT", "(*PRUNE", "(*SKIP", "(*THEN"};
  return std::none_of(std::begin(kParts), std::end(kParts),
                      [&](auto part) { return pattern.find(part) != pattern.npos; });
}

std::optional<Pattern> Compile(const std::string& text, CaseMode mode, bool word) {
  auto pattern = Pattern::Compile({.pattern = text, .word_regexp = word, .case_mode = mode});
  if (!pattern) return std::nullopt;
  return std::move(*pattern);
}

Strings MakeLines(Random& random, bool cased) {
  Strings lines;
  for (int i = 0; i < 8; ++i) lines.push_back(MakeLine(random, cased));
  return lines;
}

TEST(ExoticPatterns, MeanWhatPcre2SaysAndMissNothing) {
  const std::uint64_t first = testing::FirstSeed();
  const std::uint64_t cases = testing::CaseCount(2000);
  RecordProperty("seed", std::to_string(first));
  std::uint64_t compiled = 0;
  std::uint64_t folded_too = 0;
  for (std::uint64_t seed = first; seed < first + cases && !HasFailure(); ++seed) {
    Random random(seed);
    const std::string text = Grammar(random).Pattern(2);
    const std::string what = "seed " + std::to_string(seed) + ", pattern <" + text + ">";
    const auto exact = Compile(text, CaseMode::kSensitive, false);
    if (!exact) continue;
    ++compiled;
    Oracle given(text);
    ASSERT_TRUE(given.finder.ok()) << what;
    // Our (?i) is about ASCII.
    const bool ignores = text.find("(?i") != std::string::npos;
    const Strings lines = MakeLines(random, !ignores);
    const bool measured = !ignores || CanBeMeasured(text);
    if (measured) ExpectSame(*exact, given, lines, what);
    ExpectNoLineIsMissed(*exact, lines, what);

    // If nothing swallows the wrapping, it equals the one written by hand.
    const auto word = Compile(text, CaseMode::kSensitive, true);
    Oracle by_hand("(?<!\\w)(?:" + text + ")(?!\\w)");
    if (word && by_hand.finder.ok()) {
      if (measured) ExpectSame(*word, by_hand, lines, what + " as a word");
      ExpectNoLineIsMissed(*word, lines, what + " as a word");
    }

    const auto folded = Compile(text, CaseMode::kInsensitive, false);
    if (!folded) continue;
    ++folded_too;
    ExpectNoLineIsMissed(*folded, lines, what + " without case");
    Oracle caseless("(?i)" + text);
    if (!caseless.finder.ok() || !CanBeMeasured(text)) continue;
    ExpectSame(*folded, caseless, MakeLines(random, false), what + " without case");
  }
  if (HasFailure()) return;
  // If PCRE2 refused the grammar's patterns, the test would prove nothing.
  EXPECT_GT(compiled, cases / 4);
  EXPECT_GT(folded_too, cases / 5);
  if (!Hyperscan::Version()) GTEST_SKIP() << "NOT TESTED: Hyperscan, which is not installed; only Shift-And was";
}

}  // namespace
}  // namespace forge
