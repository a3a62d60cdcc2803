#include "live/model.h"

#include <gtest/gtest.h>

#include "live/view.h"

namespace forge::live {
namespace {

using Type = Key::Type;

Model Typed(const std::string& pattern, Size size = {80, 12}) {
  SearchRequest request;
  request.pattern = pattern;
  return {Query::Of(request), size};
}

Match At(const std::string& path, std::uint64_t line, const std::string& text = "a needle here") {
  return {path, 0, line, 3, text, {{2, 8}}};
}

std::vector<Match> Lines(std::size_t count) {
  std::vector<Match> out;
  for (std::size_t i = 1; i <= count; ++i) out.push_back(At("a.c", i));
  return out;
}

Model WithResults(std::vector<Match> matches, Size size = {80, 12}) {
  Model model = Typed("needle", size);
  model.BeginSearch();
  model.AddMatches(std::move(matches));
  model.EndSearch({.elapsed = std::chrono::milliseconds(7)});
  return model;
}

std::string Screen(const Model& model) {
  const Grid grid = Draw(model);
  std::string out;
  for (std::size_t row = 0; row < grid.size().rows; ++row) out += grid.Text(row) + "\n";
  return out;
}

TEST(LiveModel, EachLetterSearches) {
  Model model = Typed("");
  EXPECT_EQ(model.Take({Type::kCharacter, 'x'}), Action::kSearch);
  EXPECT_EQ(model.Take({Type::kLeft}), Action::kNone);
  EXPECT_EQ(model.Take({Type::kCharacter, U'é'}), Action::kSearch);
  EXPECT_EQ(model.query().pattern.text(), "éx");
  EXPECT_EQ(model.Take({Type::kControl, 'u'}), Action::kSearch);
  EXPECT_EQ(model.query().pattern.text(), "x");
}

// What is pasted may be a whole file.
TEST(LiveModel, AVeryLongPatternIsDrawnAtOnce) {
  const std::string screen = Screen(Typed(std::string(1'000'000, 'x') + "end"));
  EXPECT_EQ(screen.substr(0, screen.find('\n')), "> " + std::string(74, 'x') + "end");
}

TEST(LiveModel, AMatchBehindTabsIsVisible) {
  std::string text;
  for (int i = 0; i < 200; ++i) text += "abc\t";
  const std::size_t begin = text.size();
  const std::string screen = Screen(WithResults({{"a.c", 0, 1, 1, text + "needle", {{begin, begin + 6}}}}));
  EXPECT_NE(screen.find("needle", screen.find('\n')), std::string::npos) << screen;
}

TEST(LiveModel, KeysChangeHowThePatternIsMeant) {
  Model model = Typed("x");
  const auto request = [&] { return model.query().Over({}); };
  EXPECT_EQ(request().case_mode, CaseMode::kSmart);
  EXPECT_EQ(model.Take({Type::kAlt, 'c'}), Action::kSearch);
  EXPECT_EQ(request().case_mode, CaseMode::kSensitive);
  model.Take({Type::kFunction, 2});
  EXPECT_EQ(request().case_mode, CaseMode::kInsensitive);
  model.Take({Type::kAlt, 'w'});
  model.Take({Type::kAlt, 'f'});
  model.Take({Type::kAlt, 'z'});
  EXPECT_TRUE(request().word_regexp);
  EXPECT_TRUE(request().fixed_strings);
  EXPECT_EQ(request().fuzzy, 1);
  model.Take({Type::kAlt, 'z'});
  EXPECT_EQ(request().fuzzy, 2);
  model.Take({Type::kFunction, 5});
  EXPECT_EQ(request().fuzzy, std::nullopt);
}

TEST(LiveModel, TabTakesGlobs) {
  Model model = Typed("x");
  EXPECT_EQ(model.Take({Type::kTab}), Action::kNone);
  for (const char c : std::string("*.h !old/")) model.Take({Type::kCharacter, static_cast<char32_t>(c)});
  EXPECT_EQ(model.query().Over({}).include_glob, std::vector<std::string>{"*.h"});
  EXPECT_EQ(model.query().Over({}).exclude_glob, std::vector<std::string>{"old/"});
  EXPECT_EQ(model.query().pattern.text(), "x");
  EXPECT_EQ(model.Take({Type::kEscape}), Action::kNone) << "back to the pattern";
  EXPECT_EQ(model.Take({Type::kEscape}), Action::kQuit);
}

TEST(LiveModel, OptionsOfTheCommandLineAreWhereItStarts) {
  SearchRequest request;
  request.pattern = "x";
  request.include_glob = {"*.h"};
  request.exclude_glob = {"old/"};
  request.fixed_strings = true;
  request.hidden = true;
  const SearchRequest again = Query::Of(request).Over(request);
  EXPECT_EQ(again.include_glob, request.include_glob);
  EXPECT_EQ(again.exclude_glob, request.exclude_glob);
  EXPECT_TRUE(again.fixed_strings);
  EXPECT_TRUE(again.hidden);
}

TEST(LiveModel, WhatIsPastedNeverOpensAnEditor) {
  Model model = WithResults({At("a.c", 1)});
  model.Take({Type::kControl, 'u'});
  EXPECT_EQ(model.Take({Type::kPasteBegins}), Action::kNone);
  EXPECT_EQ(model.Take({Type::kCharacter, 'a'}), Action::kNone);
  EXPECT_EQ(model.Take({Type::kEnter}), Action::kNone);
  EXPECT_EQ(model.Take({Type::kCharacter, 'b'}), Action::kNone);
  EXPECT_EQ(model.Take({Type::kPasteEnds}), Action::kSearch);
  EXPECT_EQ(model.query().pattern.text(), "a") << "a match never spans lines, so only the first one counts";
  EXPECT_EQ(model.Take({Type::kEnter}), Action::kOpen);
}

TEST(LiveModel, EnterOpensOnlyWhatIsThere) {
  Model model = Typed("x");
  EXPECT_EQ(model.Take({Type::kEnter}), Action::kNone);
}

TEST(LiveModel, OldFindingsStayUntilNewOnesAreThere) {
  Model model = WithResults({At("old.c", 1)});
  model.BeginSearch();
  ASSERT_NE(model.chosen(), nullptr);
  EXPECT_EQ(model.chosen()->path, "old.c");
  model.AddMatches({At("new.c", 2)});
  EXPECT_EQ(model.chosen()->path, "new.c");
  model.BeginSearch();
  model.EndSearch({});
  EXPECT_EQ(model.chosen(), nullptr) << "an end without a match";
}

TEST(LiveModel, AnEmptyPatternShowsNothing) {
  Model model = WithResults({At("a.c", 1)});
  for (int i = 0; i < 6; ++i) model.Take({Type::kBackspace});
  model.BeginSearch();
  EXPECT_FALSE(model.searching());
  EXPECT_EQ(model.chosen(), nullptr);
}

TEST(LiveModel, ArrowsChooseAndScroll) {
  Model model = WithResults(Lines(100));
  EXPECT_EQ(model.Take({Type::kUp}), Action::kNone) << "already the first";
  EXPECT_EQ(model.Take({Type::kDown}), Action::kPreview);
  EXPECT_EQ(model.chosen()->line, 2U);
  model.Take({Type::kPageDown});
  model.Take({Type::kControl, 'n'});
  EXPECT_EQ(model.chosen()->line, 11U);
  EXPECT_GE(model.chosen_row(), model.top());
  EXPECT_LT(model.chosen_row(), model.top() + model.layout().list.rows);
  for (int i = 0; i < 20; ++i) model.Take({Type::kPageUp});
  EXPECT_EQ(model.chosen()->line, 1U);
  EXPECT_EQ(model.top(), 0U) << "the name of the file is visible again";
}

TEST(LiveModel, AfterTheEditorTheSameMatchIsChosen) {
  Model model = WithResults(Lines(10));
  for (int i = 0; i < 4; ++i) model.Take({Type::kDown});
  model.BeginSearch(/*keep_choice=*/true);
  model.AddMatches(Lines(2));
  EXPECT_EQ(model.chosen()->line, 2U) << "as far as they have come";
  model.AddMatches({At("a.c", 3), At("a.c", 4), At("a.c", 5), At("a.c", 6)});
  EXPECT_EQ(model.chosen()->line, 5U);
}

TEST(LiveView, EightyColumns) {
  Model model = WithResults({At("src/a.c", 12), At("src/a.c", 40, "\tneedle"), At("b.c", 7)});
  model.ShowPreview({At("src/a.c", 11, "before"), At("src/a.c", 12), At("src/a.c", 13, "after")}, 12);
  EXPECT_EQ(Screen(model),
            "> needle\n"
            "[smart] 3 lines in 2 files, 7 ms\n"
            "src/a.c                                │11 before\n"
            "  12: a needle here                    │12 a needle here\n"
            "  40: needle                           │13 after\n"
            "b.c                                    │\n"
            "  7: a needle here                     │\n"
            "                                       │\n"
            "                                       │\n"
            "                                       │\n"
            "                                       │\n"
            "Enter open  Tab globs  Alt: c case  w word  f literal  z fuzzy  F1 keys  ^C quit\n");
}

TEST(LiveView, FortyColumns) {
  Model model = WithResults({At("a/path/that/is/longer/than/forty/columns.c", 12)}, {40, 12});
  model.ShowPreview({At("x", 11, "before"), At("x", 12)}, 12);
  EXPECT_EQ(Screen(model),
            "> needle\n"
            "[smart] 1 line in 1 file, 7 ms\n"
            "…ath/that/is/longer/than/forty/columns.c\n"
            "  12: a needle here\n"
            "\n"
            "\n"
            "────────────────────────────────────────\n"
            "11 before\n"
            "12 a needle here\n"
            "\n"
            "\n"
            "Enter open  Tab globs  F1 keys  ^C quit\n");
}

TEST(LiveView, EverySizeIsDrawn) {
  for (std::size_t columns = 1; columns < 100; columns += 3) {
    for (std::size_t rows = 1; rows < 30; ++rows) {
      Model model = WithResults(Lines(50), {columns, rows});
      model.ShowPreview(Lines(50), 20);
      model.SetNote("a note");
      model.Take({Type::kTab});
      model.Take({Type::kPageDown});
      EXPECT_EQ(Draw(model).size(), (Size{columns, rows}));
      model.Take({Type::kFunction, 1});
      EXPECT_EQ(Draw(model).size(), (Size{columns, rows}));
    }
  }
}

TEST(LiveView, AMatchFarToTheRightIsVisible) {
  const std::string text = std::string(300, 'x') + "needle";
  Model model = WithResults({{"a.c", 0, 1, 301, text, {{300, 306}}}});
  EXPECT_NE(Draw(model).Text(3).find("xneedle"), std::string::npos) << Draw(model).Text(3);
}

TEST(LiveView, NothingOfAFileDrivesTheTerminal) {
  Model model = WithResults({At("na\033[2Jme", 1, "\033]0;title\007 needle \xff\x80")});
  const std::string screen = Screen(model);
  EXPECT_EQ(screen.find('\033'), std::string::npos);
  EXPECT_EQ(screen.find('\007'), std::string::npos);
}

TEST(LiveView, SaysWhatIsWrongAndWhatIsMissing) {
  Model model = Typed("(");
  model.BeginSearch();
  model.EndSearch({.error = "missing closing parenthesis"});
  EXPECT_EQ(Draw(model).Text(1), "[smart] missing closing parenthesis");
  model.BeginSearch();
  model.AddMatches({At("a.c", 1)});
  model.EndSearch({.more = true, .notes = {"2 binary files not shown", "1 path never read"}});
  EXPECT_EQ(Draw(model).Text(1), "[smart] the first 1 in 1 file, 0 ms");
  EXPECT_EQ(Draw(model).Text(10), "2 binary files not shown (and 1 more)");
}

TEST(LiveView, TheCursorStaysVisible) {
  Model model = Typed(std::string(200, 'x') + "end");
  const Grid grid = Draw(model);
  EXPECT_LT(grid.cursor.column, 80U);
  EXPECT_TRUE(grid.Text(0).ends_with("end"));
}

}  // namespace
}  // namespace forge::live
