// Backends that misbehave (C15, C22, C23, C29, C30, D5, D11, I7).
//
// A fake is a shell script. It passes every question about itself to the real
// program, and misbehaves when it has to search.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "tests/acceptance/answer.h"
#include "tests/testing/sanitizers.h"

namespace forge::testing {
namespace {

using ::testing::AnyOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class FakeBackend : public ::testing::TestWithParam<std::string> {
 protected:
  FakeBackend() {
    tree_.Write("a", "foo\n");
    tree_.Write("b", "bar\n");
    tree_.Write("c", "x foo\n");
  }

  // `script` runs for searches, with the real program in $REAL, the arguments
  // in "$@" and the last file in $last.
  std::string Install(const std::string& script, const std::string& version = "") {
    const std::string real = "/usr/bin/" + GetParam();
    const std::string on_version = version.empty() ? "exec \"$REAL\" \"$@\"" : version;
    tools_.Write("fake", "#!/bin/sh\nREAL=" + real + "\ncase \" $* \" in\n*' --version '*|*' -V '*) " + on_version +
                             ";;\n*/dev/null*|*' --pcre2-version '*|*' --help '*) exec \"$REAL\" \"$@\";;\nesac\n"
                             "for last in \"$@\"; do :; done\n" +
                             script + "\n");
    chmod(tools_.Path("fake").c_str(), 0755);
    return tools_.Path("fake");
  }
  Answer AskFake(const std::string& script, const std::string& fields = "", const std::string& pattern = "foo") {
    return SearchWith(Install(script), tree_, Ask(pattern, fields));
  }
  // More files than a backend gets at first.
  void WriteMany() {
    for (int i = 0; i < 300; ++i) tree_.Write("d/" + std::to_string(i), "foo\n");
  }
  // An honest run, and then this.
  std::string OnSecondRun(const std::string& script) const {
    const std::string mark = tools_.Path("ran");
    return "if [ -e " + mark + " ]; then " + script + "; fi; touch " + mark + "; exec \"$REAL\" \"$@\"";
  }
  // A whole response or a clear error, whatever the backend does.
  static void ExpectOrderly(const Answer& answer) {
    if (!answer.ok()) {
      EXPECT_EQ(answer.kind(), "ExecutionFailed");
      EXPECT_NE(answer.message(), "");
      EXPECT_LT(answer.message().size(), 100000U);
    }
    EXPECT_LT(answer.ended().max_rss_kb, 300 * 1024) << "memory is bounded";
  }
  std::string Marker() const { return "9" + std::to_string(getpid()) + "77"; }
  void ExpectNothingLeft() {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(5);
    while (SomeProcessHas(Marker()) && std::chrono::steady_clock::now() < end) usleep(1000);
    EXPECT_FALSE(SomeProcessHas(Marker()));
  }

  TempTree tree_;
  TempTree tools_;
};

INSTANTIATE_TEST_SUITE_P(IT_LS_EXIT_02, FakeBackend, ::testing::Values("ugrep", "rg"));

TEST_P(FakeBackend, AnHonestOneIsUsed) { EXPECT_THAT(AskFake("exec \"$REAL\" \"$@\"").files(), ElementsAre("a", "c")); }

TEST_P(FakeBackend, ExitTwoWithAMessageIsABackendError) {
  const Answer answer = AskFake("echo 'fake: something terrible' >&2; exit 2");
  EXPECT_EQ(answer.kind(), "ExecutionFailed");
  EXPECT_THAT(answer.message(), HasSubstr("something terrible"));
}

TEST_P(FakeBackend, ExitTwoWithoutAWordIsABackendError) {
  EXPECT_EQ(AskFake("exit 2").kind(), "ExecutionFailed");
  EXPECT_EQ(AskFake("exit 77").kind(), "ExecutionFailed");
}

TEST_P(FakeBackend, ExitOneIsNoMatch) {
  const Answer answer = AskFake("exit 1");
  EXPECT_TRUE(answer.ok());
  EXPECT_THAT(answer.events(), IsEmpty());
}

// Drops the last file from "$@", then complains about it as the real one does.
std::string ComplainAboutTheLast(const std::string& backend, const std::string& before = "") {
  const std::string complaint = backend == "rg" ? "echo \"$last: Permission denied (os error 13)\" >&2"
                                                : "echo \"ugrep: warning: cannot read $last: Permission denied\" >&2";
  return before +
         "n=$#; i=0; for a in \"$@\"; do i=$((i+1)); shift; [ $i = $n ] || set -- \"$@\" \"$a\"; done\n"
         "\"$REAL\" \"$@\"; " +
         complaint + "; exit 2";
}

TEST_P(FakeBackend, AFileThatItComplainsAboutIsSearchedAllTheSame) {  // C15, and one answer on every backend
  const Answer answer = AskFake(ComplainAboutTheLast(GetParam()));
  EXPECT_TRUE(answer.ok()) << answer.message();
  EXPECT_THAT(answer.files(), ElementsAre("a", "c"));
  EXPECT_EQ(answer.json().At("/exit_code"), "") << "D11: not a backend error";
}

TEST_P(FakeBackend, AFileThatVanishedMeanwhileGoesToErrors) {  // FR-LS-ERR-05, -06
  const Answer answer = AskFake(ComplainAboutTheLast(GetParam(), "rm -f \"$last\"\n"));
  EXPECT_TRUE(answer.ok()) << answer.message();
  EXPECT_THAT(answer.files(), ElementsAre("a"));
  EXPECT_THAT(answer.errors(), ElementsAre(::testing::StartsWith("c: ")));
  EXPECT_EQ(answer.json().At("/exit_code"), "");
}

TEST_P(FakeBackend, AFileThatChangedMeanwhileIsReadAgain) {  // C14
  const Answer answer = AskFake("\"$REAL\" \"$@\"; printf 'new\\nlines\\nfoo here\\n' > c; exit 0");
  EXPECT_TRUE(answer.ok()) << answer.message();
  EXPECT_THAT(answer.events(), AnyOf(ElementsAre("a:1:1:foo|foo", "c:3:1:foo here|foo"),
                                     ElementsAre("a:1:1:foo|foo", "c:1:3:x foo|foo")));
}

// FR-LS-ERR-04. The first chunk has 32 files; the backend fails on the second.
// What it says need be neither UTF-8 nor harmless (FR-LS-ENC-01, I4).
TEST_P(FakeBackend, AnErrorAfterResultsKeepsThemWithTheReason) {
  WriteMany();
  const Answer answer = AskFake(OnSecondRun("printf 'fake: \\033[31mburn\\377ing\\n' >&2; exit 2"));
  ASSERT_TRUE(answer.ok()) << answer.message();
  EXPECT_EQ(answer.files().size(), 31U) << "a, c, and 29 of the others; b has no match";
  EXPECT_EQ(answer.json().At("/exit_code"), "2");
  EXPECT_EQ(answer.json().Text("/stderr"), "fake: [31mburn\uFFFDing\n");
  EXPECT_THAT(answer.content(), HasSubstr("Note: the search backend failed; the files after the last one searched"));
}

// An upgrade removes the program in the middle of a search.
TEST_P(FakeBackend, AProgramThatVanishesAfterResultsIsSaid) {
  if (kThreadSanitizer) GTEST_SKIP() << kNoVfork;
  WriteMany();
  const Answer answer = AskFake("rm \"$0\"; exec \"$REAL\" \"$@\"");
  ASSERT_TRUE(answer.ok()) << answer.message();
  EXPECT_EQ(answer.files_scanned(), 32);
  EXPECT_THAT(answer.content(), HasSubstr("Note: the search backend could not be started; the files after"));
  EXPECT_EQ(answer.json().At("/exit_code"), "127");
  EXPECT_THAT(answer.json().Text("/stderr"), HasSubstr("No such file or directory"));
  const Answer nothing = AskFake("rm \"$0\"; exec \"$REAL\" \"$@\"", "", "absent");
  EXPECT_EQ(nothing.kind(), "ExecutionFailed") << "and without results it is an error";
  Install("rm \"$0\"; exec \"$REAL\" \"$@\"");
  const Ended printed =
      RunProgram(ForgeSearch({"search", "foo", "--root", tree_.root(), "--backend", tools_.Path("fake")}));
  EXPECT_EQ(printed.exit_code, 2);
  EXPECT_THAT(printed.out, HasSubstr("a:foo"));
  EXPECT_THAT(printed.err, HasSubstr("could not be started"));
}

TEST_P(FakeBackend, ADeathBySignalIsABackendError) {
  for (const char* signal : {"KILL", "SEGV", "TERM"}) {
    const Answer answer = AskFake(std::string("kill -") + signal + " $$; sleep 5");
    ExpectOrderly(answer);
    EXPECT_TRUE(!answer.ok() || answer.json().At("/exit_code") != "") << answer.ended().out;
  }
}

TEST_P(FakeBackend, AHangEndsAtTheTimeout) {
  const Answer answer = AskFake("exec sleep " + Marker(), R"("timeout_ms":300)");
  EXPECT_TRUE(answer.ok());
  EXPECT_TRUE(answer.timed_out());
  EXPECT_FALSE(answer.truncated()) << "D4";
  EXPECT_THAT(answer.events(), IsEmpty());
  EXPECT_THAT(answer.content(), AnyOf(HasSubstr("timeout"), HasSubstr("time")));
  ExpectNothingLeft();
}

TEST_P(FakeBackend, GrandchildrenDieWithTheHang) {  // I7
  const Answer answer =
      AskFake("sleep " + Marker() + " & (sleep " + Marker() + " & wait) & wait", R"("timeout_ms":300)");
  EXPECT_TRUE(answer.timed_out());
  ExpectNothingLeft();
}

TEST_P(FakeBackend, OneThatIgnoresSigtermDiesToo) {
  const Answer answer =
      AskFake("trap '' TERM INT HUP; while :; do sleep " + Marker() + "; done", R"("timeout_ms":300)");
  EXPECT_TRUE(answer.timed_out());
  ExpectNothingLeft();
}

TEST_P(FakeBackend, OneThatLeavesAChildHoldingThePipesIsNotWaitedFor) {
  const Answer answer = AskFake("\"$REAL\" \"$@\"; sleep " + Marker() + " & exit 0", R"("timeout_ms":15000)");
  EXPECT_TRUE(answer.ok());
  ExpectNothingLeft();
}

TEST_P(FakeBackend, ATimedOutAnswerIsAPrefixOfTheFullOne) {  // D5
  const Answer full = SearchWith(GetParam(), tree_, Ask("foo"));
  const Answer cut = AskFake("\"$REAL\" \"$@\"; exec sleep " + Marker(), R"("timeout_ms":1000)");
  EXPECT_TRUE(cut.timed_out());
  const auto all = full.events();
  const auto some = cut.events();
  ASSERT_LE(some.size(), all.size());
  EXPECT_TRUE(std::equal(some.begin(), some.end(), all.begin()));
  ExpectNothingLeft();
}

// D4: the first 32 files have 31 matches, and then the backend hangs.
TEST_P(FakeBackend, ATimeoutAtExactlyMaxResultsIsTruncated) {
  WriteMany();
  const Answer answer = AskFake(OnSecondRun("exec sleep " + Marker()), R"("max_results":31,"timeout_ms":4000)");
  EXPECT_TRUE(answer.timed_out());
  EXPECT_TRUE(answer.truncated());
  EXPECT_EQ(answer.events().size(), 31U);
  EXPECT_THAT(answer.content(), HasSubstr("truncated at max_results (31); there may be more"));
  ExpectNothingLeft();
}

TEST_P(FakeBackend, GarbageIsNotTrusted) {
  for (const char* garbage :
       {"echo garbage; exit 0", "printf '\\000\\377\\001'; exit 0", "echo '{\"type\":\"match\"}'; exit 0",
        "echo '{\"type\":\"match\",\"data\":{\"path\":7}}'; exit 0", "echo '\"a\":x:y:z'; exit 0",
        "echo '\"a:1:0:3'; exit 0", "echo '\"a\":99999999999999999999:0:3'; exit 0", "printf '['; exit 0",
        "head -c 3000000 /dev/zero | tr '\\000' '{'; exit 0"}) {
    const Answer answer = AskFake(garbage);
    SCOPED_TRACE(garbage);
    EXPECT_EQ(answer.kind(), "ExecutionFailed") << answer.ended().out.substr(0, 500);
    ExpectOrderly(answer);
  }
}

TEST_P(FakeBackend, OutputCutInTheMiddleIsNotTrustedSilently) {
  const Answer answer = AskFake("\"$REAL\" \"$@\" | head -c 9; exit 0");
  EXPECT_TRUE(!answer.ok() || answer.json().At("/exit_code") != "") << answer.ended().out;
}

TEST_P(FakeBackend, AFloodOfStderrIsBounded) {
  const Answer answer = AskFake("head -c 200000000 /dev/zero | tr '\\000' 'x' >&2; exit 2");
  EXPECT_EQ(answer.kind(), "ExecutionFailed");
  ExpectOrderly(answer);
}

TEST_P(FakeBackend, AnEndlessFloodOfStderrEndsAtTheTimeout) {
  const Answer answer = AskFake("exec yes complaint" + Marker() + " >&2", R"("timeout_ms":700)");
  ExpectOrderly(answer);
  EXPECT_TRUE(!answer.ok() || answer.timed_out());
  ExpectNothingLeft();
}

TEST_P(FakeBackend, AnEndlessFloodOfOutputEnds) {
  ExpectOrderly(AskFake("exec yes nonsense" + Marker(), R"("timeout_ms":700)"));
  ExpectOrderly(AskFake("exec tr '\\000' '\"' </dev/zero", R"("timeout_ms":700)"));
  ExpectNothingLeft();
}

TEST_P(FakeBackend, LinesThatDoNotMatchAreDropped) {  // R2: a line finder, no more
  const Answer answer = AskFake(
      "for a in \"$@\"; do shift; case \"$a\" in foo) set -- \"$@\" o;; *) set -- \"$@\" \"$a\";; esac; done; "
      "exec \"$REAL\" \"$@\"",
      R"("fixed_strings":true,"case":"sensitive")");
  EXPECT_THAT(answer.events(), ElementsAre("a:1:1:foo|foo", "c:1:3:x foo|foo"));
}

TEST_P(FakeBackend, FilesThatWereNotAskedForAreNotReported) {
  TempTree outside;
  outside.Write("secret", "foo secret\n");
  const Answer answer = AskFake("exec \"$REAL\" \"$@\" " + outside.Path("secret"));
  EXPECT_THAT(answer.ended().out, Not(HasSubstr("foo secret")));
}

TEST_P(FakeBackend, GetsAScrubbedEnvironmentAndNoInput) {  // C22, C23
  const std::string log = tools_.Path("log");
  Install("{ env; echo; readlink /proc/$$/fd/0; ls /proc/$$/fd; } > " + log + "; exec \"$REAL\" \"$@\"");
  Command command =
      ForgeSearch({"call", "Search", Ask("foo"), "--root", tree_.root(), "--backend", tools_.Path("fake")});
  for (const char* name :
       {"RIPGREP_CONFIG_PATH", "GREP_COLORS", "GREP_COLOR", "UGREP_COLORS", "LD_PRELOAD_X", "SECRET"}) {
    command.env[name] = "/leaked";
  }
  const Answer answer(RunProgram(command));
  EXPECT_THAT(answer.files(), ElementsAre("a", "c"));
  EXPECT_THAT(tools_.Read("log"), Not(HasSubstr("leaked")));
  EXPECT_THAT(tools_.Read("log"), HasSubstr("/dev/null"));
  EXPECT_THAT(tools_.Read("log"), HasSubstr("LC_ALL=C.UTF-8"));
}

TEST_P(FakeBackend, IsNotRunThroughAShell) {  // FR-LS-03
  const std::string evil = "$(touch " + tools_.Path("pwned") + ")`touch " + tools_.Path("pwned") + "`;foo'\"";
  tree_.Write(evil.substr(0, 5) + ";x", evil + "\n");
  EXPECT_EQ(AskFake("exec \"$REAL\" \"$@\"", R"("fixed_strings":true)", evil).events().size(), 1U);
  EXPECT_FALSE(std::filesystem::exists(tools_.Path("pwned")));
}

TEST_P(FakeBackend, AnUnusableVersionMakesTheFallbackServe) {  // CFG-LS-01
  const std::string fallback = GetParam() == "ugrep" ? "rg" : "ugrep";
  for (const std::string version :
       {"echo 'ugrep 2.9.1 x86_64'", "echo 'ripgrep 12.1.1'", "echo 'grep (GNU grep) 3.8'", "echo", "exit 1",
        "kill -9 $$", "echo 'not ugrep 3.11.2'", "echo 'ugrep three'", "head -c 50000000 /dev/zero"}) {
    Install("echo used >&2; exit 2", version);
    const Answer answer = SearchWith("", tree_, Ask("foo"),
                                     {"--set", "tools.search.binary=" + Quoted(tools_.Path("fake")), "--set",
                                      "tools.search.fallback_binary=" + Quoted(fallback)});
    EXPECT_THAT(answer.files(), ElementsAre("a", "c")) << version << answer.message();
    EXPECT_THAT(answer.ended().err,
                HasSubstr("forge-search: warning: the backend " + tools_.Path("fake") + " cannot be used: "))
        << version;
    EXPECT_THAT(answer.ended().err, HasSubstr("@")) << "which one is used instead";
  }
}

TEST_P(FakeBackend, AnInterruptEndsTheProgramAndTheBackend) {
  Install("exec sleep " + Marker());
  for (const int signal : {SIGINT, SIGTERM}) {
    for (const char* verb : {"call", "search"}) {
      const bool call = verb == std::string("call");
      Command command = ForgeSearch({verb});
      if (call) command.argv.push_back("Search");
      command.argv.insert(command.argv.end(),
                          {call ? Ask("foo") : "foo", "--root", tree_.root(), "--backend", tools_.Path("fake")});
      command.while_running = [&](int pid) {
        const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
        while (!SomeProcessHas(Marker()) && std::chrono::steady_clock::now() < end) usleep(1000);
        kill(pid, signal);
      };
      const Ended ended = RunProgram(command);
      EXPECT_FALSE(ended.overran);
      if (call) {
        EXPECT_EQ(JsonView(ended.out).Text("/error/kind"), "Cancelled") << ended.out;
      }
      EXPECT_EQ(ended.exit_code, 128 + signal) << ended.err;
      ExpectNothingLeft();
    }
  }
}

// FR-LS-ORD-04, T-LSI-DET-02
TEST_P(FakeBackend, LinesInAnyOrderAreSorted) {
  for (int i = 0; i < 100; ++i) tree_.Write("d/" + std::to_string(i), Repeat(40, "foo\nno\n"));
  const std::string request = R"("context":1,"max_results":1000)";
  const Answer expected = SearchWith(GetParam(), tree_, Ask("foo", request));
  for (const char* shuffle : {"shuf", "sort -R", "tac"}) {
    const Answer answer = AskFake(std::string("\"$REAL\" \"$@\" | ") + shuffle, request);
    EXPECT_EQ(answer.ended().out, expected.ended().out) << shuffle;
  }
}

TEST_P(FakeBackend, SomethingElseInPlaceOfAFileIsAnErrorOfThatFile) {
  for (const char* made : {"mkfifo b", "mkdir b; echo foo > b/x", "ln -s /dev/zero b"}) {
    tree_.Write("b", "foo\n");
    const Answer answer = AskFake(std::string("rm b && { ") + made + "; }; exec \"$REAL\" \"$@\"");
    EXPECT_TRUE(answer.ok()) << made << answer.message();
    EXPECT_FALSE(answer.timed_out()) << made;
    EXPECT_THAT(answer.files(), ElementsAre("a", "c")) << made;
    EXPECT_THAT(answer.errors(), ElementsAre(::testing::StartsWith("b: is "))) << made;
    EXPECT_LT(answer.ended().max_rss_kb, 1100 * 1024) << "the limit of a child, for what it reads of /dev/zero";
    std::filesystem::remove_all(tree_.Path("b"));
  }
}

TEST(NoBackend, TheMessageSaysWhatWasLookedForAndWhatNeedsNothing) {  // R6
  TempTree tree;
  tree.Write("a", "foo\n");
  Command command = ForgeSearch({"call", "Search", Ask("foo"), "--root", tree.root()});
  command.env["PATH"] = tree.root();
  const Answer answer(RunProgram(command));
  EXPECT_EQ(answer.kind(), "ExecutionFailed");
  for (const char* part : {"ugrep", "rg", "native"}) EXPECT_THAT(answer.message(), HasSubstr(part));
  command.argv.insert(command.argv.end(), {"--backend", "native"});
  EXPECT_THAT(Answer(RunProgram(command)).files(), ElementsAre("a"));
}

// FR-LS-EXE-01
TEST(BothBackends, UgrepIsChosen) {
  TempTree tree;
  TempTree tools;
  tree.Write("a", "foo\n");
  for (const char* name : {"ugrep", "rg"}) {
    tools.Write(name, std::string("#!/bin/sh\necho ") + name + " >> " + tools.Path("log") + "\nexec /usr/bin/" + name +
                          " \"$@\"\n");
    chmod(tools.Path(name).c_str(), 0755);
  }
  Command command = ForgeSearch({"call", "Search", Ask("foo"), "--root", tree.root()});
  command.env["PATH"] = tools.root();
  const Answer answer(RunProgram(command));
  EXPECT_THAT(answer.files(), ElementsAre("a"));
  EXPECT_EQ(answer.ended().err, "");
  EXPECT_EQ(tools.Read("log"), "ugrep\nugrep\n") << "--version, and the search";
  std::filesystem::remove(tools.Path("ugrep"));
  std::filesystem::remove(tools.Path("log"));
  const Answer fallback(RunProgram(command));
  EXPECT_EQ(fallback.ended().out, answer.ended().out);
  EXPECT_EQ(tools.Read("log"), "rg\nrg\n");
  EXPECT_THAT(fallback.ended().err, HasSubstr("warning: the backend ugrep cannot be used: not found on PATH; rg@13"));
}

TEST(NoBackend, AMissingBinaryMakesTheFallbackServe) {
  TempTree tree;
  tree.Write("a", "foo\n");
  for (const char* fallback : {"rg", "ugrep", "native"}) {
    const Answer answer = SearchWith("", tree, Ask("foo"),
                                     {"--set", "tools.search.binary=\"/no/such/thing\"", "--set",
                                      std::string("tools.search.fallback_binary=\"") + fallback + "\""});
    EXPECT_THAT(answer.files(), ElementsAre("a"));
  }
  EXPECT_EQ(SearchWith("/no/such/thing", tree, Ask("foo")).kind(), "ExecutionFailed") << "--backend has no fallback";
}

}  // namespace
}  // namespace forge::testing
