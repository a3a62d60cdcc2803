// The command line for people and scripts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/acceptance/answer.h"

namespace forge::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

struct Cli : ::testing::Test {
  Cli() {
    tree.Write("a.c", "one\ntwo foo\nfoo foo\n");
    tree.Write("sub/b.h", "\tFoo\n");
    tree.Write("-x", "-foo\n");
  }
  Ended Do(std::vector<std::string> args, std::map<std::string, std::string> env = {}, const std::string& in = "") {
    Command command = ForgeSearch(std::move(args));
    command.cwd = tree.root();
    for (const auto& [key, value] : env) command.env[key] = value;
    command.stdin_text = in;
    return RunProgram(command);
  }
  // What it prints, with every field.
  std::string Places(std::vector<std::string> args) {
    args.insert(args.begin(), {"search", "-H", "-n", "--column"});
    return Do(args).out;
  }
  TempTree tree;
};

TEST_F(Cli, SearchPrintsPathAndText) {
  const Ended ended = Do({"search", "foo"});
  EXPECT_EQ(ended.exit_code, 0);
  EXPECT_EQ(ended.out, "-x:-foo\na.c:two foo\na.c:foo foo\nsub/b.h:\tFoo\n");
  EXPECT_EQ(Places({"foo"}), "-x:1:2:-foo\na.c:2:5:two foo\na.c:3:1:foo foo\nsub/b.h:1:2:\tFoo\n");
  EXPECT_EQ(ended.err, "");
}

TEST_F(Cli, ExitCodesAreThoseOfGrep) {
  EXPECT_EQ(Do({"search", "foo"}).exit_code, 0);
  EXPECT_EQ(Do({"search", "nothing"}).exit_code, 1);
  for (const std::vector<std::string>& args :
       std::vector<std::vector<std::string>>{{"search", "("},
                                             {"search", "foo", "nothere"},
                                             {"search"},
                                             {"search", "foo", "--no-such-option"},
                                             {"search", "foo", "--backend", "nothere"},
                                             {"serach", "foo"},
                                             {},
                                             {"search", "foo", "-C", "x"},
                                             {"search", "foo", "-C", "-1"},
                                             {"search", "foo", "--fuzzy", "9"},
                                             {"search", "foo", "--root", "/no/such"},
                                             {"search", "foo", "--config", "/no/such"}}) {
    const Ended ended = Do(args);
    EXPECT_EQ(ended.exit_code, 2) << ::testing::PrintToString(args);
    EXPECT_EQ(ended.out, "") << "stdout is for data";
    EXPECT_THAT(ended.err, HasSubstr("forge-search: error: "));
  }
}

TEST_F(Cli, EveryRootIsSearchedOnceAndPathsCanBeOpened) {
  tree.Write("r1/in/x", "needle 1\n");
  tree.Write("r2/y", "needle 2\n");
  const auto run = [&](std::vector<std::string> roots, std::vector<std::string> words) {
    std::vector<std::string> args = {"search", "needle"};
    args.insert(args.end(), words.begin(), words.end());
    for (const std::string& root : roots) args.insert(args.end(), {"--root", root});
    return Do(args);
  };
  const std::string both = "r1/in/x:needle 1\nr2/y:needle 2\n";
  EXPECT_EQ(run({"r1", "r2"}, {}).out, both);
  EXPECT_EQ(run({"r1", "r2", "r1"}, {}).out, both) << "twice the same";
  EXPECT_EQ(run({"r1", "r1/in", "r2"}, {}).out, both) << "one in another";
  EXPECT_EQ(run({"r2", "r1/in", "r1"}, {}).out, "r2/y:needle 2\nr1/in/x:needle 1\n");
  EXPECT_EQ(run({"r1/in", "r1"}, {}).out, "r1/in/x:needle 1\n");
  EXPECT_EQ(run({"r1", "r2"}, {"r2/y"}).out, "needle 2\n") << "as it was printed";
  EXPECT_EQ(run({"r1", "r2"}, {"in"}).out, "r1/in/x:needle 1\n");
  EXPECT_EQ(run({"r1", "r2"}, {"a.c"}).exit_code, 2) << "it is in no root";
  const Ended gone = run({"r1", "gone"}, {});
  EXPECT_EQ(gone.exit_code, 2);
  EXPECT_EQ(gone.err.find("gone: No such"), gone.err.rfind("gone: No such")) << "said once: " << gone.err;
}

