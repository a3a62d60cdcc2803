// Rows of the decisions that no other test here covers, one by one.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <thread>

#include "tests/acceptance/answer.h"
#include "tests/testing/git.h"

namespace forge::testing {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::UnorderedElementsAre;
namespace fs = std::filesystem;

constexpr const char* kHuge = "9223372036854775807";

// The program under a shell that sets something up first, such as a limit.
Answer Under(const std::string& setup, const std::string& backend, const std::string& root,
             const std::string& request) {
  Command command = ForgeSearch({"call", "Search", request, "--root", root, "--backend", backend});
  command.argv.insert(command.argv.begin(), {"/bin/sh", "-c", setup + "; exec \"$@\"", "sh"});
  return Answer(RunProgram(command));
}

TEST(Decisions, AbsolutePathsCanBeForbidden) {  // B6
  TempTree tree;
  tree.Write("a", "foo\n");
  const std::vector<std::string> off = {"--set", "tools.sandbox.allow_absolute=false"};
  EXPECT_EQ(Search(tree, Ask("foo", "\"path\":" + Quoted(tree.root())), off).kind(), "SandboxViolation");
  EXPECT_THAT(Search(tree, Ask("foo", R"("path":"a")"), off).files(), ElementsAre("a"));
}

TEST(Decisions, ExtremeNumbersAllAtOnce) {  // B11
  TempTree tree;
  tree.Write("a", "one\nfoo\nthree\n");
  tree.Write("b", "one\n\nfoo");
  const std::string n = kHuge;
  std::vector<std::string> more;
  for (const char* key :
       {"max_files", "max_matches_per_file", "max_file_size_bytes", "default_timeout_ms", "default_max_results"}) {
    more.insert(more.end(), {"--set", std::string("tools.search.") + key + "=" + kHuge});
  }
  const Answer answer =
      Search(tree,
             Ask("foo", R"("context":)" + n + R"(,"max_results":)" + n + R"(,"timeout_ms":)" + n + R"(,"max_files":)" +
                            n + R"(,"max_matches_per_file":)" + n + R"(,"max_file_size_bytes":)" + n),
             more);
  EXPECT_THAT(answer.events(),
              ElementsAre("a-1-one", "a:2:1:foo|foo", "a-3-three", "b-1-one", "b-2-", "b:3:1:foo|foo"));
  EXPECT_FALSE(answer.truncated());
  EXPECT_FALSE(answer.timed_out());
  EXPECT_EQ(Search(tree, Ask("foo"), more).events().size(), 2U) << "the defaults at their extremes";
}

TEST(Decisions, EachExtremeNumberAlone) {  // B11
  TempTree tree;
  tree.Write("a", "one\nfoo\nfoo\n");
  for (const char* field : {"max_results", "timeout_ms"}) {
    for (const char* value : {kHuge, "9223372036854775806", "9223372036855", "4294967296", "2147483648"}) {
      EXPECT_EQ(Search(tree, Ask("foo", "\"" + std::string(field) + "\":" + value)).events().size(), 2U)
          << field << value;
    }
  }
  for (const char* value : {kHuge, "9223372036854775806", "4611686018427387904", "4294967296", "4294967295"}) {
    EXPECT_EQ(Search(tree, Ask("foo", std::string("\"context\":") + value)).events().size(), 3U) << value;
    const Answer cut = Search(tree, Ask("foo", std::string(R"("max_results":1,"context":)") + value));
    EXPECT_THAT(cut.events(), ElementsAre("a-1-one"));
    EXPECT_TRUE(cut.truncated());
  }
  EXPECT_EQ(SearchWith("ugrep", tree, Ask("foo", R"("timeout_ms":1,"max_results":1)")).ended().exit_code, 0);
}

TEST(Decisions, ASearcherKilledBySigbusIsRunAgain) {  // C24: a mapped file that was cut short
  TempTree tree;
  TempTree tools;
  tree.Write("a", "foo\n");
  tree.Write("b", "x foo\n");
  tools.Write("fake",
              "#!/bin/sh\ncase \" $* \" in *' -- '*' --mmap '*|*' --mmap '*' -- '*) case \" $* \" in */dev/null*) ;; "
              "*) kill -BUS $$;; esac;; esac\nexec /usr/bin/ugrep \"$@\"\n");
  chmod(tools.Path("fake").c_str(), 0755);
  const Answer answer = SearchWith(tools.Path("fake"), tree, Ask("foo"));
  EXPECT_TRUE(answer.ok()) << answer.message();
  EXPECT_THAT(answer.files(), ElementsAre("a", "b"));
  EXPECT_EQ(answer.json().At("/exit_code"), "") << answer.ended().out;
}

class EveryBackend : public ::testing::TestWithParam<std::string> {
 protected:
  TempTree tree_;
};

INSTANTIATE_TEST_SUITE_P(Decisions, EveryBackend, ::testing::ValuesIn(kBackends));

TEST_P(EveryBackend, AFileCutShortWhileItIsSearchedGivesLinesThatWereThere) {  // C24, C14
  const std::string text = Repeat(30000, "filler filler filler filler filler filler filler filler\n");
  tree_.Write("a", "foo a\n");
  for (const char* name : {"b", "c"}) tree_.Write(name, text + "foo end\n");
  tree_.Write("d", "foo d\n");
  std::atomic<bool> stop = false;
  std::thread cutter([&] {
    while (!stop) {
      for (const char* name : {"b", "c"}) {
        if (truncate(tree_.Path(name).c_str(), 100) != 0) return;
        tree_.Write(name, text + "foo end\n");
      }
    }
  });
  for (int i = 0; i < 8; ++i) {
    const Answer answer = SearchWith(GetParam(), tree_, Ask("foo"));
    EXPECT_TRUE(answer.ok()) << answer.message();
    EXPECT_EQ(answer.json().At("/exit_code"), "") << answer.ended().out.substr(0, 1000);
    EXPECT_THAT(answer.events(), Contains("a:1:1:foo a|foo"));
    EXPECT_THAT(answer.events(), Contains("d:1:1:foo d|foo"));
    for (const std::string& event : answer.events()) {
      if (event[0] == 'b' || event[0] == 'c') {
        EXPECT_EQ(event.substr(1), ":30001:1:foo end|foo");
      }
    }
  }
  stop = true;
  cutter.join();
}

TEST_P(EveryBackend, AtATimeoutTheAnswerIsAPrefix) {  // D4, D5
  for (int i = 0; i < 1000; ++i) {
    tree_.Write("d" + std::to_string(i % 20) + "/f" + std::to_string(i), "bar\nfoo\nbar\n" + Repeat(200, "filler\n"));
  }
  const auto full = SearchWith(GetParam(), tree_, Ask("foo", R"("context":1,"max_results":10000)")).events();
  ASSERT_EQ(full.size(), 3000U);
  int timeouts = 0;
  for (const int ms : {1, 2, 4, 8, 15, 30}) {
    const Answer answer = SearchWith(
        GetParam(), tree_, Ask("foo", R"("context":1,"max_results":10000,"timeout_ms":)" + std::to_string(ms)));
    ASSERT_TRUE(answer.ok()) << answer.message();
    timeouts += answer.timed_out() ? 1 : 0;
    const auto events = answer.events();
    ASSERT_LE(events.size(), full.size());
    EXPECT_THAT(events, ElementsAreArray(std::vector<std::string>(
                            full.begin(), full.begin() + static_cast<std::ptrdiff_t>(events.size()))));
    EXPECT_EQ(events.size() % 3, 0U) << "ends between two files";
    EXPECT_FALSE(answer.truncated());
    if (!answer.timed_out()) {
      EXPECT_EQ(events.size(), full.size());
    } else {
      EXPECT_THAT(answer.content(), HasSubstr("timeout_ms"));
    }
  }
  EXPECT_GT(timeouts, 0) << "1 ms is enough for 1000 files?";
}

TEST_P(EveryBackend, FewOpenFilesAreEnough) {  // Bounded
  for (int i = 0; i < 300; ++i) {
    tree_.Write("w" + std::to_string(i) + "/f", "foo\n");
  }
  tree_.Write(Repeat(120, "d/") + "f", "foo\n");
  const std::string request = Ask("foo", R"("max_results":1000)");
  const Answer plenty = SearchWith(GetParam(), tree_, request);
  EXPECT_EQ(plenty.events().size(), 301U);
  for (const char* limit : {"64", "32"}) {
    const Answer few = Under(std::string("ulimit -n ") + limit, GetParam(), tree_.root(), request);
    EXPECT_EQ(few.ended().out, plenty.ended().out) << limit;
  }
  // Too few. Whatever happens then, it is said.
  for (const char* limit : {"8", "10", "12", "14", "16", "18", "20"}) {
    const Answer few = Under(std::string("ulimit -n ") + limit, GetParam(), tree_.root(), request);
    if (few.ended().out == plenty.ended().out || !few.ok()) continue;
    EXPECT_THAT(few.content(), HasSubstr("Note: ")) << limit << few.ended().out.substr(0, 300);
    EXPECT_TRUE(!few.errors().empty() || few.json().At("/exit_code") != "" || few.json().At("/stderr") != "") << limit;
  }
}

TEST_P(EveryBackend, ClosedStandardStreamsDoNotMatter) {
  tree_.Write("a", "foo\n");
  for (const char* setup : {"exec <&-", "exec 2>&-", "exec <&- 2>&-"}) {
    const Answer answer = Under(setup, GetParam(), tree_.root(), Ask("foo"));
    EXPECT_THAT(answer.events(), ElementsAre("a:1:1:foo|foo")) << setup << answer.message();
  }
  const Command base = ForgeSearch({"search", "foo", "--root", tree_.root(), "--backend", GetParam()});
  Command command = base;
  command.argv.insert(command.argv.begin(), {"/bin/sh", "-c", "exec \"$@\" >&-", "sh"});
  const Ended ended = RunProgram(command);
  EXPECT_EQ(ended.signal, 0);
  EXPECT_EQ(tree_.Read("a"), "foo\n");
}

TEST_P(EveryBackend, AFullDiskIsAnError) {  // results that cannot be written are not a success
  tree_.Write("a", "foo\n");
  for (const std::vector<std::string>& verb :
       {std::vector<std::string>{"search", "foo"}, {"call", "Search", Ask("foo")}}) {
    Command command = ForgeSearch(verb);
    command.argv.insert(command.argv.end(), {"--root", tree_.root(), "--backend", GetParam()});
    command.argv.insert(command.argv.begin(), {"/bin/sh", "-c", "exec \"$@\" >/dev/full", "sh"});
    const Ended ended = RunProgram(command);
    EXPECT_EQ(ended.exit_code, 2) << verb[0];
    EXPECT_NE(ended.err, "") << verb[0];
  }
}

TEST_P(EveryBackend, NeedsNoHomeAndNoXdg) {
  tree_.Write("a", "foo\n");
  Command command = ForgeSearch({"call", "Search", Ask("foo"), "--root", tree_.root(), "--backend", GetParam()});
  for (const char* home : {"", "/nonexistent", "relative"}) {
    command.env = {{"PATH", "/usr/bin:/bin"}};
    if (*home != '\0') command.env["HOME"] = home;
    EXPECT_THAT(Answer(RunProgram(command)).files(), ElementsAre("a")) << home;
    command.env["XDG_CONFIG_HOME"] = "";
    command.env["XDG_CACHE_HOME"] = "relative";
    EXPECT_THAT(Answer(RunProgram(command)).files(), ElementsAre("a")) << home;
  }
}

TEST(Decisions, PathsLongerThanTheSystemTakesAreSearchedOrReported) {  // no silent gap
  TempTree tree;
  const std::string name = Repeat(200, "n");
  int folder = open(tree.root().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  for (int i = 0; i < 30; ++i) {
    ASSERT_EQ(mkdirat(folder, name.c_str(), 0755), 0);
    const int next = openat(folder, name.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    ASSERT_GE(next, 0);
    close(folder);
    folder = next;
  }
  const int file = openat(folder, "f", O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
  ASSERT_EQ(write(file, "deep foo\n", 9), 9);
  close(file);
  close(folder);
  tree.Write("z", "foo\n");
  const Answer answer = Search(tree, Ask("foo"));
  EXPECT_TRUE(answer.ok()) << answer.message();
  if (answer.errors().empty()) {
    EXPECT_THAT(answer.files(), ElementsAre(Repeat(30, name + "/") + "f", "z"));
  } else {
    EXPECT_THAT(answer.files(), ElementsAre("z"));
    EXPECT_THAT(answer.errors(), ElementsAre(AllOf(HasSubstr(name + "/" + name), HasSubstr("name too long"))));
  }
}

TEST(Decisions, EveryLineThatWasTooComplexIsAccountedFor) {  // D9 and no silent gap
  TempTree tree;
  const std::string line = Repeat(3000, "a") + "!\n";
  tree.Write("one", "aaa\n" + line + "aaa\n");
  tree.Write("two", "aaa\n" + line + line + "aaa\n");
  const Answer answer = Search(tree, Ask("(a+)+$"));
  const auto errors = answer.errors();
  ASSERT_EQ(errors.size(), 2U);
  EXPECT_NE(errors[0].substr(errors[0].find(": ")), errors[1].substr(errors[1].find(": ")))
      << "line 3 of two was not searched either";
}

TEST(Decisions, ASearcherIsKnownByWhatItSaysNotByItsName) {  // C29
  TempTree tree;
  TempTree tools;
  tree.Write("a", "foo\nFOO\n");
  tools.Link("/usr/bin/ugrep", "ug");
  tools.Link("/usr/bin/rg", "grep");
  tools.Link("/usr/bin/rg", "ugrep");
  tools.Write(".ugrep", "ignore-case\ninvert-match\n");
  for (const char* name : {"ug", "grep", "ugrep"}) {
    Command command = ForgeSearch({"call", "Search", Ask("FOO"), "--root", tree.root(), "--backend", tools.Path(name)});
    command.env["HOME"] = tools.root();
    command.cwd = tools.root();
    const Answer answer(RunProgram(command));
    EXPECT_THAT(answer.events(), ElementsAre("a:2:1:FOO|FOO")) << name << answer.message();
  }
}

TEST(Decisions, AFollowedFileKeepsThePathUnderWhichItWasFound) {  // D2
  TempTree tree;
  tree.Write("real/x", "foo\n");
  tree.Link("real", "link");
  tree.Link("real/x", "alias");
  EXPECT_THAT(Search(tree, Ask("foo", R"("follow":true)")).files(), ElementsAre("alias", "link/x", "real/x"));
  const Answer named = Search(tree, Ask("foo", R"("path":"link")"));
  EXPECT_EQ(named.json().Text("/path"), tree.Path("real")) << "the root is canonical";
  EXPECT_THAT(named.files(), ElementsAre("real/x"));
}

TEST(Decisions, ContentIsBoundedAndMatchesAreNot) {  // D13
  TempTree tree;
  tree.Write("a", Repeat(50, "foo " + Repeat(20000, "x") + "\n"));
  tree.Write("b", Repeat(50, Repeat(3000, "y") + " foo\n"));
  for (int i = 0; i < 60; ++i) tree.Write("c" + std::to_string(i), Repeat(50, "foo " + Repeat(300, "z") + "\n"));
  const Answer answer = Search(tree, Ask("foo", R"("max_results":5000)"));
  EXPECT_EQ(answer.json().At("/count"), "3100");
  EXPECT_EQ(answer.json().Text("/matches/0/data/lines/text").size(), 20004U);
  EXPECT_LE(answer.content().size(), 10000U);
  EXPECT_THAT(answer.content(), HasSubstr("this view shows"));
  for (int i = 0; i < 60; ++i) EXPECT_THAT(answer.content(), HasSubstr("c" + std::to_string(i))) << "named";
}

TEST(Decisions, ANestedRepositoryEndsTheRulesOfItsParents) {  // C26: parents up to the root of the repository
  TempTree tree;
  RunGit(tree.root(), {"init", "-q"});
  tree.Write(".gitignore", "*.log\n");
  tree.Write("a.log", "foo\n");
  tree.Write("inner/a.log", "foo\n");
  tree.Write("inner/b.txt", "foo\n");
  tree.Write("inner/c.tmp", "foo\n");
  tree.Write("inner/.gitignore", "*.tmp\n");
  RunGit(tree.Path("inner"), {"init", "-q"});
  const auto listed =
      SplitNul(RunGit(tree.Path("inner"), {"ls-files", "-coz", "--exclude-standard", "--", ":!.gitignore"}));
  EXPECT_THAT(listed, ElementsAre("a.log", "b.txt"));
  EXPECT_THAT(Search(tree.Path("inner"), Ask("foo")).files(), ElementsAreArray(listed));
  EXPECT_THAT(Search(tree, Ask("foo", R"("path":"inner")")).files(), ElementsAre("inner/a.log", "inner/b.txt"));
}

TEST(Decisions, ANestedRepositoryIsReadAlikeFromAboveAndFromInside) {
  TempTree tree;
  RunGit(tree.root(), {"init", "-q"});
  tree.Write(".gitignore", "*.log\n");
  tree.Write("inner/a.log", "foo\n");
  tree.Write("inner/b.txt", "foo\n");
  tree.Write("inner/x.secret", "foo\n");
  RunGit(tree.Path("inner"), {"init", "-q"});
  tree.Write("inner/.git/info/exclude", "*.secret\n");
  EXPECT_THAT(Search(tree, Ask("foo", R"("path":"inner")")).files(), Not(Contains("inner/x.secret")));
  EXPECT_THAT(Search(tree, Ask("foo")).files(), Not(Contains("inner/x.secret"))) << "info/exclude of a nested one";
  EXPECT_EQ(Search(tree, Ask("foo")).files(), Search(tree, Ask("foo", R"("path":"inner")")).files())
      << "the same files, whether the search starts above or inside";
}

TEST(Decisions, AWorktreeIsARepository) {  // C26, H14: .git is a file there, info/exclude is the main one's
  TempTree tree;
  tree.Write("main/a.txt", "foo\n");
  tree.Write("main/.gitignore", "*.log\n");
  RunGit(tree.Path("main"), {"init", "-q"});
  RunGit(tree.Path("main"), {"add", "."});
  RunGit(tree.Path("main"), {"-c", "user.name=x", "-c", "user.email=x@x", "commit", "-qm", "x"});
  RunGit(tree.Path("main"), {"worktree", "add", "-q", tree.Path("wt")});
  tree.Write("main/.git/info/exclude", "*.secret\n");
  tree.Write(".gitignore", "*.txt\n");  // above the worktree: does not count
  for (const char* name : {"wt/b.log", "wt/c.secret", "wt/d/e.txt", "wt/d/f.log", "wt/d/g.secret"}) {
    tree.Write(name, "foo\n");
  }
  ASSERT_TRUE(fs::is_regular_file(tree.Path("wt/.git")));
  EXPECT_THAT(SplitNul(RunGit(tree.Path("wt"), {"ls-files", "-coz", "--exclude-standard"})),
              UnorderedElementsAre(".gitignore", "a.txt", "d/e.txt"));
  EXPECT_THAT(Search(tree.Path("wt"), Ask("foo")).files(), ElementsAre("a.txt", "d/e.txt"));
  EXPECT_THAT(Search(tree.Path("wt"), Ask("foo", R"("path":"d")")).files(), ElementsAre("d/e.txt"));
}

TEST(Decisions, ABrokenGitFileIsNoFailure) {
  TempTree tree;
  tree.Write("a", "foo\n");
  for (const char* text : {"", "gitdir: /nonexistent\n", "gitdir: .\n", "garbage\n", "gitdir:", "gitdir: a"}) {
    tree.Write(".git", text);
    const Answer answer = Search(tree, Ask("foo"));
    EXPECT_TRUE(answer.ok()) << text;
    EXPECT_THAT(answer.files(), ElementsAre("a")) << text;
  }
  tree.Write(".git", "gitdir: " + Repeat(1000000, "x"));
  EXPECT_THAT(Search(tree, Ask("foo")).files(), ElementsAre("a"));
}

TEST(Decisions, AGitFileCannotReachOutOfTheTree) {  // R9, NFR-LS-SEC-01: .git names a fifo or a secret
  TempTree tree;
  tree.Write("root/a", "foo\n");
  fs::create_directories(tree.Path("evil/info"));
  ASSERT_EQ(mkfifo(tree.Path("evil/info/exclude").c_str(), 0600), 0);
  tree.Write("root/.git", "gitdir: " + tree.Path("evil") + "\n");
  EXPECT_THAT(Search(tree.Path("root"), Ask("foo")).files(), ElementsAre("a"));
  fs::remove(tree.Path("root/.git"));
  tree.Write("root/.git/HEAD", "ref: refs/heads/main\n");
  fs::create_directories(tree.Path("root/.git/info"));
  ASSERT_EQ(mkfifo(tree.Path("root/.git/info/exclude").c_str(), 0600), 0);
  ASSERT_EQ(mkfifo(tree.Path("root/.gitignore").c_str(), 0600), 0);
  ASSERT_EQ(mkfifo(tree.Path("root/.ignore").c_str(), 0600), 0);
  EXPECT_THAT(Search(tree.Path("root"), Ask("foo")).files(), ElementsAre("a")) << "fifos are never opened";
}

TEST(Decisions, TwoRootsTheFirstIsTheWorkingFolder) {  // D3, I3
  TempTree tree;
  tree.Write("one/a", "foo\n");
  tree.Write("two/b", "foo\n");
  const std::vector<std::string> both = {"--root", tree.Path("two")};
  EXPECT_THAT(Search(tree.Path("one"), Ask("foo")).files(), ElementsAre("a"));
  EXPECT_THAT(Search(tree.Path("one"), Ask("foo", "\"path\":" + Quoted(tree.Path("two"))), both).files(),
              ElementsAre(tree.Path("two/b")));
  EXPECT_EQ(Search(tree.Path("one"), Ask("foo", R"("path":"../two")"), both).kind(), "SandboxViolation")
      << "B5: the way leads through a folder outside";
  EXPECT_EQ(Search(tree.Path("one"), Ask("foo", R"("path":"..")"), both).kind(), "SandboxViolation");
  EXPECT_THAT(Search(tree.Path("one"), Ask("foo"), {"--root", tree.Path("two"), "--cwd", tree.Path("two")}).files(),
              ElementsAre("b"));
  EXPECT_THAT(Search(tree.root(), Ask("foo"), {"--root", tree.Path("one")}).files(), ElementsAre("one/a", "two/b"))
      << "one root inside the other";
}

TEST(Decisions, ALinkIntoAnotherRootIsFollowed) {  // C25: sandbox-checked, not root-checked
  TempTree tree;
  tree.Write("two/b", "foo\n");
  tree.Write("one/a", "foo\n");
  tree.Link("../two", "one/link");
  const std::string follow = Ask("foo", R"("follow":true)");
  EXPECT_THAT(Search(tree.Path("one"), follow, {"--root", tree.Path("two")}).files(), ElementsAre("a", "link/b"));
  EXPECT_THAT(Search(tree.Path("one"), follow).files(), ElementsAre("a"));
}

TEST(Decisions, RelativeRootsAndCwdStartAtTheCurrentFolder) {
  TempTree tree;
  tree.Write("one/sub/a", "foo\n");
  Command command = ForgeSearch({"search", "foo", "--root", "one", "--cwd", "one/sub", "--backend", "native"});
  command.cwd = tree.root();
  EXPECT_EQ(RunProgram(command).out, "a:foo\n");
}

TEST(Decisions, TheRootOfTheFileSystemIsARoot) {  // I3
  TempTree tree;
  tree.Write("a", "foo\n");
  const Answer answer = SearchWith("native", "/", Ask("foo", "\"path\":" + Quoted(tree.root())));
  EXPECT_THAT(answer.files(), ElementsAre(tree.Path("a").substr(1))) << answer.message();
}

TEST(Decisions, ADeletedCurrentFolderIsAnErrorNotACrash) {
  TempTree tree;
  tree.MakeFolder("gone");
  Command command = ForgeSearch({"search", "foo", "--backend", "native"});
  command.argv.insert(
      command.argv.begin(),
      {"/bin/sh", "-c", "cd \"" + tree.Path("gone") + "\" && rmdir \"" + tree.Path("gone") + "\"; exec \"$@\"", "sh"});
  const Ended ended = RunProgram(command);
  EXPECT_EQ(ended.exit_code, 2);
  EXPECT_THAT(ended.err, HasSubstr("forge-search: error:"));
}

}  // namespace
}  // namespace forge::testing
