#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "cli/command_line.h"
#include "tests/testing/cli_fixture.h"

namespace forge::cli {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::kThreeLines;
using ::testing::StartsWith;

class CliTest : public testing::CliFixture {};

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
       "forge-search: error: unknown option --hiden\n  hint: did you mean --hidden? Or, if it is the pattern, write -e "
       "--hiden\n"},
      {{"--rooot=x", "search", "x"},
       "forge-search: error: unknown option --rooot\n  hint: did you mean --root? Or, if it is the pattern, write -e "
       "--rooot\n"},
      {{"search"},
       "forge-search: error: search needs a PATTERN\n"
       "  hint: forge-search search --help lists commands and options\n"},
      {{"schema", "Search", "c"},
       "forge-search: error: unexpected argument \"c\"\n"
       "  hint: forge-search schema --help lists commands and options\n"},
      {{"config", "pritn"}, "forge-search: error: unknown command pritn\n  hint: did you mean print?\n"},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(Run(c.arguments), 2);
    EXPECT_EQ(err(), c.message);
    EXPECT_EQ(out(), "");
  }
  for (const std::vector<std::string>& bad :
       {std::vector<std::string>{"search", "x", "-C", "-1"}, std::vector<std::string>{"search", "x", "-m", "x"},
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

TEST_F(CliTest, HelpExplainsACommand) {
  EXPECT_EQ(Run({"help", "config", "init"}), 0);
  EXPECT_THAT(out(), HasSubstr("Usage: forge-search config init"));
  EXPECT_EQ(Run({"help", "search"}), 0);
  EXPECT_THAT(out(), HasSubstr("[OPTIONS] PATTERN [PATH...]"));
  EXPECT_EQ(Run({"help"}), 0);
  EXPECT_THAT(out(), HasSubstr("Commands:"));
  EXPECT_EQ(Run({"--version", "--json"}), 0);
  EXPECT_THAT(out(), StartsWith("{\"name\":\"forge-search\",\"version\":\""));
}

void ExpectDescribed(const CommandInfo& command) {
  EXPECT_NE(command.doc, "") << command.name;
  std::set<std::string> names;
  for (const OptionInfo& option : command.options) {
    EXPECT_NE(option.doc, "") << command.name << " " << option.names.front();
    for (const std::string& name : option.names) {
      EXPECT_TRUE(names.insert(name).second) << command.name << " has two options " << name;
    }
  }
  for (const CommandInfo& inner : command.commands) ExpectDescribed(inner);
}

TEST(CommandTable, EveryCommandAndOptionIsDescribed) {
  const CommandInfo program = DescribeCommandLine();
  ExpectDescribed(program);
  ASSERT_EQ(program.commands.size(), CommandTable().size());
  for (const CommandEntry& entry : CommandTable()) {
    EXPECT_EQ(entry.make == nullptr, !entry.commands.empty()) << entry.name << " is either a command or a group";
  }
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

}  // namespace
}  // namespace forge::cli