TEST_F(Cli, OptionsMapToTheRequest) {
  EXPECT_EQ(Places({"-s", "Foo"}), "sub/b.h:1:2:\tFoo\n");
  EXPECT_EQ(Places({"-i", "FOO", "sub"}), "sub/b.h:1:2:\tFoo\n");
  EXPECT_EQ(Places({"-S", "Foo"}), "sub/b.h:1:2:\tFoo\n");
  EXPECT_EQ(Places({"-F", "o f"}), "a.c:2:3:two foo\na.c:3:3:foo foo\n");
  EXPECT_EQ(Do({"search", "-w", "fo"}).exit_code, 1);
  EXPECT_EQ(Places({"-g", "*.c", "two"}), "a.c:2:1:two foo\n");
  EXPECT_EQ(Places({"-g", "!*.c", "-g", "!-x", "foo"}), "sub/b.h:1:2:\tFoo\n");
  EXPECT_EQ(Places({"-m", "1", "foo", "a.c"}), "a.c:2:5:two foo\n");
  EXPECT_EQ(Places({"-C1", "two"}), "a.c-1-one\na.c:2:1:two foo\na.c-3-foo foo\n");
  EXPECT_EQ(Places({"foo", "--no-recursive"}), "-x:1:2:-foo\na.c:2:5:two foo\na.c:3:1:foo foo\n");
}

TEST_F(Cli, APatternMayStartWithADash) {
  EXPECT_EQ(Places({"-e", "-foo"}), "-x:1:1:-foo\n");
  EXPECT_EQ(Places({"--", "-foo"}), "-x:1:1:-foo\n");
  EXPECT_EQ(Places({"-e", "foo", "a.c"}), "a.c:2:5:two foo\na.c:3:1:foo foo\n");
  EXPECT_EQ(Do({"search", "-F", "-e", "--foo"}).exit_code, 1);
  EXPECT_EQ(Places({"foo", "--", "-x"}), "-x:1:2:-foo\n");
}

TEST_F(Cli, MistakesGetASuggestion) {
  EXPECT_THAT(Do({"serach", "foo"}).err, HasSubstr("did you mean search?"));
  EXPECT_THAT(Do({"search", "foo", "--hiden"}).err, HasSubstr("--hidden"));
  EXPECT_THAT(Do({"search", "foo", "--set", "tools.search.maxfiles=1"}).err, HasSubstr("tools.search.max_files"));
}

TEST_F(Cli, ABadPatternGetsACaretAndAnOptionMayRaiseALimit) {
  EXPECT_EQ(Do({"search", "é(b"}).err,
            "forge-search: error: pattern: missing closing parenthesis at offset 4\n  é(b\n     ^\n");
  EXPECT_THAT(Do({"search", "a\\nb"}).err, HasSubstr("\n  a\\nb\n   ^\n"));
  EXPECT_EQ(Do({"search", "foo", "--max-files", "999999999"}).err, "");
}

TEST_F(Cli, ColoursOnlyWhenAskedFor) {
  const std::string esc = "\x1b[";
  EXPECT_THAT(Do({"search", "foo"}).out, Not(HasSubstr(esc)));
  EXPECT_THAT(Do({"search", "foo", "--color", "always"}).out, HasSubstr(esc));
  EXPECT_THAT(Do({"search", "foo", "--color", "auto"}, {{"NO_COLOR", "1"}, {"TERM", "xterm"}}).out,
              Not(HasSubstr(esc)));
  Command command = ForgeSearch({"search", "foo", "--root", tree.root()});
  command.terminal = true;
  command.env["TERM"] = "xterm";
  EXPECT_THAT(RunProgram(command).out, HasSubstr(esc));
  command.env["NO_COLOR"] = "1";
  EXPECT_THAT(RunProgram(command).out, Not(HasSubstr(esc)));
  command.env["NO_COLOR"] = "";
  command.env["TERM"] = "dumb";
  EXPECT_THAT(RunProgram(command).out, Not(HasSubstr(esc)));
  EXPECT_THAT(Do({"search", "foo"}, {{"CLICOLOR_FORCE", "1"}, {"NO_COLOR", "1"}}).out, Not(HasSubstr(esc)));
}

