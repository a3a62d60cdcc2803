#include "tool/write.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "tool/search_tool.h"

namespace forge::tool {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

std::string Written(const Document& document) {
  std::ostringstream out;
  document.Write(out);
  return out.str();
}

SearchResponse SmallResponse() {
  SearchResponse response;
  response.pattern = "x";
  response.path = "/p";
  response.matches = {{Event::Type::kContext, "a.c", 1, 0, "before", ""},
                      {Event::Type::kMatch, "a.c", 2, 3, "a x", "x"}};
  response.files_scanned = 7;
  response.errors = {{"b.c", "Permission denied"}};
  response.content = "a.c:2: a x\n";
  return response;
}

// T-LS-PARSE-01, the outgoing half: the shape of FR-LS-04 and FR-LS-05.
TEST(ResponseJson, HasTheFieldsOfTheSpecificationInItsOrder) {
  EXPECT_EQ(Written(ToDocument(SmallResponse())),
            R"({"pattern":"x","path":"/p","count":2,"matches":[)"
            R"({"type":"context","data":{"path":{"text":"a.c"},"line_number":1,"lines":{"text":"before"}}},)"
            R"({"type":"match","data":{"path":{"text":"a.c"},"line_number":2,"column":3,"lines":{"text":"a x"},)"
            R"("match_text":"x"}}],"truncated":false,"timed_out":false,"files_scanned":7,)"
            R"("errors":[{"path":"b.c","error":"Permission denied"}],"content":"a.c:2: a x\n"})");
}

// Events are written without a tree of values; that must not show.
TEST(ResponseJson, EveryByteIsWrittenAsInATreeOfValues) {
  SearchResponse response = SmallResponse();
  response.matches.clear();
  std::string all;
  for (int byte = 0; byte < 256; ++byte) {
    const std::string one(1, static_cast<char>(byte));
    all += one;
    response.matches.push_back({Event::Type::kMatch, "p" + one, 1, 2, "<" + one + ">", one + one});
    response.matches.push_back({Event::Type::kContext, "p" + one, 2, 0, one, ""});
  }
  response.matches.push_back(
      {Event::Type::kMatch, all, UINT64_MAX, UINT64_MAX, all + all, "\xE4\xB8\xAD\xF0\x9F\x98\x80"});
  response.matches.push_back({Event::Type::kMatch, all, 1, 1, std::string(200'000, '"'), ""});
  const Document document = ToDocument(std::move(response));
  EXPECT_EQ(Written(document), document.json().dump());
}

TEST(ResponseJson, ExitCodeAndStderrAppearOnlyAfterABackendError) {
  SearchResponse response = SmallResponse();
  response.exit_code = 2;
  response.stderr_text = "boom";
  EXPECT_THAT(Written(ToDocument(std::move(response))), HasSubstr(R"(],"exit_code":2,"stderr":"boom","content":)"));
}

// FR-LSI-STAT-01, -02; A2
TEST(ResponseJson, StatsAppearOnlyWhereTheyAreSetAndHaveEverySpecifiedField) {
  SearchResponse response = SmallResponse();
  EXPECT_THAT(Written(ToDocument(response)), Not(HasSubstr("stats")));
  response.stats.emplace();
  EXPECT_THAT(
      Written(ToDocument(response)),
      EndsWith(R"(,"content":"a.c:2: a x\n","stats":{"stats_version":1,"index_safety_state":"DISABLED",)"
               R"("index_uncertain_reason":null,"index_exclusion_used":false,"storage_mode":"none",)"
               R"("storage_fallback_reason":null,"fallback_used":false,"fallback_reason":null,)"
               R"("fuzzy_levels_tried":[],"elapsed_ms":0,"candidates_total":0,"candidates_excluded":0,)"
               R"("candidates_scanned":0,"files_too_large":0,"files_binary":0,"files_capped":0,"paths_denied":0}})"));
}

TEST(ResponseJson, StatsHoldWhatWasAddedWhereItApplies) {
  SearchResponse response = SmallResponse();
  response.stats = SearchStats{.stats_version = 1,
                               .index_safety_state = IndexState::kUncertain,
                               .index_uncertain_reason = IndexReason::kWatcherOverflow,
                               .index_exclusion_used = true,
                               .storage_mode = IndexStorage::kMemory,
                               .storage_fallback_reason = StorageFallback::kPermissionDenied,
                               .fallback_used = true,
                               .fallback_reason = FallbackReason::kLiteralNoMatches,
                               .fuzzy_levels_tried = {2, 1},
                               .elapsed = std::chrono::milliseconds(5),
                               .candidates_total = 9,
                               .candidates_excluded = 4,
                               .candidates_scanned = 5,
                               .index_bypass_reason = IndexReason::kWatcherOverflow,
                               .maintenance_action = MaintenanceAction::kBypassExclusion,
                               .fallback_skip_reason = FallbackSkip::kBudgetExhausted,
                               .fallback_passes_skipped = 0,
                               .build_phase = IndexPhase::kTokenize,
                               .build_files_total = 7,
                               .build_files_done = 6,
                               .build_elapsed = std::chrono::milliseconds(3),
                               .files_too_large = 1,
                               .files_binary = 2,
                               .files_capped = 3,
                               .paths_denied = 4};
  EXPECT_THAT(
      Written(ToDocument(response)),
      HasSubstr(
          R"("stats":{"stats_version":1,"index_safety_state":"UNCERTAIN",)"
          R"("index_uncertain_reason":"WATCHER_OVERFLOW","index_exclusion_used":true,"storage_mode":"memory",)"
          R"("storage_fallback_reason":"PERMISSION_DENIED","fallback_used":true,)"
          R"("fallback_reason":"LITERAL_NO_MATCHES","fuzzy_levels_tried":[2,1],"elapsed_ms":5,)"
          R"("candidates_total":9,"candidates_excluded":4,"candidates_scanned":5,)"
          R"("index_bypass_reason":"WATCHER_OVERFLOW","maintenance_action":"BYPASS_EXCLUSION","fallback_skip_reason":"BUDGET_EXHAUSTED",)"
          R"("fallback_passes_skipped":0,"build_phase":"TOKENIZE","build_files_total":7,)"
          R"("build_files_done":6,"build_elapsed_ms":3,"files_too_large":1,"files_binary":2,"files_capped":3,)"
          R"("paths_denied":4}})"));
}

TEST(ResponseJson, BytesThatAreNotUtf8AreReplacedNotThrown) {
  SearchResponse response;
  response.path = "/\xff";
  response.content = "a\xE2\x82z";
  const std::string text = Written(ToDocument(std::move(response)));
  EXPECT_THAT(text, HasSubstr("\"path\":\"/\uFFFD\""));
  EXPECT_THAT(text, HasSubstr("\"content\":\"a\uFFFDz\""));
}

TEST(ErrorJson, OnlyASandboxViolationHasAReason) {
  EXPECT_EQ(Written(ToDocument(BadArgs("no"))), R"({"error":{"kind":"BadArgs","message":"no"}})");
  EXPECT_EQ(Written(ToDocument(SandboxViolation(ErrorCode::kDisabled, "off"))),
            R"({"error":{"kind":"SandboxViolation","reason":"Disabled","message":"off"}})");
}

TEST(SchemaJson, EveryFormatHoldsTheSameSchema) {
  const std::string mcp = Written(ToDocument(SearchDefinition(), SchemaFormat::kMcp));
  const std::string schema =
      R"({"type":"object","additionalProperties":false,"properties":{"pattern":{"type":"string",)"
      R"("minLength":1,"description":)";
  EXPECT_THAT(mcp, StartsWith(R"({"name":"Search","description":"Finds where text)"));
  EXPECT_THAT(mcp, HasSubstr(R"("inputSchema":)" + schema));
  EXPECT_THAT(mcp, HasSubstr(R"("readOnlyHint":true)"));
  const std::string openai = Written(ToDocument(SearchDefinition(), SchemaFormat::kOpenAi));
  EXPECT_THAT(openai, StartsWith(R"({"type":"function","function":{"name":"Search",)"));
  EXPECT_THAT(openai, HasSubstr(R"("parameters":)" + schema));
  EXPECT_THAT(Written(ToDocument(SearchDefinition(), SchemaFormat::kAnthropic)),
              HasSubstr(R"("input_schema":)" + schema));
}

// FR-LS-02a, field by field.
TEST(SchemaJson, TheFieldsAreThoseOfTheSpecification) {
  const std::string schema = Written(ToDocument(SearchDefinition(), SchemaFormat::kMcp));
  for (const std::string_view part :
       {R"("path":{"type":"string","description")",
        R"("case":{"type":"string","enum":["smart","sensitive","insensitive"],"default":"smart","description")",
        R"("fixed_strings":{"type":"boolean","default":false,)", R"("word_regexp":{"type":"boolean","default":false,)",
        R"("include_glob":{"type":"array","items":{"type":"string"},)",
        R"("exclude_glob":{"type":"array","items":{"type":"string"},)",
        R"("glob":{"type":"array","items":{"type":"string"},)", R"("recursive":{"type":"boolean","default":true,)",
        R"("hidden":{"type":"boolean","default":false,)", R"("follow":{"type":"boolean","default":false,)",
        R"("no_ignore":{"type":"boolean","default":false,)", R"("context":{"type":"integer","minimum":0,"default":0,)",
        R"("max_results":{"type":"integer","minimum":1,"default":200,)",
        R"("max_matches_per_file":{"type":"integer","minimum":1,"description")",
        R"("max_files":{"type":"integer","minimum":1,"description")",
        R"("max_file_size_bytes":{"type":"integer","minimum":1,"description")",
        R"("timeout_ms":{"type":"integer","minimum":1,"default":20000,)",
        R"("fuzzy":{"type":"integer","minimum":1,"maximum":4,"description")", R"("required":["pattern"])"}) {
    EXPECT_THAT(schema, HasSubstr(std::string(part)));
  }
}

}  // namespace
}  // namespace forge::tool
