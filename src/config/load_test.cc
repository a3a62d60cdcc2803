#include "config/load.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <limits>

#include "config/print.h"
#include "tests/testing/temp_tree.h"

namespace forge::config {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

using Layer = Origin::Layer;
using Vars = Environment::Variables;

Origin OriginOf(const Loaded& loaded, std::string_view name, std::string_view section = "tools.search") {
  return loaded.origins[*FindKey(section, name)];
}

// Loads `text` as the file given by --config.
class ConfigFile : public ::testing::Test {
 protected:
  Result<Loaded> LoadText(std::string_view text, std::vector<std::string> sets = {}, Environment::Variables vars = {}) {
    tree_.Write("c.toml", text);
    return Load({.file = path(), .sets = std::move(sets), .environment = Environment(std::move(vars))});
  }
  std::string path() const { return tree_.Path("c.toml"); }

  testing::TempTree tree_;
};

TEST(Config, WithoutAnySourceTheDefaultsOfTheSpecificationHold) {
  const auto loaded = Load({});
  ASSERT_TRUE(loaded);
  EXPECT_EQ(loaded->config.search.enabled, std::nullopt);
  EXPECT_EQ(Print(*loaded, false), R"([tools.search]
# enabled is not set
binary = "ugrep"
fallback_binary = "rg"
default_timeout_ms = 20000
default_max_results = 200
max_matches_per_file = 50
max_files = 10000
max_file_size_bytes = 2000000
content_max_bytes = 10000
max_answer_bytes = 67108864
emit_stats = false
fuzzy_fallback = false
fuzzy_fallback_levels = [1, 2, 3]
fuzzy_min_pattern_len = 4
index_mode = "off"
index_storage = "sqlite"
index_path = ""
index_roots = []
index_token_structure = "postings"
index_default_hidden = false
index_default_follow = false
index_default_no_ignore = false
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
index_max_memory_bytes = 268435456
index_text_cache_bytes = 536870912
index_lock_timeout_ms = 250
index_integrity_check = "on_open"
index_integrity_period_calls = 200
index_allow_insecure_persistence = false
reconcile_max_files = 50000
reconcile_max_ms = 2000
index_maint_budget_fraction = 0.25
index_cooldown_base_ms = 60000
bloom_ngram_k = 3
bloom_target_fp_rate = 0.01
index_max_tokenized_bytes = 1048576

[tools.sandbox]
allowed_roots = []
denied_patterns = []
allow_absolute = true
include_default_denies = true

[tools.keyword_search]
# enabled is not set
model = ""
timeout_ms = 45000

[mcp]
structured = false
tool_prefix = ""

[server]
mode = "auto"
idle_timeout_ms = 600000
)");
  for (const Origin& origin : loaded->origins) {
    EXPECT_EQ(origin.layer, Origin::Layer::kDefault);
    EXPECT_EQ(origin.text, "default");
  }
}

TEST_F(ConfigFile, EveryLayerOverridesTheOneBelowAndIsNamed) {
  const auto loaded =
      LoadText("[tools.search]\nmax_files = 1\nbinary = \"a\"\ndefault_timeout_ms = 7\n", {"tools.search.max_files=3"},
               {{"FORGE_SEARCH_MAX_FILES", "2"}, {"FORGE_SEARCH_BINARY", "rg"}, {"PATH", "x"}});
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ(loaded->config.search.max_files, 3);
  EXPECT_EQ(OriginOf(*loaded, "max_files"), (Origin{Layer::kFlag, "--set"}));
  EXPECT_EQ(loaded->config.search.binary, "rg");
  EXPECT_EQ(OriginOf(*loaded, "binary"), (Origin{Layer::kEnvironment, "environment FORGE_SEARCH_BINARY"}));
  EXPECT_EQ(loaded->config.search.default_timeout, std::chrono::milliseconds(7));
  EXPECT_EQ(OriginOf(*loaded, "default_timeout_ms"), (Origin{Layer::kFile, path() + ":4:22"}));
  EXPECT_EQ(OriginOf(*loaded, "max_file_size_bytes"), Origin());
  EXPECT_THAT(loaded->warnings, IsEmpty());
}

TEST(Config, BackendMeansThisOneAndNoFallback) {
  const auto loaded = Load({.sets = {"tools.search.binary=ugrep"}, .backend = "rg"});
  ASSERT_TRUE(loaded);
  EXPECT_EQ(loaded->config.search.binary, "rg");
  EXPECT_EQ(loaded->config.search.fallback_binary, "");
  EXPECT_EQ(OriginOf(*loaded, "fallback_binary"), (Origin{Layer::kFlag, "--backend"}));
}

TEST(Config, ASetValueIsTomlAndABareWordIsAString) {
  const auto loaded = Load({.sets = {"tools.search.binary=/opt/rg", "tools.search.fallback_binary=\"\"",
                                     "tools.search.enabled=false", "tools.sandbox.denied_patterns=[\"a\", 'b=c']"}});
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ(loaded->config.search.binary, "/opt/rg");
  EXPECT_EQ(loaded->config.search.fallback_binary, "");
  EXPECT_EQ(loaded->config.search.enabled, false);
  EXPECT_THAT(loaded->config.sandbox.denied_patterns, ElementsAre("a", "b=c"));
}

TEST(Config, AWrongValueNamesKeyValuePlaceAndWhatIsAllowed) {
  const struct {
    std::string set;
    std::string message;
  } cases[] = {
      {"tools.search.max_files=0", "tools.search.max_files is 0 (--set), but must be an integer of at least 1"},
      {"tools.search.max_files=-1", "tools.search.max_files is -1 (--set), but must be an integer of at least 1"},
      {"tools.search.max_files=1.5", "tools.search.max_files is 1.5 (--set), but must be an integer of at least 1"},
      {"tools.search.max_files=many",
       "tools.search.max_files is \"many\" (--set), but must be an integer of at least 1"},
      {"tools.search.max_files=", "tools.search.max_files is \"\" (--set), but must be an integer of at least 1"},
      {"tools.search.max_files=1\nx=2",
       "tools.search.max_files is \"1\\nx=2\" (--set), but must be an integer of at least 1"},
      {"tools.search.enabled=1", "tools.search.enabled is 1 (--set), but must be true or false"},
      {"tools.search.binary=\"\"", "tools.search.binary is \"\" (--set), but must be a string that is not empty"},
      {"tools.search.binary=5", "tools.search.binary is 5 (--set), but must be a string that is not empty"},
      {"tools.sandbox.allowed_roots=[\"\"]",
       "tools.sandbox.allowed_roots is [ \"\" ] (--set), but must be a list of strings, none of them empty"},
      {"tools.sandbox.allowed_roots=[1]",
       "tools.sandbox.allowed_roots is [ 1 ] (--set), but must be a list of strings, none of them empty"},
      {"tools.search=5", "tools.search is 5 (--set), but must be a table"},
      {"max_files=5", "--set max_files=5: write it as SECTION.KEY=VALUE, for example tools.search.max_files=500"},
      {"tools.search.max_files",
       "--set tools.search.max_files: write it as SECTION.KEY=VALUE, for example tools.search.max_files=500"},
  };
  for (const auto& c : cases) {
    const auto loaded = Load({.sets = {c.set}});
    ASSERT_FALSE(loaded) << c.set;
    EXPECT_EQ(loaded.error().message, c.message);
    EXPECT_EQ(loaded.error().kind, ErrorKind::kExecutionFailed);
  }
}

TEST_F(ConfigFile, AWrongValueInAFileSaysWhere) {
  const auto loaded = LoadText("[tools.search]\n\nmax_files = \"ten\"\n");
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().message,
            "tools.search.max_files is \"ten\" (" + path() + ":3:13), but must be an integer of at least 1");
}