TEST_F(Cli, TerminalEscapesInFilesDoNotReachTheTerminal) {  // I4
  tree.Write("evil\x1b[2J", "foo \x1b]0;title\x07\n");
  Command command = ForgeSearch({"search", "foo", "--color", "never", "--root", tree.root()});
  command.env["TERM"] = "xterm";
  command.terminal = true;
  EXPECT_THAT(RunProgram(command).out, HasSubstr("foo"));
  EXPECT_THAT(RunProgram(command).out, Not(HasSubstr("\x1b")));
}

TEST_F(Cli, JsonLinesAreOneDocumentEach) {
  const Ended ended = Do({"search", "--json", "foo", "-C1"});
  EXPECT_EQ(ended.exit_code, 0);
  std::vector<std::string> types;
  std::size_t start = 0;
  for (std::size_t end; (end = ended.out.find('\n', start)) != std::string::npos; start = end + 1) {
    const JsonView line(ended.out.substr(start, end - start));
    ASSERT_TRUE(line.valid());
    types.push_back(line.Text("/type"));
  }
  EXPECT_EQ(start, ended.out.size());
  EXPECT_THAT(types, ElementsAre("begin", "match", "end", "begin", "context", "match", "match", "end", "begin", "match",
                                 "end", "summary"));
  EXPECT_EQ(Do({"search", "--json", "nothing"}).exit_code, 1);
}

TEST_F(Cli, ACallPrintsExactlyOneDocumentWhateverHappens) {
  const std::string request = Ask("foo");
  const std::vector<std::vector<std::string>> calls = {
      {"call", "Search", request},
      {"call", "Search", "{"},
      {"call", "Nope", "{}"},
      {"call"},
      {"call", "Search", "", "x"},
      {"call", "Search", request, "--root", "/no/such"},
      {"call", "Search", request, "--cwd", "/"},
      {"call", "Search", request, "--config", "/no/such"},
      {"call", "Search", request, "--no-such-option"},
      {"call", "Search", request, "--set", "x"},
      {"call", "Search", request, "--set", "tools.search.max_files=0"},
      {"call", "Search", request, "--set", "tools.search.max_files=[[["},
      {"call", "Search", request, "--backend"},
      {"call", "Search", request, "--backend", "nope"},
      {"call", "Search", request, "--root"},
      {"--nope", "call", "Search"},
      {"--root", "/no/such", "call", "Search", request},
      {"call", "Search", request, "--set", "tools.search.nope=1"}};
  for (const auto& args : calls) {
    const Ended ended = Do(args);
    const JsonView json(ended.out);
    SCOPED_TRACE(::testing::PrintToString(args) + " printed " + ended.out + ended.err);
    EXPECT_TRUE(json.valid());
    EXPECT_EQ(ended.exit_code, json.At("/error") == "" ? 0 : 2);
    if (ended.exit_code == 2) {
      EXPECT_NE(json.Text("/error/kind"), "");
      EXPECT_NE(json.Text("/error/message"), "");
    }
    EXPECT_EQ(std::count(ended.out.begin(), ended.out.end(), '\n'), 1);
  }
}

TEST_F(Cli, ACallReadsItsRequestFromStandardInput) {
  EXPECT_EQ(Do({"call", "Search", "-"}, {}, Ask("two")).out, Do({"call", "Search", Ask("two")}).out);
  EXPECT_EQ(Do({"call", "Search"}, {}, Ask("two") + "\n").out, Do({"call", "Search", Ask("two")}).out);
}

