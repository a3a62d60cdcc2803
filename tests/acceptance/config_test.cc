// Configuration (CFG-LS-01 to 05, R8, R9, A6) and doctor.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "tests/acceptance/answer.h"
#include "tests/testing/places.h"

namespace forge::testing {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::Not;

struct Config : ::testing::Test {
  Ended Do(std::vector<std::string> args, std::map<std::string, std::string> env = {}) {
    Command command = ForgeSearch(std::move(args));
    command.cwd = tree.root();
    command.env["HOME"] = home.root();
    command.env["XDG_CONFIG_HOME"] = home.Path("xdg");
    for (const auto& [key, value] : env) command.env[key] = value;
    return RunProgram(command);
  }
  std::string MaxFiles(std::vector<std::string> more = {}, std::map<std::string, std::string> env = {}) {
    more.insert(more.begin(), {"config", "print"});
    const std::string out = Do(more, std::move(env)).out;
    const auto at = out.find("\nmax_files = ");
    return at == std::string::npos ? out : out.substr(at + 13, out.find_first_of(" \n", at + 13) - at - 13);
  }
  TempTree tree;
  TempTree home;
};

TEST_F(Config, DefaultsAreTheSpecifications) {
  const std::string out = Do({"config", "print"}).out;
  for (const char* line :
       {"binary = \"ugrep\"", "fallback_binary = \"rg\"", "default_timeout_ms = 20000", "default_max_results = 200",
        "max_matches_per_file = 50", "max_files = 10000", "max_file_size_bytes = 2000000"}) {
    EXPECT_THAT(out, HasSubstr(line));
  }
}

TEST_F(Config, TheOrderOfSources) {  // R9
  EXPECT_EQ(MaxFiles(), "10000");
  home.Write("xdg/forge/config.toml", "[tools.search]\nmax_files = 1\n");
  EXPECT_EQ(MaxFiles(), "1");
  home.Write(".forge/config.toml", "[tools.search]\nmax_files = 2\n");
  EXPECT_EQ(MaxFiles(), "2");
  home.Write("env.toml", "[tools.search]\nmax_files = 3\n");
  EXPECT_EQ(MaxFiles({}, {{"FORGE_CONFIG", home.Path("env.toml")}}), "3");
  home.Write("flag.toml", "[tools.search]\nmax_files = 4\n");
  EXPECT_EQ(MaxFiles({"--config", home.Path("flag.toml")}, {{"FORGE_CONFIG", home.Path("env.toml")}}), "4");
  EXPECT_EQ(MaxFiles({"--config", home.Path("flag.toml")}, {{"FORGE_SEARCH_MAX_FILES", "5"}}), "5");
  EXPECT_EQ(MaxFiles({"--set", "tools.search.max_files=6"}, {{"FORGE_SEARCH_MAX_FILES", "5"}}), "6");
}

TEST_F(Config, WrongValuesNameTheKey) {
  for (const char* line :
       {"max_files = 0", "max_files = -1", "max_files = \"5\"", "max_files = 1.5", "max_files = true",
        "default_timeout_ms = 0", "default_max_results = 0", "max_matches_per_file = 0", "max_file_size_bytes = []",
        "binary = 7", "binary = \"\"", "enabled = \"yes\"", "fallback_binary = false"}) {
    home.Write("c.toml", std::string("[tools.search]\n") + line + "\n");
    const Ended ended = Do({"config", "check", "--config", home.Path("c.toml")});
    EXPECT_EQ(ended.exit_code, 2) << line;
    EXPECT_THAT(ended.out + ended.err, HasSubstr(std::string(line).substr(0, std::string(line).find(' ')))) << line;
    EXPECT_EQ(Do({"search", "foo", "--config", home.Path("c.toml")}).exit_code, 2);
  }
}

TEST_F(Config, UnknownKeysAndTheOldSectionAreWarnings) {  // A6
  home.Write("c.toml", "[tools.search]\nmax_filez = 1\n[tools.search_files]\nmode = \"x\"\n");
  const Ended ended = Do({"config", "check", "--config", home.Path("c.toml")});
  EXPECT_NE(ended.exit_code, 2);
  EXPECT_THAT(ended.out + ended.err, HasSubstr("max_filez"));
  EXPECT_THAT(ended.out + ended.err, HasSubstr("search_files"));
}

TEST_F(Config, BrokenTomlTellsFileAndLine) {
  home.Write("c.toml", "[tools.search]\n\nmax_files = = 3\n");
  const Ended ended = Do({"config", "check", "--config", home.Path("c.toml")});
  EXPECT_EQ(ended.exit_code, 2);
  EXPECT_THAT(ended.out + ended.err, HasSubstr("c.toml"));
  EXPECT_THAT(ended.out + ended.err, HasSubstr("3"));
}

TEST_F(Config, TheSampleOfTheSpecificationLoads) {
  home.Write("c.toml",
             "[tools.search]\nenabled = true\nbinary = \"ugrep\"\nfallback_binary = \"rg\"\n"
             "default_timeout_ms = 20000\ndefault_max_results = 200\nmax_matches_per_file = 50\nmax_files = 10000\n"
             "max_file_size_bytes = 2000000\n");
  EXPECT_EQ(Do({"config", "check", "--config", home.Path("c.toml")}).exit_code, 0);
}

TEST_F(Config, TheSampleOfTheIndexSpecificationLoadsWithoutAWarning) {  // A13
  home.Write("c.toml", R"([tools.search]
enabled = true
binary = "ugrep"
fallback_binary = "rg"
default_timeout_ms = 20000
default_max_results = 200
index_mode = "auto"
index_storage = "sqlite"
index_path = ""
index_roots = []
index_auto_threshold_files = 2000
index_auto_threshold_bytes = 500000000
index_auto_reeval_calls = 100
index_build_timeout_ms = 300000
index_build_max_files = 0
index_build_max_bytes = 0
index_build_max_cpu_percent = 50
index_build_throttle_ms = 10
index_idle_boost_ms = 1000
index_retry_on_failure = false
index_checkpoint_on_shutdown = true
index_shutdown_timeout_ms = 5000
index_watch = true
index_watch_debounce_ms = 250
index_max_db_bytes = 1073741824
index_max_indexes = 10
index_lock_timeout_ms = 250
index_integrity_check = "on_open"
index_integrity_period_calls = 200
reconcile_max_files = 50000
reconcile_max_ms = 2000
index_maint_budget_fraction = 0.25
emit_stats = false
fuzzy_fallback = false
fuzzy_fallback_levels = [1, 2, 3]
fuzzy_min_pattern_len = 4
)");
  const Ended ended = Do({"config", "check", "--config", home.Path("c.toml")});
  EXPECT_EQ(ended.exit_code, 0) << ended.err;
  EXPECT_EQ(ended.out, home.Path("c.toml") + ": ok\n");
  EXPECT_EQ(ended.err, "");
}

TEST_F(Config, PrintIsTomlThatLoadsAgain) {
  home.Write("c.toml", Do({"config", "print", "--set", "tools.search.max_files=77"}).out);
  EXPECT_EQ(MaxFiles({"--config", home.Path("c.toml")}), "77");
}

TEST_F(Config, InitWritesOnceAndLoads) {
  const Ended first = Do({"config", "init"});
  EXPECT_EQ(first.exit_code, 0) << first.err;
  EXPECT_EQ(Do({"config", "check"}).exit_code, 0) << Do({"config", "check"}).err;
  EXPECT_THAT(Do({"config", "print"}).out, HasSubstr("\nbinary = \"native\""));  // R8
  EXPECT_THAT(Do({"config", "print"}).out, HasSubstr("\nindex_mode = \"auto\""));
  const Ended second = Do({"config", "init"});
  EXPECT_EQ(second.exit_code, 2) << "never replaces a file";
  EXPECT_TRUE(std::filesystem::is_empty(tree.root())) << "nothing is written in the searched folder";
}

TEST_F(Config, DoctorWithoutAnyProgramSaysWhoSearchesAllTheSame) {  // R6
  const Ended ended = Do({"doctor"}, {{"PATH", tree.root()}});
  EXPECT_EQ(ended.exit_code, 1);
  EXPECT_THAT(ended.out, HasSubstr("ok       search, live, ask, index and mcp: native@1 (the default of these)\n"));
  EXPECT_THAT(ended.out, HasSubstr("warning  call and the library: no usable backend (the default of these)\n"));
  for (const char* part : {"ugrep", "rg", "native"}) EXPECT_THAT(ended.out, HasSubstr(part));
  EXPECT_EQ(Do({"doctor", "--set", "tools.search.binary=ugrep"}, {{"PATH", tree.root()}}).exit_code, 2);
  EXPECT_EQ(Do({"doctor", "--backend", "native"}, {{"PATH", tree.root()}}).exit_code, 0);
}

TEST_F(Config, DoctorSpeaksJson) {
  for (const char* path : {"/usr/bin:/bin", "/nonexistent"}) {
    EXPECT_TRUE(JsonView(Do({"doctor", "--json"}, {{"PATH", path}}).out).valid());
  }
}

TEST_F(Config, DoctorReportsABrokenConfiguration) {
  home.Write("c.toml", "[tools.search]\nmax_files = 0\n");
  const Ended ended = Do({"doctor", "--config", home.Path("c.toml")});
  EXPECT_EQ(ended.exit_code, 2);
  EXPECT_THAT(ended.out + ended.err, HasSubstr("max_files"));
}

TEST_F(Config, TheReferencePageIsWhatTheProgramPrints) {
  std::ifstream file(SourceFolder() + "/docs/configuration.md");
  const std::string page{std::istreambuf_iterator<char>(file), {}};
  EXPECT_EQ(Do({"config", "reference"}).out, page) << "run: forge-search config reference > docs/configuration.md";
}

// The list is in one place of the code; the page must have all of it.
TEST(DefaultDenies, ArePartOfThePage) {
  const auto read = [](const char* path) {
    std::ifstream file(SourceFolder() + path);
    return std::string{std::istreambuf_iterator<char>(file), {}};
  };
  const std::string page = read("/docs/search.md");
  std::string code = read("/src/scope/deny_list.cc");
  std::size_t patterns = 0;
  for (std::size_t at = code.find("\"**/"); at != std::string::npos; at = code.find("\"**/", at + 1)) {
    const std::string pattern = code.substr(at + 4, code.find('"', at + 1) - at - 4);
    EXPECT_THAT(page, HasSubstr("`" + pattern + "`"));
    ++patterns;
  }
  EXPECT_GT(patterns, 25U);
}

// What a user of a system that we do not have can send us.
TEST_F(Config, TheSelfTestPassesAndLeavesNothingBehind) {
  const TempTree temporary;
  const Ended ended = Do({"doctor", "--self-test"}, {{"TMPDIR", temporary.root()}});
  EXPECT_EQ(ended.exit_code, 0) << ended.out << ended.err;
  for (const char* line : {"every match is found, in order", "literals are found at every distance",
                           "a link out of the root is not followed", "a path through it is refused",
                           "100 changes and a removal are seen at once with an index", "a child process"}) {
    EXPECT_THAT(ended.out, HasSubstr(std::string("ok       ") + line + "\n"));
  }
  EXPECT_THAT(ended.out, Not(HasSubstr(temporary.root())));
  EXPECT_TRUE(std::filesystem::is_empty(temporary.root()));
}

}  // namespace
}  // namespace forge::testing
