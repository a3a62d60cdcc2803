#include "cli/cli.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>

#include "tests/testing/fake_engine.h"
#include "tests/testing/temp_tree.h"

namespace forge::cli {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

const std::vector<Event> kThreeLines = {
    {Event::Type::kContext, "a.c", 1, 0, "before", ""},
    {Event::Type::kMatch, "a.c", 2, 3, "a needle", "needle"},
    {Event::Type::kMatch, "b.c", 9, 1, "needle\x1B[2J", "needle"},
};

// Runs the command line against an engine that answers with `events`.
class CliTest : public ::testing::Test {
 protected:
  int Run(std::vector<std::string> arguments) {
    out_.str("");
    err_.str("");
    out_.clear();
    Host host{.in = in_,
              .out = out_,
              .err = err_,
              .out_is_terminal = terminal_,
              .err_is_terminal = false,
              .environment = Environment(variables_),
              .create_engine = [this](EngineOptions options) { return Create(std::move(options)); },
              .stop = stop_};
    return RunCli(arguments, host);
  }

  Result<std::unique_ptr<Engine>> Create(EngineOptions options) {
    options_ = options;
    ++engines_;
    if (create_error_) return *create_error_;
    const auto answer = [this](const SearchRequest& request, const SearchOptions& how) { return Answer(request, how); };
    auto engine = std::make_unique<testing::FakeEngine>(std::move(options), answer, backends_);
    engine->statuses = statuses_;
    engine->diagnostics = diagnostics_;
    return std::unique_ptr<Engine>(std::move(engine));
  }

  Result<SearchResponse> Answer(const SearchRequest& request, const SearchOptions& how) {
    request_ = request;
    SearchResponse response = response_;
    response.pattern = request.pattern;
    response.path = "/fake";
    for (const Event& event : events_) {
      if (how.on_event) how.on_event(event);
      if (interrupt_) stop_.Cancel();
      if (how.cancel.cancelled()) return Cancelled();
      response.matches.push_back(event);
    }
    if (search_error_) return *search_error_;
    return response;
  }

  std::string out() const { return out_.str(); }
  std::string err() const { return err_.str(); }

  std::vector<Event> events_;
  SearchResponse response_;
  std::optional<Error> create_error_;
  std::optional<Error> search_error_;
  bool interrupt_ = false;
  bool terminal_ = false;
  Environment::Variables variables_;
  std::vector<BackendReport> backends_ = {{"ugrep", "/usr/bin/ugrep", "ugrep@3.11.2", {"pcre2", "fuzzy"}, true, ""}};
  std::vector<IndexStatus> statuses_;
  std::vector<std::string> diagnostics_;
  CancelSource stop_;