TEST_F(ConfigFile, ASyntaxErrorSaysWhere) {
  const auto loaded = LoadText("[tools.search]\nmax_files = = 3\n");
  ASSERT_FALSE(loaded);
  EXPECT_THAT(loaded.error().message, HasSubstr(path() + ":2:13: not valid TOML: "));
}

TEST_F(ConfigFile, AnUnknownKeyIsAWarningWithASuggestion) {
  const auto loaded = LoadText("[tools.search]\nmax_flies = 3\n[search]\nbinary = 'x'\n[ui]\ntheme = 1\n", {},
                               {{"FORGE_SEARCH_MAXFILES", "1"}, {"FORGE_SEARCH_ROOT", "/"}, {"FORGE_SEARCH_LOG", "x"}});
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_THAT(loaded->warnings,
              ElementsAre("unknown key tools.search.max_flies (" + path() +
                              ":2:13), ignored; did you mean tools.search.max_files?",
                          "unknown key search.binary (" + path() + ":4:10), ignored; did you mean tools.search.binary?",
                          "unknown key ui.theme (" + path() + ":6:9), ignored",
                          "unknown environment variable FORGE_SEARCH_MAXFILES, ignored; did you mean "
                          "FORGE_SEARCH_MAX_FILES?"));
}

TEST_F(ConfigFile, TheSectionOfTheFirstDraftIsIgnoredWithOneWarning) {
  const auto loaded = LoadText("[tools.search_files]\nmax_files = 3\nmode = 'x'\n");
  ASSERT_TRUE(loaded);
  EXPECT_EQ(loaded->config.search.max_files, 10000);
  EXPECT_THAT(loaded->warnings,
              ElementsAre("[tools.search_files] (" + path() + ":2:13) is no longer read; use [tools.search]"));
}