TEST_F(Cli, GlobalOptionsStandBeforeOrBehindTheCommand) {
  const std::string expected = Do({"call", "Search", Ask("foo"), "--backend", "native"}).out;
  EXPECT_EQ(Do({"--backend", "native", "call", "Search", Ask("foo")}).out, expected);
  EXPECT_EQ(Do({"call", "--backend", "native", "Search", Ask("foo")}).out, expected);
}

TEST_F(Cli, SchemaIsValidInEveryFormat) {
  const JsonView mcp(Do({"schema", "Search"}).out);
  EXPECT_EQ(mcp.Text("/name"), "Search");
  EXPECT_EQ(mcp.At("/inputSchema/additionalProperties"), "false");
  EXPECT_EQ(mcp.At("/inputSchema/required"), R"(["pattern"])");
  EXPECT_THAT(mcp.Keys("/inputSchema/properties"),
              ElementsAre("pattern", "path", "case", "fixed_strings", "word_regexp", "include_glob", "exclude_glob",
                          "glob", "recursive", "hidden", "follow", "no_ignore", "context", "max_results",
                          "max_matches_per_file", "max_files", "max_file_size_bytes", "timeout_ms", "fuzzy"));
  const std::string schema = mcp.At("/inputSchema");
  EXPECT_EQ(JsonView(Do({"schema", "Search", "--format", "mcp"}).out).At("/inputSchema"), schema);
  EXPECT_EQ(JsonView(Do({"schema", "Search", "--format", "openai"}).out).At("/function/parameters"), schema);
  EXPECT_EQ(JsonView(Do({"schema", "Search", "--format", "anthropic"}).out).At("/input_schema"), schema);
  for (const char* format : {"mcp", "openai", "anthropic"}) {
    EXPECT_TRUE(JsonView(Do({"schema", "--format", format}).out).valid());
  }
  EXPECT_EQ(Do({"schema", "--format", "nope"}).exit_code, 2);
  EXPECT_EQ(Do({"schema", "Nope"}).exit_code, 2);
}

TEST_F(Cli, AClosedPipeEndsQuietly) {
  tree.Write("many", Repeat(20000, "foo\n"));
  for (const char* json : {"--no-ignore", "--json"}) {
    Command command = ForgeSearch({"search", "foo", json, "--max-results", "100000", "--set",
                                   "tools.search.max_matches_per_file=100000", "--root", tree.root()});
    command.close_stdout_after = 1;
    const Ended ended = RunProgram(command);
    EXPECT_FALSE(ended.overran);
    EXPECT_EQ(ended.err, "");
    EXPECT_TRUE(ended.signal == 0 || ended.signal == 13) << ended.signal;
  }
}

TEST_F(Cli, AnyReadableFolderCanBeSearchedUnlessARootConfines) {
  TempTree other;
  other.Write("there.txt", "foo\n");
  EXPECT_EQ(Do({"search", "foo", other.root()}).out, other.Path("there.txt") + ":foo\n");
  EXPECT_EQ(Do({"search", "foo", other.Path("there.txt"), "sub"}).out,
            other.Path("there.txt") + ":foo\nsub/b.h:\tFoo\n");
  EXPECT_EQ(Do({"search", "foo", "--root", ".", other.root()}).exit_code, 2);
  EXPECT_EQ(Do({"search", "foo", "sub/.."}).out,
            "sub/../-x:-foo\nsub/../a.c:two foo\nsub/../a.c:foo foo\nsub/../sub/b.h:\tFoo\n");
}

TEST_F(Cli, EveryRootIsSearchedAndItsPathsCanBeOpened) {
  TempTree other;
  other.Write("there.txt", "foo\n");
  EXPECT_EQ(Do({"search", "Foo", "--root", "sub", "--root", other.root(), "-i"}).out,
            "sub/b.h:\tFoo\n" + other.Path("there.txt") + ":foo\n");
}