  std::istringstream in_;
  std::ostringstream out_;
  std::ostringstream err_;
  EngineOptions options_;
  SearchRequest request_;
  int engines_ = 0;
};

TEST_F(CliTest, SearchPrintsPathLineColumnAndText) {
  events_ = kThreeLines;
  EXPECT_EQ(Run({"search", "needle"}), 0);
  EXPECT_EQ(out(), "a.c-1-before\na.c:2:3:a needle\nb.c:9:1:needle\x1B[2J\n");
  EXPECT_EQ(err(), "");
}

TEST_F(CliTest, SearchWithContextSeparatesGroups) {
  events_ = kThreeLines;
  EXPECT_EQ(Run({"search", "-C1", "needle"}), 0);
  EXPECT_EQ(out(), "a.c-1-before\na.c:2:3:a needle\n--\nb.c:9:1:needle\x1B[2J\n");
}

TEST_F(CliTest, ATerminalGetsHeadingsColoursAndNothingThatDrivesIt) {
  events_ = kThreeLines;
  terminal_ = true;
  EXPECT_EQ(Run({"search", "needle"}), 0);
  EXPECT_EQ(out(),
            "\x1B[35ma.c\x1B[0m\n\x1B[32m1\x1B[0m-before\n\x1B[32m2\x1B[0m:a \x1B[1;31mneedle\x1B[0m\n"
            "\n\x1B[35mb.c\x1B[0m\n\x1B[32m9\x1B[0m:\x1B[1;31mneedle\x1B[0m[2J\n");
}

TEST_F(CliTest, ColoursFollowTheFlagThenTheEnvironment) {
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

TEST_F(CliTest, EveryOptionReachesTheRequest) {
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
  EXPECT_EQ(request_.timeout_ms, 6);
  EXPECT_EQ(request_.fuzzy, 1);
}

TEST_F(CliTest, WithoutOptionsTheRequestIsTheDefaultOne) {
  EXPECT_EQ(Run({"search", "pat"}), 1);
  EXPECT_EQ(request_.path, "");
  EXPECT_EQ(request_.max_results, std::nullopt);
  EXPECT_TRUE(request_.recursive);
  EXPECT_EQ(request_.case_mode, CaseMode::kSmart);
}

TEST_F(CliTest, OfTheCaseOptionsTheLastOneWins) {
  Run({"search", "-i", "-s", "x"});
  EXPECT_EQ(request_.case_mode, CaseMode::kSensitive);
  Run({"search", "-s", "-i", "x"});
  EXPECT_EQ(request_.case_mode, CaseMode::kInsensitive);
}

TEST_F(CliTest, APatternMayLookLikeAnOptionOrACommand) {
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

TEST_F(CliTest, GlobalOptionsStandBeforeOrAfterTheCommand) {
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"--root", "r1", "--root", "r2", "--cwd", "w", "--set", "tools.search.max_files=7",
                                 "--backend", "rg", "search", "x"},
        std::vector<std::string>{"search", "x", "--root", "r1", "--root=r2", "--cwd", "w", "--set",
                                 "tools.search.max_files=7", "--backend", "rg"}}) {
    EXPECT_EQ(Run(arguments), 1) << err();
    EXPECT_THAT(options_.roots, ElementsAre("r1", "r2"));
    EXPECT_EQ(options_.working_dir, "w");
    EXPECT_EQ(options_.config.search.max_files, 7);
    EXPECT_EQ(options_.config.search.binary, "rg");
    EXPECT_EQ(options_.config.search.fallback_binary, "");
  }
}

TEST_F(CliTest, UsageErrorsSayWhatWasMeantAndExitTwo) {
  const struct {
    std::vector<std::string> arguments;
    std::string message;
  } cases[] = {
      {{"serach", "x"}, "forge-search: error: unknown command serach\n  hint: did you mean search?\n"},
      {{"search", "x", "--hiden"},
       "forge-search: error: unknown option --hiden\n  hint: did you mean --hidden?; if it is the pattern, write -e "
       "--hiden\n"},
      {{"--rooot=x", "search", "x"},
       "forge-search: error: unknown option --rooot\n  hint: did you mean --root?; if it is the pattern, write -e "
       "--rooot\n"},
      {{"search"},
       "forge-search: error: search needs a PATTERN\n"
       "  hint: forge-search search --help lists what there is\n"},
      {{"search", "a", "b", "c"},
       "forge-search: error: search takes one PATH, and \"c\" is one more\n"
       "  hint: search a folder that holds them all, and narrow it with -g 'GLOB'\n"},
      {{"search", "-e", "a", "b", "c"},
       "forge-search: error: unexpected argument \"c\": -e already gave the pattern\n"
       "  hint: forge-search search --help lists what there is\n"},
      {{"config", "pritn"}, "forge-search: error: unknown command pritn\n  hint: did you mean print?\n"},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(Run(c.arguments), 2);
    EXPECT_EQ(err(), c.message);
    EXPECT_EQ(out(), "");
  }
  for (const std::vector<std::string>& bad :
       {std::vector<std::string>{"search", "x", "-C", "-1"}, std::vector<std::string>{"search", "x", "-m", "0"},
        std::vector<std::string>{"search", "x", "-C", "many"}, std::vector<std::string>{"search", "x", "--fuzzy", "5"},
        std::vector<std::string>{"search", "x", "--color", "pink"}, std::vector<std::string>{"search", "x", "--glob"},
        std::vector<std::string>{"search", "x", "--max-file-size", "2X"}, std::vector<std::string>{"config"},
        std::vector<std::string>{"schema", "--format", "soap"}, std::vector<std::string>{}}) {
    EXPECT_EQ(Run(bad), 2) << ::testing::PrintToString(bad);
    EXPECT_THAT(err(), HasSubstr("forge-search: error: "));
    EXPECT_EQ(engines_, 0);
  }
}

