#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/testing/cli_fixture.h"

namespace forge::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using testing::kThreeLines;
using ::testing::Not;

class SearchCommand : public testing::CliFixture {};

TEST_F(SearchCommand, PrintsPathLineColumnAndText) {
  events_ = kThreeLines;
  EXPECT_EQ(Run({"search", "needle"}), 0);
  EXPECT_EQ(out(), "a.c-1-before\na.c:2:3:a needle\nb.c:9:1:needle\x1B[2J\n");
  EXPECT_EQ(err(), "");
}

TEST_F(SearchCommand, ContextSeparatesGroups) {
  events_ = kThreeLines;
  EXPECT_EQ(Run({"search", "-C1", "needle"}), 0);
  EXPECT_EQ(out(), "a.c-1-before\na.c:2:3:a needle\n--\nb.c:9:1:needle\x1B[2J\n");
}

TEST_F(SearchCommand, ATerminalGetsHeadingsColoursAndNothingThatDrivesIt) {
  events_ = kThreeLines;
  terminal_ = true;
  EXPECT_EQ(Run({"search", "needle"}), 0);
  EXPECT_EQ(out(),
            "\x1B[35ma.c\x1B[0m\n\x1B[32m1\x1B[0m-before\n\x1B[32m2\x1B[0m:a \x1B[1;31mneedle\x1B[0m\n"
            "\n\x1B[35mb.c\x1B[0m\n\x1B[32m9\x1B[0m:\x1B[1;31mneedle\x1B[0m[2J\n");
}

TEST_F(SearchCommand, ColoursFollowTheFlagThenTheEnvironment) {
  events_ = {kThreeLines[1]};
  const struct {
    bool terminal;
    std::vector<std::string> flags;
    Environment::Variables variables;
    bool color;
  } cases[] = {
      {true, {}, {}, true},
      {false, {}, {}, false},
      {true, {}, {{"NO_COLOR", "1"}}, false},
      {true, {}, {{"NO_COLOR", ""}}, true},
      {true, {}, {{"TERM", "dumb"}}, false},
      {false, {}, {{"CLICOLOR_FORCE", "1"}}, true},
      {false, {}, {{"CLICOLOR_FORCE", "0"}}, false},
      {false, {}, {{"CLICOLOR_FORCE", "1"}, {"NO_COLOR", "1"}}, false},
      {false, {"--color=always"}, {{"NO_COLOR", "1"}}, true},
      {true, {"--color", "never"}, {{"CLICOLOR_FORCE", "1"}}, false},
  };
  for (const auto& c : cases) {
    terminal_ = c.terminal;
    variables_ = c.variables;
    std::vector<std::string> arguments = {"search", "needle"};
    arguments.insert(arguments.end(), c.flags.begin(), c.flags.end());
    EXPECT_EQ(Run(arguments), 0);
    EXPECT_EQ(out().find('\x1B') != std::string::npos, c.color) << ::testing::PrintToString(arguments);
  }
}

TEST_F(SearchCommand, EveryOptionReachesTheRequest) {
  EXPECT_EQ(Run({"search",
                 "-F",
                 "-w",
                 "-i",
                 "-g",
                 "*.c",
                 "-g",
                 "!x",
                 "-g",
                 "[ab]",
                 "-C",
                 "2",
                 "-m",
                 "3",
                 "--max-results",
                 "4",
                 "-.",
                 "-L",
                 "--no-ignore",
                 "--no-recursive",
                 "--max-files",
                 "5",
                 "--max-file-size",
                 "2K",
                 "--timeout-ms=6",
                 "--fuzzy=1",
                 "pat",
                 "dir"}),
            1)
      << err();
  EXPECT_EQ(request_.pattern, "pat");
  EXPECT_EQ(request_.path, "dir");
  EXPECT_TRUE(request_.fixed_strings && request_.word_regexp && request_.hidden && request_.follow);
  EXPECT_TRUE(request_.no_ignore && !request_.recursive);
  EXPECT_EQ(request_.case_mode, CaseMode::kInsensitive);
  EXPECT_THAT(request_.include_glob, ElementsAre("*.c", "[ab]"));
  EXPECT_THAT(request_.exclude_glob, ElementsAre("x"));
  EXPECT_EQ(request_.context, 2);
  EXPECT_EQ(request_.max_matches_per_file, 3);
  EXPECT_EQ(request_.max_results, 4);
  EXPECT_EQ(request_.max_files, 5);
  EXPECT_EQ(request_.max_file_size_bytes, 2048);
  EXPECT_EQ(request_.timeout, std::chrono::milliseconds(6));
  EXPECT_EQ(request_.fuzzy, 1);
}

