#include "agent/listing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>
#include <sstream>

namespace forge::agent {
namespace {

using ::testing::HasSubstr;

Event Match(const std::string& path, std::uint64_t line, const std::string& text = "x") {
  return {Event::Type::kMatch, path, line, 1, text, "x"};
}
Event Context(const std::string& path, std::uint64_t line, const std::string& text = "c") {
  return {Event::Type::kContext, path, line, 0, text, ""};
}

TEST(ListMatches, ShowsLinesThenNumbersThenACount) {
  EXPECT_EQ(ListMatches({Match("a.c", 2), Context("a.c", 3), Match("a.c", 9), Match("b.c", 1)},
                        {.room = 1000, .before = 0, .after = 1})
                .text,
            "a.c\n2:x\n3-c\n--\n9:x\n\nb.c\n1:x\n");
  std::vector<Event> events;
  for (std::uint64_t i = 1; i <= 60; ++i)
    events.push_back(Match("f" + std::to_string((i - 1) / 4), i, std::string(30, 'y') + std::to_string(i)));
  const Listing listing = ListMatches(events, {.room = 400});
  EXPECT_LE(listing.text.size(), 400U);
  EXPECT_GT(listing.with_text, 3U);
  EXPECT_GT(listing.by_number, 3U);
  EXPECT_EQ(listing.with_text + listing.by_number + listing.counted, 60U);
  EXPECT_THAT(listing.text, HasSubstr("\nFurther matches, by line number:\nf1:"));
  EXPECT_THAT(listing.text, HasSubstr(" more matches in "));
}

// A model that looks for a name would ask for that line next.
TEST(ListMatches, ADefinitionAmongTheNumbersHasItsText) {
  std::vector<Event> events;
  for (std::uint64_t i = 1; i <= 30; ++i) events.push_back(Match("a.c", i, "  use of x: " + std::to_string(i)));
  events.push_back({Event::Type::kMatch, "b.c", 5, 7, "class x {", "x"});
  events.push_back(Match("b.c", 9, "  use of x"));
  events.push_back({Event::Type::kMatch, "c.c", 3, 7, "struct x {", "x"});
  const Listing listing = ListMatches(events, {.room = 500});
  EXPECT_THAT(listing.text, HasSubstr("\nb.c:9\nb.c:5:class x {\nc.c:3:struct x {\n"));
  EXPECT_EQ(listing.with_text + listing.by_number, 33U);
}

// Models would read the same text again.
TEST(ListMatches, EqualLinesOfAFileThatFollowEachOtherAreOne) {
  EXPECT_EQ(ListMatches({Match("a.c", 2), Match("a.c", 7), Match("a.c", 9, "y"), Match("a.c", 12), Match("b.c", 1)},
                        {.room = 1000})
                .text,
            "a.c\n2, 7:x\n9:y\n12:x\n\nb.c\n1:x\n");
  EXPECT_EQ(ListMatches({Match("a.c", 2, "  x"), Match("a.c", 7, "    x")}, {.room = 1000}).text,
            "a.c\n2:  x\n7:    x\n");
  // Not where each has more to say.
  EXPECT_EQ(ListMatches({Match("a.c", 2), Match("a.c", 7)}, {.room = 1000, .columns = true}).text,
            "a.c\n2:1:x\n7:1:x\n");
  EXPECT_EQ(ListMatches({Match("a.c", 2), Context("a.c", 3), Match("a.c", 4)}, {.room = 1000, .after = 1}).text,
            "a.c\n2:x\n3-c\n4:x\n");
}

TEST(ListMatches, EqualLinesCountAsMatchesThatAreShown) {
  std::vector<Event> events;
  for (std::uint64_t i = 1; i <= 1000; ++i) events.push_back(Match("a.c", i));
  const Listing listing = ListMatches(events, {.room = 400});
  EXPECT_LE(listing.text.size(), 400U);
  EXPECT_GT(listing.with_text, 20U);
  EXPECT_EQ(listing.with_text + listing.by_number + listing.counted, 1000U);
  const std::string last = std::to_string(listing.with_text);
  EXPECT_THAT(listing.text, HasSubstr(", " + last + ":x\n\nFurther"));
}

TEST(ListMatches, ALaterPageIsForReading) {
  std::vector<Event> events;
  for (std::uint64_t i = 1; i <= 500; ++i) events.push_back(Match("a.c", i, "text " + std::to_string(i)));
  const Listing first = ListMatches(events, {.room = 2000});
  const Listing later = ListMatches(events, {.room = 2000, .is_later_page = true});
  EXPECT_GT(later.with_text * 2, first.with_text * 3);
  EXPECT_LE(later.text.size(), 2000U);
  EXPECT_EQ(later.with_text + later.by_number + later.counted, 500U);
}

// A model may copy a line of a short answer; a long one is skimmed.
TEST(ListMatches, IndentationIsOneSpaceAfterTheFirstLines) {
  std::vector<Event> events;
  for (std::uint64_t i = 1; i <= 12; ++i) {
    events.push_back(Match("a.c", i, "\t    x" + std::to_string(i)));
    events.back().column = 6;
  }
  events.push_back(Match("a.c", 13, "x13"));
  const std::string text = ListMatches(events, {.room = 8000}).text;
  EXPECT_THAT(text, HasSubstr("10:\t    x10\n11: x11\n12: x12\n13:x13\n"));
  events.insert(events.begin(), Context("a.c", 0));
  EXPECT_THAT(ListMatches(events, {.room = 8000, .before = 1}).text, HasSubstr("12:\t    x12\n"));
}

// The room of a line is for its text.
TEST(ListMatches, DeepLinesOfALongListKeepTheirBeginning) {
  std::vector<Event> events;
  for (std::uint64_t i = 1; i <= 200; ++i) {
    const std::string text = "call(" + std::to_string(i) + ", needle, and, more, words, that, are, there);";
    events.push_back(Match("a.c", i, std::string(40, ' ') + text));
    events.back().column = 40 + text.find("needle") + 1;
  }
  EXPECT_THAT(ListMatches(events, {.room = 8000}).text, HasSubstr("\n60: call(60, needle, and, more, "));
}

TEST(ListMatches, HasColumnsIfAsked) {
  EXPECT_EQ(ListMatches({Match("a.c", 2)}, {.room = 1000, .columns = true}).text, "a.c\n2:1:x\n");
}

TEST(ListMatches, AMatchIsMoreThanItsContext) {
  std::vector<Event> events;
  for (std::uint64_t i = 1; i <= 100; ++i) events.push_back(Context("a.c", i, std::string(50, 'c')));
  events.push_back(Match("a.c", 101, "needle"));
  const Listing listing = ListMatches(events, {.room = 1000, .before = 100});
  EXPECT_EQ(listing.with_text, 1U);
  EXPECT_THAT(listing.text, HasSubstr("100-ccc"));
  EXPECT_THAT(listing.text, HasSubstr("101:needle"));
}

TEST(ListMatches, ThereIsAlwaysOneLineSoThatPagesGoOn) {
  EXPECT_EQ(ListMatches({Match(std::string(300, 'p'), 1), Match("q", 1)}, {.room = 100}).with_text, 1U);
  std::string out;
  EXPECT_EQ(ListLines({std::string(300, 'p'), "q"}, 100, out), 1U);
}

// Everything that a text shows: paths, places of matches, lines.
std::set<std::string> Shown(const std::string& text) {
  std::set<std::string> shown;
  std::string path;
  const auto add_places = [&](const std::string& numbers) {
    std::istringstream words(numbers);
    for (std::string number; words >> number;) shown.insert(path + "@" + std::to_string(std::stoi(number)));
  };
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line == "--" || line.starts_with("and ") || line.starts_with("Further")) continue;
    const std::size_t end = line.find_first_of(":-");
    if (end == std::string::npos) {
      path = line;
    } else if (line.starts_with('f')) {  // f3:12 14, or f3:12:class x
      path = line.substr(0, end);
      add_places(line.substr(end + 1, line.find(':', end + 1) - end - 1));
    } else {  // 12, 14:text
      std::istringstream numbers(line.substr(0, end));
      for (int number = 0; numbers >> number; numbers.ignore(1, ','))
        shown.insert(path + "=" + std::to_string(number) + line.substr(end));
      if (line[end] == ':') add_places(line.substr(0, end));
    }
    shown.insert(path);
  }
  return shown;
}