TEST_F(CliTest, HelpAndVersionGoToStandardOutput) {
  EXPECT_EQ(Run({"--version"}), 0);
  EXPECT_THAT(out(), StartsWith("forge-search 0."));
  EXPECT_EQ(Run({"--help"}), 0);
  EXPECT_THAT(out(), AllOf(HasSubstr("search"), HasSubstr("Examples:")));
  EXPECT_EQ(Run({"search", "--help"}), 0);
  EXPECT_THAT(out(), AllOf(HasSubstr("--max-results"), HasSubstr("Examples:")));
  EXPECT_EQ(Run({"config", "init", "--help"}), 0);
  EXPECT_THAT(out(), HasSubstr("--path"));
  EXPECT_EQ(err(), "");
}

TEST_F(CliTest, NotesGoToStandardErrorAndLeaveTheStatusAlone) {
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

TEST_F(CliTest, AFailedSearchExitsTwo) {
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

TEST_F(CliTest, AnInterruptEndsTheSearchWith130) {
  events_ = kThreeLines;
  interrupt_ = true;
  EXPECT_EQ(Run({"search", "x"}), 130);
  EXPECT_EQ(out(), "a.c-1-before\n");
  EXPECT_EQ(err(), "");
}

TEST_F(CliTest, JsonLinesHaveTheShapeOfRipgrep) {
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

TEST_F(CliTest, CallPrintsOneDocument) {
  events_ = {kThreeLines[1]};
  for (const std::string_view name : {"Search", "rg", "search_files"}) {
    EXPECT_EQ(Run({"call", std::string(name), R"({"pattern":"needle"})"}), 0);
    EXPECT_EQ(
        out(),
        R"({"pattern":"needle","path":"/fake","count":1,"matches":[{"type":"match","data":{"path":{"text":"a.c"},)"
        R"("line_number":2,"column":3,"lines":{"text":"a needle"},"match_text":"needle"}}],"truncated":false,)"
        R"("timed_out":false,"files_scanned":0,"errors":[],"content":""})"
        "\n");
  }
}

TEST_F(CliTest, CallReadsStandardInputIfItIsGivenNothingElse) {
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"call", "Search"}, std::vector<std::string>{"call", "Search", "-"}}) {
    in_.clear();
    in_.str(R"({"pattern":"from stdin"})");
    EXPECT_EQ(Run(arguments), 0);
    EXPECT_EQ(request_.pattern, "from stdin");
  }
}

