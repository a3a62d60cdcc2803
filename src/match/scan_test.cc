#include "match/scan.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <set>

#include "match/text.h"
#include "tests/testing/seed.h"

namespace forge {
namespace {

Pattern Must(const std::string& text) { return std::move(*Pattern::Compile({.pattern = text})); }

// "2:1:foo 3-bar": matches with their column, context with a dash.
std::string Print(const ScanResult& result) {
  std::string out;
  for (const LineEvent& event : result.events) {
    if (!out.empty()) out += " ";
    out += std::to_string(event.line_number);
    out += event.is_match ? ":" + std::to_string(event.match.begin + 1) + ":" : "-";
    out += event.line;
  }
  if (result.binary) out += " binary";
  if (result.capped) out += " capped";
  return out;
}

ScanResult Scan(std::string_view text, const std::string& pattern_text, ScanLimits limits) {
  const Pattern pattern = Must(pattern_text);
  PatternMatcher matcher(pattern);
  const ScanResult plain = ScanText(text, Prefilter(), matcher, limits, Deadline());
  using How = Prefilter::SetSearch;
  for (const How how : {How::kBest, How::kShiftAnd, How::kHyperscan}) {
    const Prefilter filter = Prefilter::For(pattern, how);
    EXPECT_EQ(Print(plain), Print(ScanText(text, filter, matcher, limits, Deadline()))) << pattern_text;
  }
  return plain;
}

constexpr ScanLimits kPlain{100, 0, 1000};

TEST(T_LS_PARSE_01, MatchesAndContextBecomeEvents) {
  EXPECT_EQ(Print(Scan("a\nfoo\nb\n", "foo", {100, 1, 1000})), "1-a 2:1:foo 3-b");
}

TEST(Scan, LineEndings) {
  EXPECT_EQ(Print(Scan("x foo\r\ny\n", "foo$", kPlain)), "1:3:x foo");
  EXPECT_EQ(Print(Scan("foo\r", "foo\\r", kPlain)), "1:1:foo\r");  // no LF: the CR is content
  EXPECT_EQ(Print(Scan("foo", "foo", kPlain)), "1:1:foo");
  EXPECT_EQ(Print(Scan("", "x*", kPlain)), "");
  EXPECT_EQ(Print(Scan("\n\n", "^$", kPlain)), "1:1: 2:1:");
}

TEST(Scan, InvertedLinesAreThoseThatDoNotMatch) {
  ScanLimits limits{100, 0, 1000};
  limits.invert = true;
  EXPECT_EQ(Print(Scan("foo\na\nb foo\n\n", "foo", limits)), "2:1:a 4:1:");
  EXPECT_EQ(Print(Scan("foo\n", "foo", limits)), "");
  EXPECT_EQ(Print(Scan("a\nb\n", "[0-9]x", limits)), "1:1:a 2:1:b");
  limits.context = Context(1, 0);
  EXPECT_EQ(Print(Scan("foo\na\nfoo\nb\nfoo\n", "foo", limits)), "1-foo 2:1:a 3-foo 4:1:b");
  limits.max_matches = 1;
  EXPECT_EQ(Print(Scan("a\nb\n", "foo", limits)), "1:1:a capped");
}

TEST(Scan, CountsHaveNoEvents) {
  ScanLimits limits{100, 5, 1000};
  limits.report = ScanReport::kCounts;
  limits.count_each = true;
  const ScanResult counted = Scan("foo foo\na\nfoofoo\n", "foo", limits);
  EXPECT_EQ(Print(counted), "");
  EXPECT_EQ(counted.matched_lines, 2U);
  EXPECT_EQ(counted.matches, 4U);
  limits.report = ScanReport::kFirst;
  EXPECT_EQ(Scan("foo foo\na\nfoofoo\n", "foo", limits).matched_lines, 1U);
  EXPECT_EQ(Print(Scan(std::string_view("foo\0\n", 5), "foo", limits)), " binary");
  limits.as_text = true;
  EXPECT_EQ(Scan(std::string_view("foo\0\n", 5), "foo", limits).matched_lines, 1U);
}

TEST(Scan, PassthruShowsEveryLineOfEveryText) {
  ScanLimits limits{100, UINT64_MAX, 1000};
  limits.passthru = true;
  EXPECT_EQ(Print(Scan("a\nb\n", "foo", limits)), "1-a 2-b");
  EXPECT_EQ(Print(Scan("a\nfoo\nb\n", "foo", limits)), "1-a 2:1:foo 3-b");
}

// An empty match where another ends is none; ripgrep counts in the same way.
TEST(Scan, EveryMatchOfALine) {
  const auto all = [](const std::string& pattern_text, std::string_view line) {
    const Pattern pattern = Must(pattern_text);
    PatternMatcher matcher(pattern);
    std::string out;
    Matches matches(matcher, line);
    for (Span match; matches.Next(match);) {
      out += (out.empty() ? "" : " ") + std::to_string(match.begin) + "-" + std::to_string(match.end);
    }
    return out;
  };
  EXPECT_EQ(all("foo", "foo xfoofoo"), "0-3 5-8 8-11");
  EXPECT_EQ(all("a*", "baac"), "0-0 1-3 4-4");
  EXPECT_EQ(all("o*", "\u00e9o"), "0-0 2-3");
  EXPECT_EQ(all("\\bx", "x xx"), "0-1 2-3");
  EXPECT_EQ(all("zzz", "x"), "");
}

TEST(Scan, OneEventALineWithItsLeftmostMatch) { EXPECT_EQ(Print(Scan("a foo foo\n", "foo", kPlain)), "1:3:a foo foo"); }

TEST(Scan, OverlappingContextsMerge) {
  EXPECT_EQ(Print(Scan("a\nfoo\nb\nfoo\nc\nd\n", "foo", {100, 1, 1000})), "1-a 2:1:foo 3-b 4:1:foo 5-c");
  EXPECT_EQ(Print(Scan("foo\nfoo\n", "foo", {100, 5, 1000})), "1:1:foo 2:1:foo");
}

TEST(T_LS_MPF_01, StopsAfterMaxMatches) {
  EXPECT_EQ(Print(Scan("foo\nfoo\nfoo\n", "foo", {2, 0, 1000})), "1:1:foo 2:1:foo capped");
  EXPECT_EQ(Print(Scan("foo\nfoo\n", "foo", {2, 0, 1000})), "1:1:foo 2:1:foo");
}

// ripgrep prints the third foo here as a match, which is one too many.
TEST(Scan, TrailingContextEndsBeforeTheNextMatch) {
  EXPECT_EQ(Print(Scan("foo\na\nfoo\nb\n", "foo", {1, 3, 1000})), "1:1:foo 2-a capped");
}

TEST(Scan, EventsAreBounded) {
  EXPECT_EQ(Print(Scan("a\nfoo\nb\nfoo\n", "foo", {100, 1, 2})), "1-a 2:1:foo");
  EXPECT_EQ(Print(Scan("a\nfoo\n", "foo", {100, 1, 1})), "1-a");
}

TEST(Scan, AHugeContextIsTheWholeText) {
  EXPECT_EQ(Print(Scan("a\nb\nfoo\nc\n", "foo", {100, UINT64_MAX, 1000})), "1-a 2-b 3:1:foo 4-c");
}

TEST(Scan, ATextWithANulIsBinary) {
  using std::string_view_literals::operator""sv;
  EXPECT_EQ(Print(Scan("foo\nx\0y\n"sv, "foo", kPlain)), " binary");
  EXPECT_EQ(Print(Scan("bar\nx\0y\n"sv, "foo", kPlain)), "");
}

TEST(Scan, ACatastrophicLineIsToldAndTheOthersAreFound) {
  const std::string text = std::string(5000, 'a') + "b\nxaa\n";
  const ScanResult result = Scan(text, "(a|aa)+$", kPlain);
  EXPECT_EQ(result.too_complex_lines, 1U);
  EXPECT_EQ(result.first_too_complex, 1U);
  EXPECT_EQ(Print(result), "2:2:xaa");
}

TEST(T_LS_COL_01, ColumnsCountBytes) {
  EXPECT_EQ(Print(Scan("caf\xC3\xA9\tfoo\n", "foo", kPlain)), "1:7:caf\xC3\xA9\tfoo");
}

// Texts of numbered lines, cut into parts; parts without a match may be left out.
TEST(ScanParts, EqualAWholeScanWhereTheRestMatchesNothing) {
  const std::uint64_t seed = testing::FirstSeed();
  SCOPED_TRACE("seed " + std::to_string(seed));
  testing::Random random(seed);
  const std::vector<std::string> patterns = {"foo", "foo$", "^(foo|bar)", "[0-9]_MASK", "oo\\r?$", "x*", "fo{2}\\s"};
  const std::vector<std::string> pieces = {"foo", "bar", "x1_MASK", "ba", "", "foo\r", "fofoo bar", "\r"};
  for (int round = 0; round < 2000; ++round) {
    const Pattern pattern = Must(random.Pick(patterns));
    const Prefilter filter = Prefilter::For(pattern);
    PatternMatcher matcher(pattern);
    std::string text;
    std::vector<TextPart> parts;
    TextPart part;
    bool matches = false;
    const std::size_t lines = random.Below(30);
    for (std::size_t i = 1; i <= lines; ++i) {
      const std::string line = random.Pick(pieces);
      text += line + (i == lines && random.OneIn(2) ? "" : "\n");
      matches |= !ScanText(line + "\n", Prefilter(), matcher, kPlain, Deadline()).events.empty() ||
                 !ScanText(line, Prefilter(), matcher, kPlain, Deadline()).events.empty();
      if (i < lines && !random.OneIn(3)) continue;
      part.end = text.size();
      if (matches || random.OneIn(3)) parts.push_back(part);
      part = {text.size(), 0, i + 1};
      matches = false;
    }
    const ScanLimits limits{1 + random.Below(8), {random.Below(3), random.Below(3)}, 1 + random.Below(40)};
    EXPECT_EQ(Print(ScanParts(text, parts, filter, matcher, limits, Deadline())),
              Print(ScanText(text, filter, matcher, limits, Deadline())))
        << text;
  }
}

TEST(SeenLines, OnlyThoseAreTried) {
  const Pattern pattern = Must("foo");
  PatternMatcher matcher(pattern);
  const std::string text = "foo\nfoo\nbar\nfoo\n";
  const SeenLine seen[] = {{2, 0, 0}, {3, 0, 0}, {9, 0, 0}};
  EXPECT_EQ(Print(ScanSeenLines(text, seen, matcher, kPlain, Deadline())), "2:1:foo");
}

TEST(SeenLines, AFuzzyPlaceMustLieInItsLine) {
  const std::string text = "abc\r\nfxo\n";
  const SeenLine good[] = {{1, 1, 3}, {2, 5, 3}};
  const auto taken = TakeSeenLines(text, good, kPlain);
  ASSERT_TRUE(taken.has_value());
  EXPECT_EQ(Print(*taken), "1:2:abc 2:1:fxo");
  EXPECT_EQ(taken->events[0].match.size(), 2U);  // not the line's ending
  const SeenLine bad[] = {{1, 6, 1}};
  EXPECT_FALSE(TakeSeenLines(text, bad, kPlain).has_value());
}

TEST(Text, MarksDecideTheEncoding) {
  using std::string_literals::operator""s;
  const struct {
    std::string raw;
    std::string text;
  } cases[] = {
      {"plain\xFF", "plain\xFF"},
      {"\xEF\xBB\xBFx", "x"},
      {"\xFF\xFEh\0i\0"s, "hi"},
      {"\xFE\xFF\0h\0i"s, "hi"},
      {"\xFF\xFE\x3D\xD8\x00\xDE"s, "\U0001F600"},
      {"\xFF\xFE\x00\xD8x\0"s, "\uFFFDx"},
      {"\xFF\xFEh\0i"s, "h\uFFFD"},
      {"\xFF\xFE\0\0h\0\0\0"s, "h"},
      {"\0\0\xFE\xFF\0\0\0h"s, "h"},
      {"\0\0\xFE\xFF\0\x11\0\0"s, "\uFFFD"},
  };
  for (const auto& c : cases) {
    std::string buffer;
    EXPECT_EQ(DecodeText(c.raw, buffer), c.text) << ::testing::PrintToString(c.raw);
  }
}

// The same answer from a few lines of naive code.
std::string Model(const std::vector<std::string>& lines, const std::set<std::size_t>& matching, ScanLimits limits) {
  std::set<std::size_t> shown;
  std::size_t matches = 0;
  std::size_t stop = lines.size();
  for (const std::size_t m : matching) {
    if (matches++ == limits.max_matches) {
      stop = m;
      break;
    }
    const std::size_t context = static_cast<std::size_t>(limits.context.after);
    for (std::size_t i = m - std::min(m, context); i <= m + context; ++i) shown.insert(i);
  }
  std::string out;
  std::size_t count = 0;
  for (const std::size_t i : shown) {
    if (i >= stop || count++ == limits.max_events) break;
    if (!out.empty()) out += " ";
    out += std::to_string(i + 1) + (matching.count(i) != 0 ? ":1:" : "-") + lines[i];
  }
  return out;
}

TEST(ScanProperty, EqualsTheModel) {
  EXPECT_TRUE(rc::check([] {
    const auto lines =
        *rc::gen::container<std::vector<std::string>>(rc::gen::element<std::string>("foo", "", "x", "y"));
    const ScanLimits limits{*rc::gen::inRange<std::uint64_t>(1, 5), *rc::gen::inRange<std::uint64_t>(0, 4),
                            *rc::gen::inRange<std::uint64_t>(1, 30)};
    std::string text;
    std::set<std::size_t> matching;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      text += lines[i] + "\n";
      if (lines[i] == "foo") matching.insert(i);
    }
    ScanResult result = Scan(text, "foo", limits);
    result.capped = false;
    RC_ASSERT(Print(result) == Model(lines, matching, limits));
  }));
}

}  // namespace
}  // namespace forge
