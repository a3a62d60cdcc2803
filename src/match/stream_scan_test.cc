#include "match/stream_scan.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "match/text.h"
#include "tests/testing/seed.h"

namespace forge {
namespace {

Pattern Must(const std::string& text) { return std::move(*Pattern::Compile({.pattern = text})); }

// "2:1:foo@4 3-bar@8\r\n": the line's number, column, text, offset and ending.
void Print(const LineEvent& event, std::string& out) {
  out += std::to_string(event.line_number) + (event.is_match ? ":" + std::to_string(event.match.begin + 1) + ":" : "-");
  out += std::string(event.line) + "@" + std::to_string(event.offset) + std::string(BytesOf(event.ending)) + " ";
}

std::string Totals(const ScanResult& result) {
  return std::to_string(result.matched_lines) + " lines, " + std::to_string(result.matches) + " matches" +
         (result.capped ? ", capped" : "") + (result.binary ? ", binary" : "");
}

std::string Whole(std::string_view text, const Pattern& pattern, const ScanLimits& limits) {
  PatternMatcher matcher(pattern);
  const ScanResult result = ScanText(text, Prefilter::For(pattern), matcher, limits, Deadline());
  std::string out;
  for (const LineEvent& event : result.events) Print(event, out);
  return out + Totals(result);
}

// In pieces of these sizes, again and again.
std::string Streamed(std::string_view text, const Pattern& pattern, const ScanLimits& limits,
                     const std::vector<std::size_t>& sizes) {
  PatternMatcher matcher(pattern);
  const Prefilter prefilter = Prefilter::For(pattern);
  const Deadline deadline;
  std::string out;
  StreamScan scan(prefilter, matcher, limits, deadline, [&](const LineEvent& event) {
    Print(event, out);
    return true;
  });
  for (std::size_t at = 0, i = 0; at < text.size(); at += sizes[i++ % sizes.size()]) {
    if (!scan.Add(text.substr(at, sizes[i % sizes.size()]))) break;
  }
  return out + Totals(scan.Finish());
}

ScanLimits Limits(std::uint64_t matches, Context context = 0) {
  ScanLimits limits{matches, context, UINT64_MAX};
  limits.as_text = true;
  return limits;
}

TEST(StreamScan, LinesThatLieAcrossPieces) {
  const Pattern pattern = Must("foo");
  EXPECT_EQ(Streamed("a\nfoo\r\nb\nxfoo", pattern, Limits(9), {1}), "2:1:foo@2\r\n 4:2:xfoo@9 2 lines, 0 matches");
  EXPECT_EQ(Streamed("a\nfoo\nb\nc\nfoo\n", pattern, Limits(9, Context(1, 0)), {3}),
            "1-a@0\n 2:1:foo@2\n 4-c@8\n 5:1:foo@10\n 2 lines, 0 matches");
}

// An event is out as soon as its line is whole, and so is its context.
TEST(StreamScan, AReaderDoesNotWait) {
  const Pattern pattern = Must("foo");
  const Prefilter prefilter = Prefilter::For(pattern);
  PatternMatcher matcher(pattern);
  const Deadline deadline;
  std::string out;
  StreamScan scan(prefilter, matcher, Limits(1, 1), deadline, [&](const LineEvent& event) {
    Print(event, out);
    return true;
  });
  EXPECT_TRUE(scan.Add("x\nfoo"));
  EXPECT_EQ(out, "");
  EXPECT_TRUE(scan.Add("\n"));
  EXPECT_EQ(out, "1-x@0\n 2:1:foo@2\n ");
  EXPECT_FALSE(scan.Satisfied());
  EXPECT_TRUE(scan.Add("y\n"));
  EXPECT_EQ(out, "1-x@0\n 2:1:foo@2\n 3-y@6\n ");
  EXPECT_TRUE(scan.Satisfied());
}

TEST(StreamScan, ANulEndsTheEvents) {
  const Pattern pattern = Must("foo");
  ScanLimits limits = Limits(9, 1);
  limits.as_text = false;
  const std::string text("foo\na\n\0\nb\nfoo\nc\n", 16);
  for (const std::size_t size : {1U, 2U, 3U, 5U, 100U}) {
    EXPECT_EQ(Streamed(text, pattern, limits, {size}), "1:1:foo@0\n 2-a@4\n 1 lines, 0 matches, binary") << size;
    EXPECT_EQ(Streamed(text.substr(0, 9), pattern, limits, {size}), "1:1:foo@0\n 2-a@4\n 1 lines, 0 matches") << size;
    EXPECT_EQ(Streamed(text.substr(4), pattern, limits, {size}), "0 lines, 0 matches, binary") << size;
    limits.passthru = true;
    EXPECT_EQ(Streamed("a\n" + text.substr(4), pattern, limits, {size}), "1-a@0\n 2-a@2\n 0 lines, 0 matches, binary");
    limits.passthru = false;
  }
}

// What is held does not grow with the text.
TEST(StreamScan, HoldsOnlyWhatMayBecomeContext) {
  const Pattern pattern = Must("foo");
  const Prefilter prefilter = Prefilter::For(pattern);
  PatternMatcher matcher(pattern);
  const Deadline deadline;
  for (const bool passthru : {false, true}) {
    ScanLimits limits = Limits(UINT64_MAX, passthru ? Context(UINT64_MAX) : Context(10));
    limits.passthru = passthru;
    std::uint64_t lines = 0;
    StreamScan scan(prefilter, matcher, limits, deadline, [&](const LineEvent&) { return ++lines > 0; });
    const std::string piece = std::string(1000, '\n') + "foo\n";
    std::size_t most = 0;
    for (int i = 0; i < 1000; ++i) {
      scan.Add(piece);
      most = std::max(most, scan.held());
    }
    scan.Finish();
    EXPECT_EQ(lines, passthru ? 1'001'000U : 21'000U - 10);
    EXPECT_LT(most, 3 * piece.size());
  }
}

TEST(StreamScan, GivesTheEventsOfTheWholeText) {
  EXPECT_TRUE(rc::check([] {
    const auto words = *rc::gen::container<std::vector<std::string>>(
        rc::gen::element<std::string>("foo", "a", "\n", "\n", "\r\n", "foo\n", "\xC3\xA9", "b foo", "\n\n"));
    std::string text;
    for (const std::string& word : words) text += word;
    const Pattern pattern = Must(*rc::gen::element<std::string>("foo", "o", "^$", "fo|b", "x", ".", "a$"));
    ScanLimits limits = Limits(*rc::gen::element<std::uint64_t>(1, 2, 5, UINT64_MAX),
                               Context(*rc::gen::inRange<std::uint64_t>(0, 5), *rc::gen::inRange<std::uint64_t>(0, 5)));
    limits.max_events = *rc::gen::element<std::uint64_t>(1, 3, 10, UINT64_MAX);
    limits.invert = *rc::gen::arbitrary<bool>();
    limits.passthru = *rc::gen::arbitrary<bool>();
    if (limits.passthru) limits.context = UINT64_MAX;
    limits.report = *rc::gen::element(ScanReport::kLines, ScanReport::kCounts, ScanReport::kFirst);
    limits.count_each = *rc::gen::arbitrary<bool>();
    const auto sizes =
        *rc::gen::nonEmpty(rc::gen::container<std::vector<std::size_t>>(rc::gen::inRange<std::size_t>(1, 9)));
    RC_ASSERT(Streamed(text, pattern, limits, sizes) == Whole(text, pattern, limits));
  }));
}

TEST(TextDecoder, GivesTheTextOfTheWholeFile) {
  EXPECT_TRUE(rc::check([] {
    const std::string mark = *rc::gen::element<std::string>(
        "", "\xEF\xBB\xBF", "\xFF\xFE", "\xFE\xFF", std::string("\xFF\xFE\0\0", 4), std::string("\0\0\xFE\xFF", 4));
    const auto bytes = *rc::gen::container<std::string>(
        rc::gen::element<char>('a', '\0', '\n', '\xD8', '\x3D', '\xDE', '\x00', '\xFF', '\xEF', '\xBB'));
    const std::string raw = mark + bytes;
    const auto sizes =
        *rc::gen::nonEmpty(rc::gen::container<std::vector<std::size_t>>(rc::gen::inRange<std::size_t>(1, 7)));
    TextDecoder decoder;
    std::string text;
    std::size_t at = 0;
    for (std::size_t i = 0; at < raw.size(); ++i) {
      const std::string_view piece = std::string_view(raw).substr(at, sizes[i % sizes.size()]);
      at += piece.size();
      text += decoder.Take(piece, false);
    }
    text += decoder.Take("", true);
    std::string buffer;
    RC_ASSERT(text == DecodeText(raw, buffer));
  }));
}

}  // namespace
}  // namespace forge
