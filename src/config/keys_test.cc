#include "config/keys.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "config/load.h"

namespace forge::config {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::IsEmpty;

Result<Loaded> LoadSet(const std::string& set) { return Load({.sets = {"tools.search." + set}}); }

TEST(Keys, EveryExampleAndRecommendationIsAllowed) {
  for (const Key& key : Keys()) {
    for (const std::string_view text : {key.example, key.recommended}) {
      if (text.empty()) continue;
      Config config;
      EXPECT_TRUE(Set(key, ParseTomlValue(text), "", config)) << key.FullName();
    }
    EXPECT_TRUE(key.doc.ends_with(".")) << key.FullName();
  }
}

TEST(Keys, NoTwoKeysShareAMember) {
  Config config;
  std::vector<const void*> members;
  for (const Key& key : Keys()) {
    members.push_back(std::visit([](auto* member) -> const void* { return member; }, key.slot(config)));
  }
  std::sort(members.begin(), members.end());
  EXPECT_EQ(std::adjacent_find(members.begin(), members.end()), members.end());
}

// CFG-LSI-VAL-01: the edges of what is allowed.
TEST(Keys, AValueAtTheEdgeOfItsRangeIsTaken) {
  for (const char* set : {"index_mode=off",
                          "index_mode=\"auto\"",
                          "index_mode=on",
                          "index_storage=memory",
                          "index_token_structure=bloom",
                          "index_integrity_check=periodic",
                          "index_path=",
                          "index_roots=[]",
                          "bloom_ngram_k=2",
                          "bloom_ngram_k=8",
                          "bloom_target_fp_rate=0.001",
                          "bloom_target_fp_rate=0.1",
                          "index_max_tokenized_bytes=1024",
                          "index_max_tokenized_bytes=10485760",
                          "index_build_max_cpu_percent=1",
                          "index_build_max_cpu_percent=100",
                          "index_maint_budget_fraction=0",
                          "index_maint_budget_fraction=0.0",
                          "index_maint_budget_fraction=1",
                          "index_build_max_files=0",
                          "index_build_throttle_ms=0",
                          "index_cooldown_base_ms=3600000",
                          "fuzzy_min_pattern_len=0",
                          "fuzzy_fallback_levels=[4]"}) {
    const auto loaded = LoadSet(set);
    EXPECT_TRUE(loaded) << loaded.error().message;
  }
}

TEST(Keys, AValueOutOfRangeIsRefusedWithWhatIsAllowed) {
  const std::string percent = "an integer of at least 1 and at most 100";
  const std::string fraction = "a number of at least 0.0 and at most 1.0";
  const std::string rate = "a number of at least 0.001 and at most 0.1";
  const std::string size = "an integer of at least 1024 and at most 10485760";
  const std::string levels = "a list of integers, each of at least 1 and at most 4";
  const struct {
    std::string key;
    std::string value;
    std::string shown;
    std::string allowed;
  } cases[] = {
      {"index_mode", "fast", "\"fast\"", R"("off", "auto" or "on")"},
      {"index_mode", "\"\"", "\"\"", R"("off", "auto" or "on")"},
      {"index_mode", "ON", "\"ON\"", R"("off", "auto" or "on")"},
      {"index_mode", "true", "true", R"("off", "auto" or "on")"},
      {"index_storage", "disk", "\"disk\"", R"("memory" or "sqlite")"},
      {"index_token_structure", "tree", "\"tree\"", R"("postings" or "bloom")"},
      {"index_integrity_check", "1", "1", R"("off", "on_open" or "periodic")"},
      {"bloom_ngram_k", "1", "1", "an integer of at least 2 and at most 8"},
      {"bloom_ngram_k", "9", "9", "an integer of at least 2 and at most 8"},
      {"bloom_target_fp_rate", "0.00099", "0.00099", rate},
      {"bloom_target_fp_rate", "0.11", "0.11", rate},
      {"bloom_target_fp_rate", "1", "1", rate},
      {"bloom_target_fp_rate", "nan", "nan", rate},
      {"index_max_tokenized_bytes", "1023", "1023", size},
      {"index_max_tokenized_bytes", "10485761", "10485761", size},
      {"index_build_max_cpu_percent", "0", "0", percent},
      {"index_build_max_cpu_percent", "101", "101", percent},
      {"index_maint_budget_fraction", "1.01", "1.01", fraction},
      {"index_maint_budget_fraction", "-0.1", "-0.1", fraction},
      {"index_maint_budget_fraction", "inf", "inf", fraction},
      {"index_maint_budget_fraction", "much", "\"much\"", fraction},
      {"index_auto_threshold_files", "-1", "-1", "an integer of at least 0"},
      {"index_max_db_bytes", "1.5", "1.5", "an integer of at least 1"},
      {"index_watch_debounce_ms", "2592000001", "2592000001", "an integer of at least 0 and at most 2592000000"},
      {"index_roots", "[1]", "[ 1 ]", "a list of strings, none of them empty"},
      {"emit_stats", "1", "1", "true or false"},
      {"fuzzy_fallback_levels", "[0]", "[ 0 ]", levels},
      {"fuzzy_fallback_levels", "[1, 5]", "[ 1, 5 ]", levels},
      {"fuzzy_fallback_levels", "[1, \"2\"]", "[ 1, \"2\" ]", levels},
      {"fuzzy_fallback_levels", "[\"1\"]", "[ \"1\" ]", levels},
      {"fuzzy_fallback_levels", "1", "1", levels},
  };
  for (const auto& c : cases) {
    const auto loaded = LoadSet(c.key + "=" + c.value);
    ASSERT_FALSE(loaded) << c.key << "=" << c.value;
    EXPECT_EQ(loaded.error().message,
              "tools.search." + c.key + " is " + c.shown + " (--set), but must be " + c.allowed);
  }
}

// Hosts refuse other characters in the name of a tool.
TEST(Keys, APrefixOfToolsIsPartOfAName) {
  EXPECT_EQ(Load({.sets = {"mcp.tool_prefix=forge_"}})->config.mcp.tool_prefix, "forge_");
  EXPECT_EQ(Load({.sets = {"mcp.tool_prefix=\"\""}})->config.mcp.tool_prefix, "");
  for (const std::string bad : {"a b", "a.", "ä", "123456789012345678901234567890123"}) {
    const auto loaded = Load({.sets = {"mcp.tool_prefix=\"" + bad + "\""}});
    ASSERT_FALSE(loaded) << bad;
    EXPECT_THAT(loaded.error().message, EndsWith("but must be a string of letters, digits, _ and -, at most 32"));
  }
}

// G7
TEST(Keys, LevelsKeepTheirOrderAndLoseDuplicates) {
  EXPECT_THAT(LoadSet("fuzzy_fallback_levels=[3, 1, 3, 1, 2]")->config.search.fuzzy_fallback_levels,
              ElementsAre(3, 1, 2));
  EXPECT_THAT(LoadSet("fuzzy_fallback_levels=[]")->config.search.fuzzy_fallback_levels, IsEmpty());
}

TEST(Keys, NoLevelsAreAnErrorOnlyIfTheFallbackIsOn) {
  const auto loaded =
      Load({.sets = {"tools.search.fuzzy_fallback_levels=[]"},
            .environment = Environment(Environment::Variables{{"FORGE_SEARCH_FUZZY_FALLBACK", "true"}})});
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().message,
            "tools.search.fuzzy_fallback_levels is [] (--set), but must hold a level from 1 to 4, because "
            "tools.search.fuzzy_fallback is true (environment FORGE_SEARCH_FUZZY_FALLBACK)");
}