TEST_F(CliTest, WhateverGoesWrongInACallIsOneJsonDocument) {
  const struct {
    std::vector<std::string> arguments;
    std::string document;
  } cases[] = {
      {{"call", "Search", "{"}, R"({"error":{"kind":"BadArgs","message":"the request is not valid JSON: )"},
      {{"call", "Search", "{}"},
       R"({"error":{"kind":"BadArgs","message":"pattern: is missing; must be a string that is not empty"}})"},
      {{"call", "Serch", "{}"}, R"({"error":{"kind":"UnknownTool","message":"there is no tool \"Serch\"; did you )"},
      {{"call"}, R"({"error":{"kind":"BadArgs","message":"TOOL is required; )"},
      {{"call", "Search", "{}", "more"}, R"({"error":{"kind":"BadArgs","message":"unexpected argument \"more\"; )"},
      {{"call", "Search", "--frob"}, R"({"error":{"kind":"BadArgs","message":"unknown option --frob; )"},
      {{"call", "Search", "{}", "--config", "/nonexistent"},
       R"({"error":{"kind":"ExecutionFailed","message":"cannot read the configuration /nonexistent: )"},
      {{"call", "Search", "{}", "--set", "tools.search.max_files=0"},
       R"({"error":{"kind":"ExecutionFailed","message":"tools.search.max_files is 0 (--set), but must be )"},
      {{"call", "Search", "{}", "--set", "tools.search.enabled=false"},
       R"({"error":{"kind":"SandboxViolation","reason":"Disabled","message":"tool disabled: Search is switched off )"},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(Run(c.arguments), 2);
    EXPECT_THAT(out(), AllOf(StartsWith(c.document), EndsWith("}}\n")));
    EXPECT_EQ(engines_, 0);
  }
  create_error_ = ExecutionFailed("no such root");
  EXPECT_EQ(Run({"call", "Search", R"({"pattern":"x"})"}), 2);
  EXPECT_EQ(out(), "{\"error\":{\"kind\":\"ExecutionFailed\",\"message\":\"no such root\"}}\n");
}

TEST_F(CliTest, SchemaPrintsOneToolOrAll) {
  EXPECT_EQ(Run({"schema", "rg", "--format", "anthropic"}), 0);
  EXPECT_THAT(out(), AllOf(StartsWith("{\n  \"name\": \"Search\""), HasSubstr("\"input_schema\"")));
  EXPECT_EQ(Run({"schema"}), 0);
  EXPECT_THAT(out(), AllOf(StartsWith("[\n"), HasSubstr("\"inputSchema\"")));
  EXPECT_EQ(Run({"schema", "--set", "tools.search.enabled=false"}), 0);
  EXPECT_EQ(out(), "[]\n");
  EXPECT_EQ(Run({"schema", "nope"}), 2);
  EXPECT_EQ(engines_, 0);
}

TEST_F(CliTest, ConfigPrintShowsOriginsOnRequest) {
  EXPECT_EQ(Run({"config", "print", "--origin", "--set", "tools.search.max_files=5"}), 0);
  EXPECT_THAT(out(), HasSubstr("max_files = 5  # --set\n"));
  EXPECT_EQ(Run({"config", "print"}), 0);
  EXPECT_THAT(out(), HasSubstr("max_files = 10000\n"));
}

TEST_F(CliTest, ConfigInitWritesAFileOnceAndForTheOwnerOnly) {
  testing::TempTree home;
  variables_["HOME"] = home.root();
  EXPECT_EQ(Run({"config", "init"}), 0) << err();
  const std::string path = home.Path(".forge/config.toml");
  EXPECT_EQ(out(), "wrote " + path + "\n");
  EXPECT_EQ(std::filesystem::status(path).permissions(),
            std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(home.Path(".forge")), {}), 1);
  EXPECT_EQ(Run({"config", "check"}), 0);
  EXPECT_EQ(out(), path + ": ok\n");
  home.Write(".forge/config.toml", "mine = 1");
  EXPECT_EQ(Run({"config", "init"}), 2);
  EXPECT_EQ(home.Read(".forge/config.toml"), "mine = 1");
  EXPECT_EQ(Run({"config", "check"}), 0);
  EXPECT_EQ(out(), path + ": 1 warning\n");
  EXPECT_EQ(Run({"config", "init", "--path", home.Path("other.toml")}), 0);
}

