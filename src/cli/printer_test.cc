#include "cli/printer.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace forge::cli {
namespace {

Event LineOfMatches(std::size_t count) {
  Event event{Event::Type::kMatch, "a.txt", 1, 1, std::string(count, 'a'), "a", 0, LineEnding::kLf, {}};
  for (std::size_t i = 0; i < count; ++i) event.places.Add(i, i + 1);
  return event;
}

struct Spilled {
  std::string all;
  std::size_t most = 0;
};

Spilled Print(const Style& style, const Event& event) {
  Spilled spilled;
  const Spill spill = [&](std::string& text) {
    spilled.most = std::max(spilled.most, text.size());
    spilled.all += text;
    text.clear();
    return true;
  };
  std::string rest;
  Printer(style).OnEvent(event, rest, spill);
  spilled.most = std::max(spilled.most, rest.size());
  spilled.all += rest;
  return spilled;
}

// However many matches a line has, little of the output is held.
TEST(PrinterTest, OfManyMatchesLeavesInPieces) {
  constexpr std::size_t kMatches = 300'000;
  Event event = LineOfMatches(kMatches);
  Style style{.only_matching = true};
  const Spilled only = Print(style, event);
  EXPECT_EQ(only.all.size(), kMatches * std::string_view("a.txt:1:a\n").size());
  EXPECT_LT(only.most, 2 * kLongText);
  event.places = {};
  for (std::size_t i = 0; i < kMatches; i += 2) event.places.Add(i, i + 1);
  style = {.color = true};
  const Spilled colored = Print(style, event);
  EXPECT_GT(colored.all.size(), kMatches);
  EXPECT_LT(colored.most, 2 * kLongText);
  std::string whole;
  Printer(style).OnEvent(event, whole);
  EXPECT_EQ(colored.all, whole);
}

TEST(PrinterTest, StopsWhenNobodyReads) {
  std::string rest;
  std::size_t pieces = 0;
  Printer({.only_matching = true}).OnEvent(LineOfMatches(300'000), rest, [&](std::string& text) {
    text.clear();
    ++pieces;
    return false;
  });
  EXPECT_EQ(pieces, 1U);
}

TEST(PrinterTest, ANameThatIsNotUtf8CanBeOpened) {
  const auto name = [](const Style& style, const std::string& path) {
    std::string out;
    Printer(style).OnFile(path, std::nullopt, out);
    return out;
  };
  EXPECT_EQ(name({}, "caf\xE9.txt"), "caf\xE9.txt\n");
  EXPECT_EQ(name({.terminal = true}, "caf\xE9.txt"), "caf\xEF\xBF\xBD.txt\n");
  EXPECT_EQ(name({}, "a\nb"), "a\\nb\n") << "a name is on one line";
  EXPECT_EQ(name({.null = true}, std::string("a\nb")), std::string("a\nb\0", 4));
}

}  // namespace
}  // namespace forge::cli
