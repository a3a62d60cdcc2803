// The completions in real shells, in a fresh home, by the lines of docs/guide.md.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/acceptance/answer.h"
#include "tests/testing/places.h"
#include "tests/testing/terminal.h"

namespace forge::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

struct Completions : ::testing::Test {
  Completions() {
    const std::string program = ForgeSearch({}).argv.front();
    home.Link(program, "bin/forge-search");
    home.Link(program, "bin/frg");
    home.Write("tree/some_file.txt", "x\n");
  }

  Command InHome(std::vector<std::string> argv) const {
    Command command;
    command.argv = std::move(argv);
    command.env = {{"HOME", home.root()}, {"PATH", home.Path("bin") + ":/usr/bin:/bin"}, {"LANG", "C.UTF-8"}};
    command.cwd = home.Path("tree");
    return command;
  }
  // The line of the guide for a shell, run by that shell.
  void FollowTheGuide(const std::string& shell) const {
    const std::string guide = RunProgram(InHome({"/bin/cat", SourceFolder() + "/docs/guide.md"})).out;
    const std::size_t at = guide.find("forge-search completions " + shell);
    ASSERT_NE(at, std::string::npos);
    const std::size_t begin = guide.rfind('\n', at) + 1;
    const std::string line = guide.substr(begin, guide.find('\n', at) - begin);
    const Ended ended = RunProgram(InHome({"/bin/sh", "-c", line}));
    EXPECT_EQ(ended.exit_code, 0) << line << ended.err;
  }

  TempTree home;
};

TEST_F(Completions, Bash) {
  FollowTheGuide("bash");
  const auto complete = [&](const std::string& words) {
    return RunProgram(InHome({"/bin/bash", "-c",
                              "source ~/.bashrc; COMP_WORDS=(" + words +
                                  "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _forge_search; echo \"${COMPREPLY[@]}\""}))
        .out;
  };
  EXPECT_EQ(complete("forge-search ind"), "index\n");
  EXPECT_EQ(complete("forge-search index b"), "build\n");
  EXPECT_EQ(complete("forge-search setup cod"), "codex\n");
  EXPECT_EQ(complete("forge-search search --sort m"), "modified\n");
  EXPECT_EQ(complete("frg --sort = m"), "modified\n") << "bash takes --sort=m apart";
  EXPECT_EQ(complete("frg --vimg"), "--vimgrep\n");
  EXPECT_THAT(complete("frg -t c"), AllOf(HasSubstr("cpp"), HasSubstr("cmake")));
  EXPECT_EQ(complete("frg x some"), "some_file.txt\n");
  EXPECT_EQ(complete("forge-search index build --an"), "--anew\n") << "options of inner commands";
  home.Write("tree/two words.txt", "x\n");
  home.Write("tree/two more.txt", "x\n");
  const auto count = [&](const std::string& words) {
    return RunProgram(InHome({"/bin/bash", "-c",
                              "source ~/.bashrc; COMP_WORDS=(" + words +
                                  "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _forge_search; echo ${#COMPREPLY[@]}"}))
        .out;
  };
  EXPECT_EQ(count("frg x two"), "2\n") << "a name may have blanks";
  EXPECT_EQ(count("frg -f two"), "2\n");
}

// A folder that is called as a command or a value must not change what is typed.
TEST_F(Completions, BashTakesACommandForNoFolder) {
  FollowTheGuide("bash");
  home.Write("tree/doctor/x", "");
  home.Write("tree/folder/x", "");
  const Terminal terminal(InHome({"/bin/bash", "-i"}), 100, 30);
  terminal.Type("PS1='ready> '\n");
  ASSERT_TRUE(terminal.Becomes([](const std::string& s) { return s.find("\nready>") != std::string::npos; }))
      << terminal.Screen();
  terminal.Type("forge-search doct\t--x");
  EXPECT_TRUE(terminal.Shows("forge-search doctor --x")) << terminal.Screen();
  terminal.Press("C-u");
  terminal.Type("frg x fold\tx");
  EXPECT_TRUE(terminal.Shows("frg x folder/x")) << terminal.Screen();
}

TEST_F(Completions, Zsh) {
  FollowTheGuide("zsh");
  const Terminal terminal(InHome({"/usr/bin/zsh", "-i"}), 100, 30);
  terminal.Type("PS1='ready> '; zstyle ':completion:*' list-prompt ''\n");
  ASSERT_TRUE(terminal.Becomes([](const std::string& s) { return s.find("\nready>") != std::string::npos; }))
      << terminal.Screen();
  terminal.Type("frg --vimg\t");
  EXPECT_TRUE(terminal.Shows("frg --vimgrep")) << terminal.Screen();
  terminal.Type("--sort mod\t");
  EXPECT_TRUE(terminal.Shows("--sort modified")) << terminal.Screen();
  terminal.Type("x som\t");
  EXPECT_TRUE(terminal.Shows("some_file.txt")) << terminal.Screen();
  terminal.Press("C-u");
  terminal.Type("forge-search setup cod\t");
  EXPECT_TRUE(terminal.Shows("setup codex")) << terminal.Screen();
}

TEST_F(Completions, Fish) {
  FollowTheGuide("fish");
  const auto complete = [&](const std::string& line) {
    return RunProgram(InHome({"/usr/bin/fish", "-c", "complete -C '" + line + "'"})).out;
  };
  EXPECT_THAT(complete("forge-search ind"), HasSubstr("index\t"));
  EXPECT_THAT(complete("forge-search setup cod"), HasSubstr("codex"));
  EXPECT_THAT(complete("frg --vimg"), HasSubstr("--vimgrep\t"));
  EXPECT_THAT(complete("frg --sort m"), AllOf(HasSubstr("modified"), Not(HasSubstr("path\t"))));
  EXPECT_THAT(complete("frg x some"), HasSubstr("some_file.txt"));
}

}  // namespace
}  // namespace forge::testing