TEST_F(CliTest, DoctorExitsByTheWorstFinding) {
  variables_["HOME"] = "/nonexistent";
  EXPECT_EQ(Run({"doctor"}), 0) << out();
  EXPECT_THAT(out(), AllOf(HasSubstr("ok       ugrep: /usr/bin/ugrep, ugrep@3.11.2 (pcre2, fuzzy)\n"),
                           EndsWith("All is well.\n")));
  backends_.push_back({"rg", "", "", {}, false, "not found"});
  EXPECT_EQ(Run({"doctor"}), 1);
  EXPECT_THAT(out(), AllOf(HasSubstr("warning  rg: not found\n           hint: install"), EndsWith("1 problem.\n")));
  backends_.erase(backends_.begin());
  EXPECT_EQ(Run({"doctor", "--json"}), 2);
  EXPECT_THAT(out(), HasSubstr("\"status\": \"failure\""));
  create_error_ = ExecutionFailed("no such root");
  EXPECT_EQ(Run({"doctor"}), 2);
  EXPECT_THAT(out(), HasSubstr("failure  no such root"));
  EXPECT_EQ(Run({"doctor", "--config", "/nonexistent"}), 2);
}

TEST_F(CliTest, DoctorTellsOfEachIndexAndModel) {
  variables_ = {{"HOME", "/nonexistent"}};
  EXPECT_EQ(Run({"doctor"}), 0) << out();
  EXPECT_THAT(out(), AllOf(HasSubstr("Index\n  ok       off"), HasSubstr("Models\n  ok       none")));

  variables_["OPENAI_API_KEY"] = "sk-secret";
  IndexStatus& status = statuses_.emplace_back();
  status.root = "/fake";
  status.state = "UNCERTAIN";
  status.reason = "OPEN_REQUIRES_VALIDATION";
  status.storage = "sqlite";
  status.files = 7;
  EXPECT_EQ(Run({"doctor", "--index", "on"}), 0) << out();
  EXPECT_THAT(out(), AllOf(HasSubstr("ok       /fake: UNCERTAIN (OPEN_REQUIRES_VALIDATION), sqlite, 7 files\n"),
                           HasSubstr("ok       gpt5-mini\n"), Not(HasSubstr("sk-secret")), Not(HasSubstr("claude"))));
  EXPECT_EQ(Run({"doctor", "--set", "tools.keyword_search.enabled=false"}), 0);
  EXPECT_THAT(out(), AllOf(HasSubstr("keyword_search is switched off"), Not(HasSubstr("gpt5-mini"))));

  status.problem = "the root is gone";
  diagnostics_ = {"index_roots: nope"};
  EXPECT_EQ(Run({"doctor", "--index", "on"}), 1);
  EXPECT_THAT(out(), AllOf(HasSubstr("7 files: the root is gone\n"), HasSubstr("warning  index_roots: nope\n")));
}

TEST_F(CliTest, ProblemsOfTheIndexAreWarnings) {
  events_ = kThreeLines;
  diagnostics_ = {"the index folder \x1B is open to others"};
  EXPECT_EQ(Run({"search", "needle"}), 0);
  EXPECT_EQ(err().find("forge-search: warning: the index folder "), 0U) << err();
  EXPECT_THAT(err(), Not(HasSubstr("\x1B")));
}

// A stream that takes `room` bytes and then fails, as a closed pipe does.
class ClosingBuffer : public std::streambuf {
 public:
  explicit ClosingBuffer(int room, int error) : room_(room), error_(error) {}

 protected:
  int overflow(int c) override {
    if (room_-- > 0) return c;
    errno = error_;
    return EOF;
  }

 private:
  int room_;
  int error_;
};

TEST_F(CliTest, AClosedPipeEndsQuietlyAndAFullDiskDoesNot) {
  events_ = kThreeLines;
  const auto run = [this](int error) {
    ClosingBuffer buffer(20, error);
    std::ostream out(&buffer);
    err_.str("");
    CancelSource stop;
    Host host{.in = in_,
              .out = out,
              .err = err_,
              .environment = {},
              .create_engine = [this](EngineOptions options) { return Create(std::move(options)); },
              .stop = stop};
    return RunCli({"search", "x"}, host);
  };
  EXPECT_EQ(run(EPIPE), 0);
  EXPECT_EQ(err(), "");
  EXPECT_EQ(run(ENOSPC), 2);
  EXPECT_EQ(err(), "forge-search: error: cannot write the output: No space left on device\n");
}