TEST_F(SearchCommand, WithoutOptionsTheRequestIsTheDefaultOne) {
  EXPECT_EQ(Run({"search", "pat"}), 1);
  EXPECT_EQ(request_.path, "");
  EXPECT_EQ(request_.max_results, std::nullopt);
  EXPECT_TRUE(request_.recursive);
  EXPECT_EQ(request_.case_mode, CaseMode::kSmart);
}

TEST_F(SearchCommand, OfTheCaseOptionsTheLastOneWins) {
  Run({"search", "-i", "-s", "x"});
  EXPECT_EQ(request_.case_mode, CaseMode::kSensitive);
  Run({"search", "-s", "-i", "x"});
  EXPECT_EQ(request_.case_mode, CaseMode::kInsensitive);
}

TEST_F(SearchCommand, APatternMayLookLikeAnOptionOrACommand) {
  const struct {
    std::vector<std::string> arguments;
    std::string pattern;
    std::string path;
  } cases[] = {
      {{"search", "-e", "-foo", "dir"}, "-foo", "dir"},
      {{"search", "--", "-foo", "dir"}, "-foo", "dir"},
      {{"search", "-e", "--"}, "--", ""},
      {{"search", "doctor", "call"}, "doctor", "call"},
      {{"search", "search"}, "search", ""},
      {{"search", "[a]"}, "[a]", ""},
      {{"search", "--regexp=-x"}, "-x", ""},
      {{"search", "-F", "--", "++"}, "++", ""},
      {{"search", "-e", "++"}, "++", ""},
      {{"search", ""}, "", ""},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(Run(c.arguments), 1) << err();
    EXPECT_EQ(request_.pattern, c.pattern);
    EXPECT_EQ(request_.path, c.path);
  }
}

TEST_F(SearchCommand, NotesGoToStandardErrorAndLeaveTheStatusAlone) {
  events_ = kThreeLines;
  response_.notes = {"truncated.", "2 skipped."};
  response_.errors = {{"secret\x1B", "Permission denied"}};
  EXPECT_EQ(Run({"search", "needle"}), 0);
  EXPECT_EQ(err(), "forge-search: secret: Permission denied\nforge-search: truncated.\nforge-search: 2 skipped.\n");
  events_.clear();
  response_.notes.clear();
  EXPECT_EQ(Run({"search", "needle"}), 1);
  EXPECT_EQ(err(), "forge-search: secret: Permission denied\n");
}

TEST_F(SearchCommand, AFailedSearchExitsTwo) {
  search_error_ = BadArgs("pattern: is bad");
  EXPECT_EQ(Run({"search", "x"}), 2);
  EXPECT_EQ(err(), "forge-search: error: pattern: is bad\n");
  create_error_ = ExecutionFailed("no such root");
  EXPECT_EQ(Run({"search", "x"}), 2);
  EXPECT_EQ(err(), "forge-search: error: no such root\n");
  EXPECT_EQ(Run({"search", "x", "--set", "tools.search.enabled=false"}), 2);
  EXPECT_THAT(err(), HasSubstr("switched off by tools.search.enabled = false (--set)"));
  EXPECT_EQ(Run({"search", "x", "--config", "/nonexistent"}), 2);
  EXPECT_THAT(err(), HasSubstr("cannot read the configuration /nonexistent"));
}

TEST_F(SearchCommand, AnInterruptEndsTheSearchWith130) {
  events_ = kThreeLines;
  interrupt_ = true;
  EXPECT_EQ(Run({"search", "x"}), 130);
  EXPECT_EQ(out(), "a.c-1-before\n");
  EXPECT_EQ(err(), "");
}

TEST_F(SearchCommand, JsonLinesHaveTheShapeOfRipgrep) {
  events_ = {kThreeLines[0], kThreeLines[1], {Event::Type::kMatch, "b\xFF", 9, 1, "n", "n"}};
  response_.files_scanned = 5;
  EXPECT_EQ(Run({"search", "--json", "needle"}), 0);
  EXPECT_EQ(out(),
            R"({"type":"begin","data":{"path":{"text":"a.c"}}}
{"type":"context","data":{"path":{"text":"a.c"},"lines":{"text":"before"},"line_number":1,"submatches":[]}}
{"type":"match","data":{"path":{"text":"a.c"},"lines":{"text":"a needle"},"line_number":2,"submatches":[{"match":{"text":"needle"},"start":2,"end":8}]}}
{"type":"end","data":{"path":{"text":"a.c"},"stats":{"matched_lines":1}}}
{"type":"begin","data":{"path":{"text":"b)"
            "\uFFFD"
            R"("}}}
{"type":"match","data":{"path":{"text":"b)"
            "\uFFFD"
            R"("},"lines":{"text":"n"},"line_number":9,"submatches":[{"match":{"text":"n"},"start":0,"end":1}]}}
{"type":"end","data":{"path":{"text":"b)"
            "\uFFFD"
            R"("},"stats":{"matched_lines":1}}}
{"type":"summary","data":{"v":1,"stats":{"searches":5,"searches_with_match":2,"matched_lines":2},"truncated":false,"timed_out":false,"errors":[]}}
)");
}

