#include "cli/index_words.h"

#include <gtest/gtest.h>

namespace forge::cli {
namespace {

IndexStatus In(IndexState state, std::vector<IndexReason> causes = {}) {
  IndexStatus status;
  status.state = state;
  status.causes = std::move(causes);
  if (!status.causes.empty()) status.reason = status.causes.front();
  return status;
}

TEST(IndexWords, SayWhetherAllIsWell) {
  EXPECT_EQ(StateInWords(In(IndexState::kComplete)), "ready");
  EXPECT_EQ(StateInWords(In(IndexState::kUncertain, {IndexReason::kOpenRequiresValidation})),
            "ready; each command checks the tree first");
  EXPECT_EQ(StateInWords(In(IndexState::kUncertain, {IndexReason::kWatcherDown, IndexReason::kOpenRequiresValidation})),
            "ready; each command checks the tree first");
  EXPECT_EQ(
      StateInWords(In(IndexState::kUncertain, {IndexReason::kPolicyChanged, IndexReason::kOpenRequiresValidation})),
      "not used until the tree has been looked at again: the deny patterns have changed");
  EXPECT_EQ(StateInWords(In(IndexState::kDisabled, {IndexReason::kBelowThreshold})),
            "not used: the tree is small enough without one");
}

TEST(IndexWords, SayWhyASearchGoesWithout) {
  EXPECT_EQ(BypassInWords(Bypass::kNoRequiredGram), "any file could match the pattern");
  EXPECT_EQ(BypassInWords(IndexReason::kBelowThreshold), "the tree is small enough without one");
  EXPECT_EQ(BypassInWords(IndexState::kAbsent), "there is none; `forge-search index build` builds it");
}

IndexStatus Reading(std::uint64_t files, std::uint64_t megabytes, int seconds) {
  IndexStatus status;
  status.phase = IndexPhase::kTokenize;
  status.files_total = 8000;
  status.files_done = files;
  status.bytes_total = 1'000'000'000;
  status.bytes_done = megabytes * 1'000'000;
  status.elapsed = std::chrono::seconds(seconds);
  return status;
}

TEST(IndexWords, TheSpeedIsThatOfThisRunAlsoAfterAResume) {
  BuildWords words;
  EXPECT_EQ(words.Line(Reading(4000, 500, 0), 80), "reading 4000 of 8000 files") << "half was done before";
  EXPECT_EQ(words.Line(Reading(4400, 550, 1), 80), "reading 4400 of 8000 files, 10 s left, 50.0 MB/s");
}

TEST(IndexWords, FitIntoFewColumns) {
  BuildWords words;
  words.Line(Reading(0, 0, 0), 40);
  EXPECT_EQ(words.Line(Reading(400, 50, 1), 40), "reading 400 of 8000 files, 20 s left");
  EXPECT_EQ(words.Line(Reading(400, 50, 1), 30), "400 of 8000 files, 20 s left");
  EXPECT_EQ(words.Line(Reading(400, 50, 1), 20), "400 of 8000 files");
  EXPECT_EQ(words.Line(Reading(400, 50, 1), 5), "400 o");
  EXPECT_EQ(words.Line(Reading(400, 50, 100), 80), "reading 400 of 8000 files, 32 min left, 500.0 KB/s");
}

TEST(IndexWords, PhasesAreNoNamesOfTheProgram) {
  BuildWords words;
  IndexStatus status;
  status.phase = IndexPhase::kEnumerate;
  EXPECT_EQ(words.Line(status, 80), "listing the files");
  status.phase = IndexPhase::kPersist;
  EXPECT_EQ(words.Line(status, 80), "storing the index");
}

}  // namespace
}  // namespace forge::cli
