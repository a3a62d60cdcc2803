#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "tests/testing/cli_fixture.h"

namespace forge::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using testing::kThreeLines;
using ::testing::Not;
using ::testing::StartsWith;

class SearchCommand : public testing::CliFixture {};

TEST_F(SearchCommand, PrintsWhatRipgrepPrints) {
  events_ = kThreeLines;
  EXPECT_EQ(Run({"search", "needle"}), 0);
  EXPECT_EQ(out(), "a.c-before\na.c:a needle\nb.c:needle\x1B[2J\n");
  EXPECT_EQ(err(), "");
  EXPECT_EQ(Run({"search", "-n", "--column", "needle"}), 0);
  EXPECT_EQ(out(), "a.c-1-before\na.c:2:3:a needle\nb.c:9:1:needle\x1B[2J\n");
}

TEST_F(SearchCommand, ContextSeparatesGroups) {
  events_ = kThreeLines;
  EXPECT_EQ(Run({"search", "-C1", "needle"}), 0);
  EXPECT_EQ(out(), "a.c-before\na.c:a needle\n--\nb.c:needle\x1B[2J\n");
}

TEST_F(SearchCommand, ATerminalGetsHeadingsColoursAndNothingThatDrivesIt) {
  events_ = kThreeLines;
  terminal_ = true;
  EXPECT_EQ(Run({"search", "needle"}), 0);
  EXPECT_EQ(out(),
            "\x1B[0m\x1B[35ma.c\x1B[0m\n\x1B[0m\x1B[32m1\x1B[0m-before\n"
            "\x1B[0m\x1B[32m2\x1B[0m:a \x1B[0m\x1B[1m\x1B[31mneedle\x1B[0m\n"
            "\n\x1B[0m\x1B[35mb.c\x1B[0m\n\x1B[0m\x1B[32m9\x1B[0m:\x1B[0m\x1B[1m\x1B[31mneedle\x1B[0m[2J\n");
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
                 "."}),
            1)
      << err();
  EXPECT_EQ(request_.pattern, "pat");
  EXPECT_EQ(request_.path, "");
  EXPECT_EQ(how_.show_as, ".");
  EXPECT_TRUE(request_.fixed_strings && request_.word_regexp && request_.hidden && request_.follow);
  EXPECT_TRUE(request_.no_ignore && !request_.recursive);
  EXPECT_EQ(request_.case_mode, CaseMode::kInsensitive);
  EXPECT_THAT(request_.include_glob, ElementsAre("*.c", "[ab]"));
  EXPECT_THAT(request_.exclude_glob, ElementsAre("x"));
  EXPECT_EQ(request_.context, 2);
  EXPECT_EQ(request_.max_matches_per_file, 3);
  EXPECT_EQ(request_.max_matches, 4);
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
  } cases[] = {
      {{"search", "-e", "-foo", "."}, "-foo"}, {{"search", "--", "-foo", "."}, "-foo"},
      {{"search", "-e", "--"}, "--"},          {{"search", "doctor", "."}, "doctor"},
      {{"search", "search"}, "search"},        {{"search", "[a]"}, "[a]"},
      {{"search", "--regexp=-x"}, "-x"},       {{"search", "-F", "--", "++"}, "++"},
      {{"search", "-e", "++"}, "++"},          {{"search", ""}, ""},
      {{"search", "-e", "-3"}, "-3"},          {{"search", "--", "-3"}, "-3"},
      {{"search", "-ie", "-rn"}, "-rn"},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(Run(c.arguments), 1) << err();
    EXPECT_EQ(request_.pattern, c.pattern);
  }
}