TEST(Config, ANamedFileMustExist) {
  const auto by_flag = Load({.file = "/nonexistent/c.toml"});
  ASSERT_FALSE(by_flag);
  EXPECT_EQ(by_flag.error().message, "cannot read the configuration /nonexistent/c.toml: No such file or directory");
  EXPECT_TRUE(Load({.file = "/dev/null"}).ok()) << "no file";
  EXPECT_FALSE(Load({.environment = Environment(Vars{{"FORGE_CONFIG", "/nonexistent/c.toml"}})}));
}

TEST(Config, TheFirstFileThatExistsIsTheOnlyOneRead) {
  testing::TempTree home;
  const Environment environment({{"HOME", home.root()}, {"XDG_CONFIG_HOME", ""}});
  home.Write(".config/forge/config.toml", "tools.search.max_files = 1");
  EXPECT_EQ(Load({.environment = environment})->config.search.max_files, 1);
  home.Write(".forge/config.toml", "tools.search.default_max_results = 2");
  const auto loaded = Load({.environment = environment});
  EXPECT_EQ(loaded->config.search.max_files, 10000);
  EXPECT_EQ(loaded->config.search.default_max_results, 2);
  EXPECT_EQ(loaded->file, home.Path(".forge/config.toml"));
}

// R9: a relative HOME leads into the folder that we are started in, which may be
// the tree that is searched; the file there could name a program to run.
TEST(Config, RelativeHomeFoldersAreIgnored) {
  const testing::TempTree tree;
  tree.Write("h/.forge/config.toml", "tools.search.max_files = 1");
  tree.Write("x/forge/config.toml", "tools.search.max_files = 2");
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(tree.root());
  const auto files = [](Vars variables) {
    return Load({.environment = Environment(std::move(variables))})->config.search.max_files;
  };
  EXPECT_EQ(files({{"HOME", "h"}}), 10000);
  EXPECT_EQ(files({{"HOME", "h"}, {"XDG_CONFIG_HOME", "x"}}), 10000);
  EXPECT_EQ(files({{"HOME", "."}, {"XDG_CONFIG_HOME", "./x"}}), 10000);
  EXPECT_EQ(files({{"HOME", "h"}, {"XDG_CONFIG_HOME", tree.Path("x")}}), 2);
  EXPECT_EQ(files({{"HOME", tree.Path("h")}, {"XDG_CONFIG_HOME", "x"}}), 1);
  std::filesystem::current_path(before);
}