// To raise max_results never hides what was shown before.
RC_GTEST_PROP(ListMatches, ALongerPageShowsAllThatAShorterOneDoes, ()) {
  const auto room = *rc::gen::inRange<std::size_t>(100, 3000);
  const auto after = *rc::gen::inRange<std::uint64_t>(0, 3);
  const auto files = *rc::gen::inRange(1, 30);
  std::vector<Event> events;
  std::vector<std::size_t> ends;  // behind each match and its trailing context
  for (int f = 0; f < files; ++f) {
    std::uint64_t line = 0;
    const auto matches = *rc::gen::inRange(1, 12);
    for (int m = 0; m < matches; ++m) {
      line += *rc::gen::inRange<std::uint64_t>(1, 9);
      const auto width = *rc::gen::inRange<std::size_t>(1, 500);
      const bool defines = *rc::gen::arbitrary<bool>();
      events.push_back(Match("f" + std::to_string(f), line, (defines ? "class " : "") + std::string(width, 'y')));
      if (defines) events.back().column = 7;
      for (std::uint64_t i = 0; i < after; ++i) events.push_back(Context("f" + std::to_string(f), ++line));
      ends.push_back(events.size());
    }
  }
  std::set<std::string> before;
  for (const std::size_t end : ends) {
    const Listing listing = ListMatches({events.begin(), events.begin() + static_cast<std::ptrdiff_t>(end)},
                                        {.room = room, .after = after});
    const std::set<std::string> now = Shown(listing.text);
    for (const std::string& item : before) RC_ASSERT(now.contains(item));
    before = now;
  }
}

}  // namespace
}  // namespace forge::agent
