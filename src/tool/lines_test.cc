#include "tool/lines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace forge::tool {
namespace {

using ::testing::HasSubstr;

Event LineOfMatches(std::size_t count) {
  Event event{Event::Type::kMatch, "a", 1, 1, std::string(count, 'x'), "x", 0, LineEnding::kLf, {}};
  for (std::size_t i = 0; i < count; ++i) event.places.Add(i, i + 1);
  return event;
}

TEST(JsonLinesText, IsWrittenInPiecesAndCounted) {
  const Event event = LineOfMatches(50'000);
  std::string whole;
  JsonLines().OnEvent(event, whole);
  std::string all;
  std::string rest;
  std::size_t pieces = 0;
  JsonLines lines;
  lines.OnEvent(event, rest, [&](std::string& text) {
    all += text;
    text.clear();
    ++pieces;
    return true;
  });
  all += rest;
  EXPECT_EQ(all, whole);
  EXPECT_GT(pieces, 10U);
  std::string end;
  lines.OnFile({"a", 1, 50'000, 0}, end);
  EXPECT_THAT(end, HasSubstr("\"bytes_printed\":" + std::to_string(whole.size()) + ","));
}

TEST(JsonLinesText, HoldsAnyBytes) {
  Event event{Event::Type::kMatch, "a", 1, 1, "\"\\\x01\xFFz", "", 0, LineEnding::kNone, {}};
  for (std::uint64_t i = 0; i < 5; ++i) event.places.Add(i, i + 1);
  std::string out;
  JsonLines().OnEvent(event, out);
  EXPECT_THAT(out, HasSubstr(R"("submatches":[{"match":{"text":"\""},"start":0,"end":1},)"
                             R"({"match":{"text":"\\"},"start":1,"end":2},)"
                             R"({"match":{"text":"\u0001"},"start":2,"end":3},)"
                             R"({"match":{"bytes":"/w=="},"start":3,"end":4},)"
                             R"({"match":{"text":"z"},"start":4,"end":5}]}})"
                             "\n"));
}

}  // namespace
}  // namespace forge::tool