TEST_F(ConfigFile, DeepNestingIsAnErrorAndNotACrash) {
  const auto repeat = [](int count, std::string_view text) {
    std::string out;
    for (int i = 0; i < count; ++i) out += text;
    return out;
  };
  const std::string dots = repeat(100'000, "a.");
  const std::pair<std::string, const char*> cases[] = {
      {dots + "b = 1\n", ":1: a key has more than 16 parts"},
      {"\n[" + dots + "b]\n", ":2: a key has more than 16 parts"},
      {"[[" + dots + "b]]\n", ":1: a key has more than 16 parts"},
      {repeat(100'000, "\"a b\" . ") + "b = 1\n", ":1: a key has more than 16 parts"},
      {repeat(100'000, "'a'\t.") + "b = 1\n", ":1: a key has more than 16 parts"},
      {"x = " + repeat(200, "{ a.b.c = ") + "1" + repeat(200, " }") + "\n", ": tables are nested more than 32 deep"},
      {"x = " + repeat(100'000, "[") + "\n", "not valid TOML"},
  };
  for (const auto& [text, message] : cases) {
    const auto loaded = LoadText(text);
    ASSERT_FALSE(loaded) << text.substr(0, 40);
    EXPECT_THAT(loaded.error().message, HasSubstr(message)) << text.substr(0, 40);
  }
  // Dots in texts and comments are no keys.
  const auto fine = LoadText("# " + repeat(300, ".") + "\n# One. Two words. " + repeat(30, "Three and four. ") +
                             "\n[tools.sandbox]\ndenied_patterns = [\"" + repeat(100, "a.") + "\"]\n");
  EXPECT_TRUE(fine) << fine.error().message;
}

// R8: what holds where no source says anything, and that every source wins over it.
TEST_F(ConfigFile, AProfileHoldsForKeysThatNoSourceSets) {
  const auto specified = Load({});
  EXPECT_EQ(specified->config.search.binary, "ugrep");
  EXPECT_EQ(specified->config.search.index.mode, IndexMode::kOff);
  EXPECT_EQ(specified->config.search.max_files, 10000);
  const auto recommended = Load({.profile = Profile::kRecommended});
  EXPECT_EQ(recommended->config.search.binary, "native");
  EXPECT_EQ(recommended->config.search.index.mode, IndexMode::kAuto);
  EXPECT_EQ(recommended->config.search.max_files, 200000);
  EXPECT_EQ(recommended->config.search.default_max_results, 200);
  EXPECT_EQ(OriginOf(*recommended, "binary").layer, Origin::Layer::kDefault);
  const auto people = Load({.profile = Profile::kPeople});
  EXPECT_EQ(people->config.search.binary, "native");
  constexpr auto kNoLimit = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(people->config.search.max_files, kNoLimit);
  EXPECT_EQ(people->config.search.max_file_size_bytes, kNoLimit);
  EXPECT_EQ(people->config.search.max_matches_per_file, kNoLimit);
  EXPECT_EQ(people->config.search.default_max_results, kNoLimit);
  EXPECT_EQ(people->config.search.default_timeout.count(), kNoLimit);
  const auto set = Load({.sets = {"tools.search.max_files=5", "tools.search.binary=rg"}, .profile = Profile::kPeople});
  EXPECT_EQ(set->config.search.max_files, 5);
  EXPECT_EQ(set->config.search.binary, "rg");
}

TEST_F(ConfigFile, TheRecommendedFileLoadsWithoutAWarning) {
  const auto loaded = LoadText(RecommendedFile());
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_THAT(loaded->warnings, IsEmpty());
  EXPECT_EQ(loaded->config.search.max_files, 200000);
  EXPECT_EQ(loaded->config.search.max_file_size_bytes, 32 << 20);
  EXPECT_EQ(loaded->config.search.binary, "native");
  EXPECT_EQ(loaded->config.search.index.mode, IndexMode::kAuto);
}

TEST_F(ConfigFile, WhatPrintWritesLoadsToTheSameConfiguration) {
  const auto first =
      Load({.sets = {"tools.search.binary=\"a\\\"b\\\\\\u001b\"", "tools.sandbox.allowed_roots=[\"é\"]",
                     "tools.search.index_maint_budget_fraction=1", "tools.search.bloom_target_fp_rate=0.0017",
                     "tools.search.fuzzy_fallback_levels=[]"}});
  ASSERT_TRUE(first) << first.error().message;
  const auto second = LoadText(Print(*first, true));
  ASSERT_TRUE(second) << second.error().message;
  EXPECT_EQ(Print(*first, false), Print(*second, false));
}

}  // namespace
}  // namespace forge::config
