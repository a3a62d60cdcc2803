#include "backend/event.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

#include "base/utf8.h"

namespace forge {
namespace {

class NoMatcher final : public LineMatcher {
 public:
  MatchOutcome Match(std::string_view) override { return {}; }
};

LineEvent LineOf(std::string_view text, std::size_t begin, std::size_t end) {
  return {true, 1, text, {begin, end}, 0, LineEnding::kLf};
}

Event EventOf(const LineEvent& line, bool exact, TextRoom& room) {
  NoMatcher matcher;
  Event event;
  EXPECT_TRUE(ToEvent(line, {.exact_bytes = exact}, matcher, Deadline(), room, event));
  return event;
}

// Bytes where characters of several bytes, whole and cut, are common.
rc::Gen<std::string> Bytes() {
  return rc::gen::container<std::string>(rc::gen::element('a', 'b', '\xC3', '\xA9', '\xE2', '\x82', '\xAC', '\xFF'));
}

// FR-LS-ENC-01 for the line and for the match in it, wherever the match begins and ends.
RC_GTEST_PROP(ToEventTest, ShowsLineAndMatchAsIfEachWereConvertedAlone, ()) {
  const std::vector<std::string> texts = *rc::gen::nonEmpty(rc::gen::container<std::vector<std::string>>(Bytes()));
  const bool exact = *rc::gen::arbitrary<bool>();
  std::vector<LineEvent> lines;
  for (const std::string& text : texts) {
    const std::size_t end = *rc::gen::inRange<std::size_t>(0, text.size() + 1);
    lines.push_back(LineOf(text, *rc::gen::inRange<std::size_t>(0, end + 1), end));
  }
  std::vector<Event> events;
  {
    TextRoom room;
    room.Reserve(*rc::gen::inRange<std::size_t>(0, 100));
    for (const LineEvent& line : lines) events.push_back(EventOf(line, exact, room));
  }
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string_view match = lines[i].line.substr(lines[i].match.begin, lines[i].match.size());
    RC_ASSERT(events[i].line.str() == (exact ? texts[i] : LossyUtf8(texts[i])));
    RC_ASSERT(events[i].match_text.str() == (exact ? std::string(match) : LossyUtf8(match)));
    RC_ASSERT(events[i].column == lines[i].match.begin + 1);
  }
}

TEST(ToEventTest, LinesLieSideBySideAndTheMatchInItsLine) {
  const std::vector<LineEvent> lines = {LineOf("first foo", 6, 9), LineOf("second", 0, 6)};
  TextRoom room;
  room.Reserve(lines[0].line.size() + lines[1].line.size());
  const Event first = EventOf(lines[0], false, room);
  const Event second = EventOf(lines[1], false, room);
  EXPECT_EQ(first.match_text.data(), first.line.data() + 6);
  EXPECT_EQ(second.line.data(), first.line.data() + first.line.size());
}

}  // namespace
}  // namespace forge
