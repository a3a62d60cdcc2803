// `live` in a real terminal.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/acceptance/answer.h"
#include "tests/testing/terminal.h"

namespace forge::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

struct Live : ::testing::Test {
  Live() {
    tree.Write("src/a.c", "first line\nint needle = 1;\nint Needle = 2;\nneedles\nlast line\n");
    tree.Write("src/b.h", "a[needle]++;\n");
    tree.Write("docs/long.txt", Repeat(300, "filler\n") + "the needle is here\n" + Repeat(300, "more\n"));
  }

  Command Run(std::vector<std::string> args) const {
    args.insert(args.begin(), "live");
    Command command = ForgeSearch(std::move(args));
    command.cwd = tree.root();
    command.env["EDITOR"] = "printf '%s\\n' >edited";
    return command;
  }

  TempTree tree;
};

TEST_F(Live, ResultsComeAsYouType) {
  const Terminal terminal(Run({}), 80, 24);
  ASSERT_TRUE(terminal.Shows("type to search")) << terminal.Screen();
  terminal.Type("needle");
  EXPECT_TRUE(terminal.Shows("5 lines in 3 files")) << terminal.Screen();
  EXPECT_TRUE(terminal.Shows("302 more")) << "the file at the match, beside the list: " << terminal.Screen();
  terminal.Press("M-c");  // respect case
  EXPECT_TRUE(terminal.Shows("4 lines in 3 files")) << terminal.Screen();
  terminal.Press("M-w");
  EXPECT_TRUE(terminal.Shows("[Case] [word] 3 lines in 3 files")) << terminal.Screen();
  terminal.Press("Tab");
  terminal.Type("*.h");
  EXPECT_TRUE(terminal.Shows("1 line in 1 file")) << terminal.Screen();
  EXPECT_THAT(terminal.Screen(), Not(HasSubstr("a.c")));
  terminal.Press("Tab");
  terminal.Press("C-u");
  terminal.Type("a[");
  EXPECT_TRUE(terminal.Shows("missing terminating ]")) << terminal.Screen();
  terminal.Press("M-w");
  terminal.Press("M-f");  // plain text
  EXPECT_TRUE(terminal.Shows("[literal] 1 line in 1 file")) << terminal.Screen();
  terminal.Press("M-f");
  terminal.Press("C-u");
  terminal.Type("nedle");
  EXPECT_TRUE(terminal.Shows("nothing found")) << terminal.Screen();
  terminal.Press("M-z");
  EXPECT_TRUE(terminal.Shows("[fuzzy 1] 1 line in 1 file")) << terminal.Screen();
  terminal.Press("C-c");
  EXPECT_TRUE(terminal.Shows("ended 0")) << terminal.Screen();
}

TEST_F(Live, EnterOpensTheEditorAtTheLine) {
  const Terminal terminal(Run({"needle", "src"}), 80, 24);
  ASSERT_TRUE(terminal.Shows("4 lines in 2 files")) << terminal.Screen();
  terminal.Press("Down");
  terminal.Press("Enter");
  ASSERT_TRUE(terminal.Becomes([&](const std::string&) { return !tree.Read("edited").empty(); }));
  EXPECT_EQ(tree.Read("edited"), "+3\nsrc/a.c\n");
  EXPECT_TRUE(terminal.Shows("4 lines in 2 files")) << "the screen is back: " << terminal.Screen();
  terminal.Press("Escape");
  EXPECT_TRUE(terminal.Shows("ended 0")) << terminal.Screen();
}

TEST_F(Live, AChangedFileIsSeen) {
  const Terminal terminal(Run({"needle", "src"}), 80, 24);
  ASSERT_TRUE(terminal.Shows("4 lines in 2 files")) << terminal.Screen();
  tree.Write("src/c.h", "needle\n");
  terminal.Press("BSpace");
  terminal.Type("e");
  EXPECT_TRUE(terminal.Shows("5 lines in 3 files")) << terminal.Screen();
}

TEST_F(Live, FitsInFortyColumnsAndFollowsTheSize) {
  const Terminal terminal(Run({"needle"}), 40, 20);
  ASSERT_TRUE(terminal.Shows("5 lines in 3 files")) << terminal.Screen();
  EXPECT_TRUE(terminal.Shows("Enter open  Tab globs  F1 keys  ^C quit")) << terminal.Screen();
  EXPECT_TRUE(terminal.Shows("────")) << "the file is below the list: " << terminal.Screen();
  terminal.Resize(100, 30);
  EXPECT_TRUE(terminal.Shows("│")) << "and now beside it: " << terminal.Screen();
  terminal.Press("F1");
  EXPECT_TRUE(terminal.Shows("open the editor at the line")) << terminal.Screen();
}

TEST_F(Live, WhatIsPastedIsTheFirstLine) {
  const Terminal terminal(Run({}), 80, 24);
  ASSERT_TRUE(terminal.Shows("type to search")) << terminal.Screen();
  terminal.Paste("int needle\nint Needle\n");
  EXPECT_TRUE(terminal.Shows("2 lines in 1 file")) << terminal.Screen();
  EXPECT_EQ(tree.Read("edited"), "");
}

TEST_F(Live, TheShortNameAloneIsLive) {
  Command command = Run({});
  tree.Link(command.argv.front(), "frg");
  command.argv = {tree.Path("frg")};
  const Terminal terminal(command, 80, 24);
  EXPECT_TRUE(terminal.Shows("type to search")) << terminal.Screen();
}

TEST_F(Live, NeedsATerminal) {
  const Ended ended = RunProgram(Run({}));
  EXPECT_EQ(ended.exit_code, 2);
  EXPECT_THAT(ended.err, HasSubstr("live needs a terminal"));
}

// A search that takes more than a second: each line holds everything that a match needs,
// but in the wrong order.
TEST_F(Live, ALongSearchSaysHowFarItIs) {
  for (int i = 0; i < 4; ++i) tree.Write("slow" + std::to_string(i), Repeat(3, "9" + Repeat(900, "ax") + "\n"));
  Command command = Run({});
  command.argv = ForgeSearch({"search", "([a-z]+[a-z]+)+[0-9]", "-j1"}).argv;
  const Terminal terminal(command, 40, 10);
  EXPECT_TRUE(terminal.Shows(" searched, ")) << terminal.Screen();
  EXPECT_TRUE(terminal.Shows("ended 2")) << terminal.Screen();
  EXPECT_THAT(terminal.Screen(), Not(HasSubstr(" searched, "))) << "it is gone at the end";
}

}  // namespace
}  // namespace forge::testing