TEST(Keys, TheEnvironmentHoldsChoicesNumbersAndLists) {
  const auto loaded = Load({.environment = Environment(Environment::Variables{
                                {"FORGE_SEARCH_INDEX_MODE", "on"},
                                {"FORGE_SEARCH_INDEX_PATH", "/var/cache/x"},
                                {"FORGE_SEARCH_INDEX_ROOTS", "[\"/a\", \"/b\"]"},
                                {"FORGE_SEARCH_INDEX_MAINT_BUDGET_FRACTION", "0.5"},
                                {"FORGE_SEARCH_RECONCILE_MAX_MS", "7"},
                                {"FORGE_SEARCH_BLOOM_TARGET_FP_RATE", "5e-2"},
                                {"FORGE_SEARCH_FUZZY_FALLBACK_LEVELS", "[2,1]"},
                            })});
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_THAT(loaded->warnings, IsEmpty());
  const SearchConfig& search = loaded->config.search;
  EXPECT_EQ(search.index.mode, IndexMode::kOn);
  EXPECT_EQ(search.index.path, "/var/cache/x");
  EXPECT_THAT(search.index.roots, ElementsAre("/a", "/b"));
  EXPECT_EQ(search.index.maint_budget_fraction, 0.5);
  EXPECT_EQ(search.index.reconcile_max_time, std::chrono::milliseconds(7));
  EXPECT_EQ(search.index.bloom_target_fp_rate, 0.05);
  EXPECT_THAT(search.fuzzy_fallback_levels, ElementsAre(2, 1));
}

}  // namespace
}  // namespace forge::config