TEST_F(Cli, ContextPushesOutNoMatch) {
  tree.Write("long", Repeat(500, "x\n") + "needle\n");
  const Ended ended = Do({"search", "needle", "-C", "250", "-n"});
  EXPECT_EQ(ended.exit_code, 0);
  EXPECT_THAT(ended.out, HasSubstr("long:501:needle\n"));
  const Ended two = Do({"search", "o", "a.c", "-C1", "--max-results", "1"});
  EXPECT_EQ(two.out, "one\n");
  EXPECT_THAT(two.err, HasSubstr("there are more matches; --max-results 1 ended the search"));
}

TEST_F(Cli, NothingIsLeftOutForPeople) {
  tree.Write("many", Repeat(3000, "needle\n"));
  tree.Write("large", Repeat(300'000, "12345678 \n") + "needle\n");
  const Ended ended = Do({"search", "-c", "needle"});
  EXPECT_EQ(ended.out, "large:1\nmany:3000\n");
  EXPECT_EQ(ended.err, "");
}

TEST_F(Cli, StandardInputIsSearched) {
  EXPECT_EQ(Do({"search", "-n", "b"}, {}, "a\nb\n").out, "2:b\n");
  EXPECT_EQ(Do({"search", "o", "-", "a.c"}, {}, "foo\n").out, "<stdin>:foo\na.c:one\na.c:two foo\na.c:foo foo\n");
  EXPECT_EQ(Do({"search", "-c", "x"}, {}, "a\nb\n").exit_code, 1);
}

TEST_F(Cli, NoMessagesMeansNone) {
  EXPECT_EQ(Do({"search", "foo", "a.c", "nothere"}).err, "forge-search: error: nothere: no such file or folder\n");
  const Ended ended = Do({"search", "--no-messages", "foo", "a.c", "nothere"});
  EXPECT_EQ(ended.err, "");
  EXPECT_EQ(ended.exit_code, 2);
}

// In a shell, that is how a stream is redirected or closed.
struct CliInAShell : Cli {
  Ended Shell(const std::string& line) {
    Command command = ForgeSearch({});
    command.env["PATH"] = "/usr/bin:/bin";
    command.argv = {"/bin/sh", "-c", "F=" + command.argv[0] + "; " + line};
    command.cwd = tree.root();
    return RunProgram(command);
  }
};

TEST_F(CliInAShell, AFileThatTheAnswerIsWrittenToIsNotSearched) {
  tree.Write("many", Repeat(30'000, "needle\n"));
  const Ended ended = Shell("$F search -n needle >zzz; echo $?; wc -l <zzz; grep -c ^zzz zzz");
  EXPECT_EQ(ended.out, "0\n30000\n0\n");
  EXPECT_EQ(ended.err, "");
  EXPECT_EQ(Shell("echo needle >>named; $F search -c needle named >>named; cat named").out, "needle\n1\n");
}

TEST_F(CliInAShell, AStreamThatIsClosedIsNotTheNextFileThatIsOpened) {
  Shell("$F --index on index build");
  const Ended ended = Shell("$F --index on search foo <&- >&-; echo $?");
  EXPECT_EQ(ended.out, "2\n");
  EXPECT_EQ(Shell("grep -r foo \"$HOME\" \"$XDG_CACHE_HOME\" 2>/dev/null").out, "") << "no answer is in a stored file";
  EXPECT_EQ(Shell("$F search foo a.c <&- 2>&-; echo $?").out, "two foo\nfoo foo\n0\n");
}

TEST_F(Cli, HelpAndVersionSucceed) {
  EXPECT_THAT(Do({"--version"}).out, StartsWith("forge-search "));
  for (const std::vector<std::string>& args : std::vector<std::vector<std::string>>{{"--help"},
                                                                                    {"search", "--help"},
                                                                                    {"call", "-h"},
                                                                                    {"schema", "--help"},
                                                                                    {"config", "--help"},
                                                                                    {"doctor", "--help"}}) {
    const Ended ended = Do(args);
    EXPECT_EQ(ended.exit_code, 0);
    EXPECT_THAT(ended.out, HasSubstr("Usage: forge-search"));
  }
}

}  // namespace
}  // namespace forge::testing