TEST_F(CliTest, WhatSomebodyFromGrepTriesGetsAnAnswer) {
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

TEST_F(CliTest, AnErrorInThePatternIsPointedAt) {
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

TEST_F(CliTest, AnEmptyRequestIsExplained) {
  EXPECT_EQ(Run({"call", "Search"}), 2);
  EXPECT_THAT(out(), HasSubstr("the request is empty; give the arguments as JSON"));
}

TEST_F(CliTest, HelpExplainsACommand) {
  EXPECT_EQ(Run({"help", "config", "init"}), 0);
  EXPECT_THAT(out(), HasSubstr("Usage: forge-search config init"));
  EXPECT_EQ(Run({"help", "search"}), 0);
  EXPECT_THAT(out(), HasSubstr("[OPTIONS] PATTERN [PATH]"));
  EXPECT_EQ(Run({"help"}), 0);
  EXPECT_THAT(out(), HasSubstr("Commands:"));
  EXPECT_EQ(Run({"--version", "--json"}), 0);
  EXPECT_THAT(out(), StartsWith("{\"name\":\"forge-search\",\"version\":\""));
}

TEST_F(CliTest, EveryCommandIsInTheCompletionsAndTheManualPage) {
  for (const std::vector<std::string>& command : std::vector<std::vector<std::string>>{
           {"completions", "bash"}, {"completions", "zsh"}, {"completions", "fish"}, {"help", "--man"}}) {
    EXPECT_EQ(Run(command), 0);
    for (const char* word : {"search", "call", "mcp", "setup", "opencode", "doctor", "fixed", "reference"}) {
      EXPECT_THAT(out(), HasSubstr(word)) << command[1];
    }
  }
}

TEST_F(CliTest, SetupWritesOnceKeepsACopyAndLeavesCommentsAlone) {
  testing::TempTree home;
  variables_["HOME"] = home.root();
  EXPECT_EQ(Run({"setup", "cursor"}), 0);
  EXPECT_THAT(out(), HasSubstr("\"mcpServers\""));
  EXPECT_FALSE(std::filesystem::exists(home.Path(".cursor/mcp.json"))) << "it only prints";
  EXPECT_EQ(Run({"setup", "cursor", "--write"}), 0);
  EXPECT_EQ(out(), "wrote " + home.Path(".cursor/mcp.json") + "\n");
  EXPECT_EQ(Run({"setup", "cursor", "--write"}), 0);
  EXPECT_EQ(out(), home.Path(".cursor/mcp.json") + " has it already\n");
  home.Write(".codex/config.toml", "model = \"x\"\n");
  EXPECT_EQ(Run({"setup", "codex", "--write"}), 0);
  EXPECT_EQ(home.Read(".codex/config.toml.before-forge-search"), "model = \"x\"\n");
  EXPECT_THAT(home.Read(".codex/config.toml"), StartsWith("model = \"x\"\n\n[mcp_servers.forge-search]\n"));
  home.Write(".gemini/settings.json", "{} // mine\n");
  EXPECT_EQ(Run({"setup", "gemini", "--write"}), 2);
  EXPECT_THAT(err(), HasSubstr("was left as it is"));
  EXPECT_EQ(home.Read(".gemini/settings.json"), "{} // mine\n");
  EXPECT_EQ(Run({"setup", "codex", "--project"}), 2);
  EXPECT_EQ(Run({"doctor"}), 1) << out();
  EXPECT_THAT(out(), AllOf(HasSubstr("cursor would start forge-search, which is not there"), HasSubstr("codex")));
}

}  // namespace
}  // namespace forge::cli