TEST_F(SearchCommand, HabitsOfGrepAreUnderstood) {
  EXPECT_EQ(Run({"search", "-3", "x"}), 1) << err();
  EXPECT_EQ(request_.context, 3);
  EXPECT_EQ(Run({"search", "-rin", "x"}), 1) << err();
  EXPECT_EQ(request_.case_mode, CaseMode::kInsensitive);
  EXPECT_EQ(request_.replacement, std::nullopt);
  EXPECT_EQ(Run({"search", "-R", "-E", "-P", "x"}), 1) << err();
  EXPECT_EQ(Run({"search", "-A=2", "-B", "1", "x"}), 1) << err();
  EXPECT_EQ(request_.after_context, 2);
  EXPECT_EQ(request_.before_context, 1);
  EXPECT_EQ(Run({"search", "-r", "n", "x"}), 1) << err();
  EXPECT_EQ(request_.replacement, "n");
  EXPECT_EQ(Run({"search", "-uuu", "x"}), 1) << err();
  EXPECT_TRUE(request_.no_ignore && request_.hidden && request_.text);
}

TEST_F(SearchCommand, AListOfPatternsIsOneRequest) {
  EXPECT_EQ(Run({"search", "-e", "a", "-e", "b", "."}), 1) << err();
  EXPECT_EQ(request_.pattern, "a");
  EXPECT_THAT(request_.more_patterns, ElementsAre("b"));
  EXPECT_EQ(how_.show_as, ".");
}

TEST_F(SearchCommand, EveryPathIsSearchedInTurn) {
  EXPECT_EQ(Run({"search", "x", ".", "./"}), 1) << err();
  EXPECT_EQ(requests_.size(), 2U);
  EXPECT_EQ(Run({"search", "x", "/nonexistent"}), 2);
  EXPECT_THAT(err(), HasSubstr("/nonexistent: no such file or folder"));
}

TEST_F(SearchCommand, CountsAndNamesComeFromTheFiles) {
  files_ = {{"a.c", 2, 5, 10}, {"b.c", 1, 1, 10}};
  EXPECT_EQ(Run({"search", "-c", "x"}), 0);
  EXPECT_EQ(out(), "a.c:2\nb.c:1\n");
  EXPECT_EQ(request_.report, Report::kCounts);
  EXPECT_EQ(Run({"search", "--count-matches", "x"}), 0);
  EXPECT_EQ(out(), "a.c:5\nb.c:1\n");
  EXPECT_EQ(Run({"search", "-l", "x"}), 0);
  EXPECT_EQ(out(), "a.c\nb.c\n");
  EXPECT_EQ(request_.report, Report::kFirst);
  EXPECT_EQ(Run({"search", "-0l", "x"}), 0);
  EXPECT_EQ(out(), std::string("a.c\0b.c\0", 8));
  EXPECT_EQ(Run({"search", "-q", "x"}), 0);
  EXPECT_EQ(out(), "");
  files_ = {{"a.c", 0, 0, 10}, {"b.c", 1, 1, 10}};
  EXPECT_EQ(Run({"search", "--files-without-match", "x"}), 0);
  EXPECT_EQ(out(), "a.c\n");
  EXPECT_TRUE(how_.on_any_file);
}

TEST_F(SearchCommand, TypesBecomeGlobs) {
  EXPECT_EQ(Run({"search", "-t", "py", "-T", "c", "x"}), 1) << err();
  EXPECT_THAT(request_.type_glob, ElementsAre("*.py"));
  EXPECT_THAT(request_.exclude_type_glob, ElementsAre("*.[chH]", "*.[chH].in", "*.cats"));
  EXPECT_EQ(Run({"search", "--type-add", "mine:*.x", "-tmine", "x"}), 1) << err();
  EXPECT_THAT(request_.type_glob, ElementsAre("*.x"));
  EXPECT_EQ(Run({"search", "-t", "pyt", "x"}), 2);
  EXPECT_THAT(err(), HasSubstr("-t pyt: there is no such type\n  hint: did you mean"));
  EXPECT_EQ(Run({"search", "--type-list"}), 0);
  EXPECT_THAT(out(), HasSubstr("\npy: *.py\n"));
}

