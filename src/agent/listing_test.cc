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
    events.push_back(Match("f" + std::to_string((i - 1) / 4), i, std::string(30, 'y')));
  const Listing listing = ListMatches(events, {.room = 400});
  EXPECT_LE(listing.text.size(), 400U);
  EXPECT_GT(listing.with_text, 3U);
  EXPECT_GT(listing.by_number, 3U);
  EXPECT_EQ(listing.with_text + listing.by_number + listing.counted, 60U);
  EXPECT_THAT(listing.text, HasSubstr("f1: lines "));
  EXPECT_THAT(listing.text, HasSubstr(" more matches in "));
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
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line == "--" || line.starts_with("and ")) continue;
    const std::size_t list = line.find(": line");
    if (list != std::string::npos) {
      path = line.substr(0, list);
      std::istringstream numbers(line.substr(line.find(' ', list + 2)));
      for (std::string number; std::getline(numbers, number, ',');)
        shown.insert(path + "@" + std::to_string(std::stoi(number)));
    } else if (line.find_first_of(":-") == std::string::npos) {
      path = line;
    } else {
      shown.insert(path + "=" + line);
      if (line.find(':') < line.find('-')) shown.insert(path + "@" + std::to_string(std::stoi(line)));
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
      events.push_back(Match("f" + std::to_string(f), line, std::string(width, 'y')));
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
