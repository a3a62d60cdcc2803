#include "mcp/line_splitter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace forge::mcp {
namespace {

using ::testing::ElementsAre;
using Lines = std::vector<std::string>;

// The lines that the pieces give, in order; "TOO LONG" where that is reported.
Lines Split(const std::vector<std::string_view>& pieces, std::size_t limit = 8) {
  Lines lines;
  LineSplitter splitter({.line = [&](std::string_view line) { lines.emplace_back(line); },
                         .too_long = [&] { lines.emplace_back("TOO LONG"); }},
                        limit);
  for (const std::string_view piece : pieces) splitter.Feed(piece);
  splitter.Finish();
  return lines;
}

TEST(LineSplitter, SplitsAtLineFeedsWhereverThePiecesEnd) {
  const std::string_view text = "\xEF\xBB\xBF{1}\r\n\n \t\r\n{2}\n{3}";
  EXPECT_THAT(Split({text}), ElementsAre("{1}", "{2}", "{3}"));
  std::vector<std::string_view> bytes;
  for (std::size_t i = 0; i < text.size(); ++i) bytes.push_back(text.substr(i, 1));
  EXPECT_THAT(Split(bytes), ElementsAre("{1}", "{2}", "{3}"));
}

TEST(LineSplitter, AMarkIsPassedOverOnlyAtTheStart) {
  EXPECT_THAT(Split({"a\n\xEF\xBB\xBF"
                     "b\n"}),
              ElementsAre("a",
                          "\xEF\xBB\xBF"
                          "b"));
}

TEST(LineSplitter, ALineOverTheLimitIsReportedOnceAndSkipped) {
  EXPECT_THAT(Split({"12345678\n123456789\nok"}), ElementsAre("12345678", "TOO LONG", "ok"));
  EXPECT_THAT(Split({"1234567", "89", "0123456789", "0123456789\n", "ok\n"}), ElementsAre("TOO LONG", "ok"));
  EXPECT_THAT(Split({"123456789"}), ElementsAre("TOO LONG"));
}

}  // namespace
}  // namespace forge::mcp