TEST_F(SearchCommand, StandardInputIsSearchedIfItHasText) {
  has_input_ = true;
  in_.str("one foo\ntwo\nfoo three foo\n");
  EXPECT_EQ(Run({"search", "-n", "foo"}), 0) << err();
  EXPECT_EQ(out(), "1:one foo\n3:foo three foo\n");
  EXPECT_EQ(engines_, 0) << "no engine is needed";
  EXPECT_EQ(Run({"search", "foo", "."}), 1) << "a path counts more";
  EXPECT_EQ(engines_, 1);
  in_.clear();
  in_.str("x foo\n");
  EXPECT_EQ(Run({"search", "-c", "foo", "-"}), 0) << err();
  EXPECT_EQ(out(), "1\n");
}

// R6, R8: nothing is limited unless an option or a source says so.
TEST_F(SearchCommand, ThatNoFileWasSearchedIsSaid) {
  EXPECT_EQ(Run({"search", "x", "-g", "*.none"}), 1);
  EXPECT_THAT(err(), HasSubstr("no file was searched"));
  response_.files_scanned = 1;
  EXPECT_EQ(Run({"search", "x"}), 1);
  EXPECT_EQ(err(), "");
}

TEST_F(SearchCommand, ThatThereCanBeNoIndexIsSaidOnlyToThoseWhoAskForOne) {
  diagnostics_ = {"the index folder lies in the searched folder"};
  response_.files_scanned = 1;
  EXPECT_EQ(Run({"search", "x"}), 1);
  EXPECT_EQ(err(), "");
  EXPECT_EQ(Run({"search", "x", "--index", "on"}), 1);
  EXPECT_THAT(err(), HasSubstr("warning: the index folder lies"));
}

TEST_F(SearchCommand, PeopleGetEverything) {
  EXPECT_EQ(Run({"search", "x"}), 1);
  constexpr auto kNone = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(options_.config.search.binary, "native");
  EXPECT_EQ(options_.config.search.default_max_results, kNone);
  EXPECT_EQ(options_.config.search.max_file_size_bytes, kNone);
  EXPECT_EQ(Run({"search", "-m", "1000", "--set", "tools.search.max_matches_per_file=50", "x"}), 1) << err();
  EXPECT_EQ(options_.config.search.max_matches_per_file, 1000);
}

TEST_F(SearchCommand, ASearchThatStoppedEarlyHasNotFoundNothing) {
  response_.end = SearchEnd::kTimedOut;
  response_.timed_out = true;
  EXPECT_EQ(Run({"search", "--timeout-ms", "5", "x"}), 2);
  EXPECT_THAT(err(), HasSubstr("the search was not finished; --timeout-ms 5 ended it"));
}

TEST_F(SearchCommand, NotesGoToStandardError) {
  events_ = kThreeLines;
  response_.left_out = {.binary = 4, .binary_paths = {"x.o", "y.o", "z.o"}};
  EXPECT_EQ(Run({"search", "needle"}), 0);
  events_.clear();
  EXPECT_EQ(Run({"search", "needle"}), 0);  // they match
  response_.errors = {{"secret\x1B", "Permission denied"}};
  EXPECT_EQ(Run({"search", "needle"}), 2);
  EXPECT_EQ(err(),
            "forge-search: secret: Permission denied\n"
            "forge-search: 4 binary files with a match not shown; -a shows them: x.o, y.o, z.o and 1 more\n");
  response_.left_out = {.denied = 2, .denied_paths = {"a.pem", ".ssh"}};
  EXPECT_EQ(Run({"search", "needle"}), 2);
  EXPECT_THAT(err(), HasSubstr("2 paths never read, as keys and passwords are (tools.sandbox.denied_patterns, "
                               "include_default_denies): a.pem, .ssh\n"));
  response_.left_out = {};
  EXPECT_EQ(Run({"search", "needle"}), 2);
  EXPECT_EQ(err(), "forge-search: secret: Permission denied\n");
  events_ = kThreeLines;
  EXPECT_EQ(Run({"search", "needle"}), 2);
  EXPECT_EQ(Run({"search", "-q", "needle"}), 0);
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
  EXPECT_EQ(out(), "a.c-before\n");
  EXPECT_EQ(err(), "");
}

