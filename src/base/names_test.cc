#include "base/names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace forge {
namespace {

using ::testing::ElementsAre;

template <typename Enum>
void ExpectEveryNameIsReadBack() {
  for (const std::string_view name : NamesOf<Enum>()) {
    const auto value = FromName<Enum>(name);
    ASSERT_TRUE(value) << name;
    EXPECT_EQ(Name(*value), name);
  }
  EXPECT_EQ(FromName<Enum>("no such word"), std::nullopt);
}

TEST(Names, AreReadBackAsTheSameValue) {
  ExpectEveryNameIsReadBack<IndexMode>();
  ExpectEveryNameIsReadBack<IndexStorage>();
  ExpectEveryNameIsReadBack<TokenStructure>();
  ExpectEveryNameIsReadBack<IntegrityCheck>();
  ExpectEveryNameIsReadBack<Provider>();
  ExpectEveryNameIsReadBack<IndexState>();
  ExpectEveryNameIsReadBack<IndexReason>();
  ExpectEveryNameIsReadBack<IndexPhase>();
  ExpectEveryNameIsReadBack<StorageFallback>();
  ExpectEveryNameIsReadBack<Bypass>();
  ExpectEveryNameIsReadBack<MaintenanceAction>();
  ExpectEveryNameIsReadBack<FallbackReason>();
  ExpectEveryNameIsReadBack<FallbackSkip>();
}

// Files, JSON and stored indexes hold these words.
TEST(Names, AreTheWordsOfConfigurationAndJson) {
  EXPECT_THAT(NamesOf<IndexMode>(), ElementsAre(Name(IndexMode::kOff), Name(IndexMode::kAuto), Name(IndexMode::kOn)));
  EXPECT_EQ(Name(IndexMode::kAuto), "auto");
  EXPECT_EQ(Name(IndexStorage::kMemory), "memory");
  EXPECT_EQ(Name(IndexStorage::kSqlite), "sqlite");
  EXPECT_EQ(Name(TokenStructure::kPostings), "postings");
  EXPECT_EQ(Name(TokenStructure::kBloom), "bloom");
  EXPECT_EQ(Name(IntegrityCheck::kOnOpen), "on_open");
  EXPECT_EQ(Name(IntegrityCheck::kPeriodic), "periodic");
  EXPECT_EQ(Name(Provider::kOpenAi), "openai");
  EXPECT_EQ(Name(Provider::kOpenAiResponses), "openai-responses");
  EXPECT_EQ(Name(Provider::kAnthropic), "anthropic");
  EXPECT_EQ(Name(IndexState::kAbsent), "ABSENT");
  EXPECT_EQ(Name(IndexState::kUncertain), "UNCERTAIN");
  EXPECT_EQ(Name(IndexState::kDisabled), "DISABLED");
  EXPECT_EQ(Name(IndexReason::kNone), "");
  EXPECT_EQ(Name(IndexReason::kBelowThreshold), "BELOW_THRESHOLD");
  EXPECT_EQ(Name(IndexReason::kOpenRequiresValidation), "OPEN_REQUIRES_VALIDATION");
  EXPECT_EQ(Name(IndexReason::kMaintBudgetExceeded), "MAINT_BUDGET_EXCEEDED");
  EXPECT_EQ(Name(IndexPhase::kIdle), "");
  EXPECT_EQ(Name(IndexPhase::kActivate), "ACTIVATE");
  EXPECT_EQ(Name(StorageFallback::kInsideIndexRoot), "INSIDE_INDEX_ROOT");
  EXPECT_EQ(Name(StorageFallback::kUnsupportedSqlite), "UNSUPPORTED_SQLITE");
  EXPECT_EQ(Name(Bypass::kIndexOff), "INDEX_OFF");
  EXPECT_EQ(Name(Bypass::kNoRequiredGram), "NO_REQUIRED_GRAM");
  EXPECT_EQ(Name(Bypass::kNamedFile), "NAMED_FILE");
  EXPECT_EQ(Name(BypassReason(Bypass::kKeyDiffers)), "KEY_DIFFERS");
  EXPECT_EQ(Name(BypassReason(IndexState::kBuilding)), "BUILDING");
  EXPECT_EQ(Name(BypassReason(IndexReason::kWatcherDown)), "WATCHER_DOWN");
  EXPECT_EQ(Name(MaintenanceAction::kBypassExclusion), "BYPASS_EXCLUSION");
  EXPECT_EQ(Name(FallbackReason::kLiteralNoMatches), "LITERAL_NO_MATCHES");
  EXPECT_EQ(Name(FallbackSkip::kPatternTooShort), "PATTERN_TOO_SHORT");
  EXPECT_EQ(Name(FallbackSkip::kCapabilityMissing), "CAPABILITY_MISSING");
  EXPECT_EQ(Name(FallbackSkip::kBudgetExhausted), "BUDGET_EXHAUSTED");
}

}  // namespace
}  // namespace forge