// A script must not take a part of an answer for all of it.
TEST_F(SearchCommand, AFailureAfterResultsIsAnError) {
  events_ = kThreeLines;
  for (const SearchEnd end : {SearchEnd::kBackendFailed, SearchEnd::kBackendNotStarted, SearchEnd::kOutOfMemory}) {
    response_.end = end;
    response_.stderr_text = "what went wrong";
    EXPECT_EQ(Run({"search", "needle"}), 2);
    EXPECT_THAT(out(), HasSubstr("a needle"));
    EXPECT_THAT(err(), HasSubstr("forge-search: what went wrong\n"));
  }
}

TEST_F(SearchCommand, ANameIsOnOneLineInAPipeAndOnATerminal) {
  events_ = {{Event::Type::kMatch, "a\n7:1:forged\u2028\u202E", 2, 3, "a needle", "needle"}};
  EXPECT_EQ(Run({"search", "needle"}), 0);
  EXPECT_EQ(out(), "a\\n7:1:forged\\u2028\\u202e:2:3:a needle\n");
  terminal_ = true;
  EXPECT_EQ(Run({"search", "--color=never", "needle"}), 0);
  EXPECT_EQ(out(), "a\\n7:1:forged\\u2028\\u202e\n2:a needle\n");
}

TEST_F(SearchCommand, ProblemsOfTheIndexAreWarnings) {
  events_ = kThreeLines;
  diagnostics_ = {"the index folder \x1B is open to others"};
  EXPECT_EQ(Run({"search", "needle"}), 0);
  EXPECT_EQ(err().find("forge-search: warning: the index folder "), 0U) << err();
  EXPECT_THAT(err(), Not(HasSubstr("\x1B")));
}

TEST_F(SearchCommand, WhatUsersOfGrepTryGetsAnAnswer) {
  struct Case {
    std::vector<std::string> arguments;
    std::string message;
  };
  const Case cases[] = {
      {{"search", "-A3", "x"}, "no option -A\n  hint: -C N shows lines before and after"},
      {{"search", "-n", "x"}, "no option -n\n  hint: line numbers are always printed"},
      {{"search", "-l", "x"}, "no option -l\n  hint: there is no list of files"},
      {{"search", "-c", "x"}, "no option -c\n  hint: there is no count"},
      {{"search", "-v", "x"}, "no option -v\n"},
      {{"search", "-t", "py", "x"}, "no option -t\n  hint: write a glob: -g '*.py'"},
      {{"search", "-e", "a", "-e", "b"}, "-e is given 2 times\n  hint: write alternatives as -e 'a|b'"},
      {{"search", "a", "src", "tests"}, "search takes one PATH, and \"tests\" is one more"},
      {{"search", "--fuzzy", "9", "x"}, "--fuzzy: is \"9\"; must be a whole number of at least 1 and at most 4"},
      {{"search", "--max-results", "0", "x"}, "--max-results: is \"0\"; must be a whole number of at least 1\n"},
      {{"search", "--max-results", "1.5", "x"}, "is \"1.5\"; must be a whole number"},
      {{"search", "--backend", "", "x"}, "--backend is empty"},
      {{"help", "serach"}, "unknown command serach\n  hint: did you mean search?"},
      {{"config", "init", "--path", "/nonexistent/c.toml"}, "there is no folder /nonexistent"},
      {{"setup", "emacs"}, "emacs"},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(Run(c.arguments), 2);
    EXPECT_THAT(err(), HasSubstr(c.message));
  }
}

TEST_F(SearchCommand, AnErrorInThePatternIsPointedAt) {
  search_error_ = Error{.kind = ErrorKind::kBadArgs,
                        .message = "pattern: missing closing parenthesis at offset 5",
                        .code = ErrorCode::kBadPattern,
                        .offset = 5};
  EXPECT_EQ(Run({"search", "é\ta(b"}), 2);
  EXPECT_THAT(err(), EndsWith("at offset 5\n  é\ta(b\n      ^\n"));
  search_error_ = Error{.kind = ErrorKind::kBadArgs,
                        .message = "max_files: is 9; at most 5 is allowed by the configuration",
                        .code = ErrorCode::kOverCap,
                        .field = "max_files",
                        .key = "tools.search.max_files",
                        .value = 9};
  EXPECT_EQ(Run({"search", "x"}), 2);
  EXPECT_THAT(err(), EndsWith("  hint: --set tools.search.max_files=9 raises the limit\n"));
}

}  // namespace
}  // namespace forge::cli