TEST_F(SearchCommand, JsonLinesAreThoseOfRipgrep) {
  events_ = {kThreeLines[0], kThreeLines[1]};
  files_ = {{"a.c", 1, 1, 30}};
  response_.files_scanned = 5;
  EXPECT_EQ(Run({"search", "--json", "needle"}), 0);
  EXPECT_THAT(out(), StartsWith(R"({"type":"begin","data":{"path":{"text":"a.c"}}}
{"type":"context","data":{"path":{"text":"a.c"},"lines":{"text":"before\n"},"line_number":1,"absolute_offset":0,"submatches":[]}}
{"type":"match","data":{"path":{"text":"a.c"},"lines":{"text":"a needle\n"},"line_number":2,"absolute_offset":7,"submatches":[{"match":{"text":"needle"},"start":2,"end":8}]}}
{"type":"end","data":{"path":{"text":"a.c"},"binary_offset":null,"stats":{"elapsed":{"secs":0,"nanos":0,"human":"0.000000s"},"searches":1,"searches_with_match":1,"bytes_searched":30,)"));
  EXPECT_THAT(out(), HasSubstr(R"("matched_lines":1,"matches":1}}}
{"type":"summary","data":{"elapsed_total":{)"));
  EXPECT_THAT(out(), HasSubstr(R"("searches":5,"searches_with_match":1,)"));
  events_ = {{Event::Type::kMatch, "b\xFF", 9, 1, "n\xFE", "n", 0, LineEnding::kNone, {{0, 1}}}};
  EXPECT_EQ(Run({"search", "--json", "n"}), 0);
  EXPECT_THAT(out(), HasSubstr(R"("path":{"bytes":"Yv8="},"lines":{"bytes":"bv4="})"));
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
  EXPECT_EQ(out(), "a\\n7:1:forged\\u2028\\u202e:a needle\n");
  terminal_ = true;
  EXPECT_EQ(Run({"search", "--color=never", "needle"}), 0);
  EXPECT_EQ(out(), "a\\n7:1:forged\\u2028\\u202e\n2:a needle\n");
}

TEST_F(SearchCommand, ProblemsOfTheIndexAreWarnings) {
  events_ = kThreeLines;
  diagnostics_ = {"the index folder \x1B is open to others"};
  EXPECT_EQ(Run({"search", "needle", "--index", "auto"}), 0);
  EXPECT_EQ(err().find("forge-search: warning: the index folder "), 0U) << err();
  EXPECT_THAT(err(), Not(HasSubstr("\x1B")));
}

TEST_F(SearchCommand, WhatUsersOfGrepTryGetsAnAnswer) {
  struct Case {
    std::vector<std::string> arguments;
    std::string message;
  };
  const Case cases[] = {
      {{"search", "-U", "x"}, "no option -U\n  hint: a match never spans lines"},
      {{"search", "--multiline", "x"}, "no option --multiline\n  hint: a match never spans lines"},
      {{"search", "-z", "x"}, "no option -z\n  hint: compressed files are not read; in a shell: zcat"},
      {{"search", "--pre", "cat", "x"}, "no option --pre\n"},
      {{"search", "--zort", "x"}, "unknown option --zort\n  hint: did you mean --sort?"},
      {{"search", "--sork", "x"}, "unknown option --sork\n  hint: did you mean --sort?"},
      {{"foo"}, "unknown command foo\n  hint: to search for it: forge-search search foo"},
      {{"don't; x"}, "unknown command don't; x\n  hint: to search for it: forge-search search 'don'\\''t; x'"},
      {{"search", "--colors", "match:fg:pink", "x"}, "--colors match:fg:pink: \"fg:pink\" is not understood"},
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
}

}  // namespace
}  // namespace forge::cli
