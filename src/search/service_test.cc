// The service with a scripted backend, and with the native one.
#include "search/service.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "backend/native.h"
#include "tests/testing/temp_tree.h"

namespace forge {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Finds a match in the first file at the levels named, and ends as told.
class FakeBackend final : public Backend {
 public:
  bool supports_fuzzy() const override { return fuzzy; }
  bool uses_our_fuzzy_metric() const override { return false; }
  const std::string& id() const override { return name; }
  Status Check(const Query&) const override { return {}; }
  RunReport Run(const Query& query, const SearchRoot&, FileSource& source, OutcomeSink& sink,
                const Deadline& deadline) const override {
    runs.push_back(query.fuzzy.value_or(0));
    deadlines.push_back(deadline.at());
    RunReport report;
    report.end = runs.back() == special_level ? special_end : RunReport::End::kComplete;
    FileItem item;
    while (source.Next(item)) {
      FileOutcome outcome{.position = item.position, .path = item.path, .events = {}, .error = {}};
      if (item.position == 1 && runs.back() == match_level)
        outcome.events = {{Event::Type::kMatch, "", 1, 1, "x", "x"}};
      if (!sink.Take(std::move(outcome))) break;
    }
    return report;
  }

  bool fuzzy = true;
  std::string name = "fake@1";
  int match_level = -1;  // 0: the literal pass
  int special_level = -1;
  RunReport::End special_end = RunReport::End::kComplete;
  mutable std::vector<int> runs;
  mutable std::vector<Clock::time_point> deadlines;
};

class Service : public ::testing::Test {
 protected:
  Service() {
    config_.fuzzy_fallback = true;
    config_.emit_stats = true;
    tree_.Write("a", "mutax_lokc(&m);\n");
    tree_.Write("b", "other\n");
    request_.pattern = "mutex_lock";
    request_.fixed_strings = true;
  }

  Result<SearchResponse> Ask(std::shared_ptr<const Backend> backend) {
    events_.clear();
    const SearchService service(config_, *Sandbox::Create({tree_.root()}, "", {}), std::move(backend), "none");
    SearchOptions options;
    options.on_event = [&](const Event& event) { events_.push_back(event.line); };
    return service.Search(request_, options);
  }
  Result<SearchResponse> AskFake() {
    return Ask(std::shared_ptr<const Backend>(&fake_, [](const Backend*) {}));
  }
  Result<SearchResponse> AskNative() { return Ask(std::make_shared<NativeBackend>(1)); }

  Result<IndexExplanation> Explain(std::shared_ptr<const Backend> backend) {
    const SearchService service(config_, *Sandbox::Create({tree_.root()}, "", {}), std::move(backend), "none");
    return service.ExplainIndex(request_);
  }

  testing::TempTree tree_;
  SearchConfig config_;
  SearchRequest request_;
  FakeBackend fake_;
  std::vector<std::string> events_;  // as streamed
};

// T-LSI-FUZ-01
TEST_F(Service, NativeFindsTheTypingErrorAtTheFirstLevelThatAllowsIt) {
  const auto response = AskNative();
  ASSERT_TRUE(response) << response.error().message;
  EXPECT_THAT(response->stats->fuzzy_levels_tried, ElementsAre(1, 2));
  ASSERT_EQ(response->matches.size(), 1U);
  EXPECT_EQ(response->matches[0].path, "a");
  EXPECT_EQ(response->files_scanned, 2U);
  EXPECT_THAT(response->content, HasSubstr("approximate, with up to 2 mistakes (fuzzy 2)"));
  EXPECT_THAT(events_, ElementsAre("mutax_lokc(&m);"));
}

// T-LSI-FUZ-01
TEST_F(Service, NativeKeepsTheOptionsOfTheRequest) {  // FR-LSI-FUZ-G-02
  request_.exclude_glob = {"a"};
  const auto response = AskNative();
  ASSERT_TRUE(response);
  EXPECT_THAT(response->matches, IsEmpty());
  EXPECT_THAT(response->stats->fuzzy_levels_tried, ElementsAre(1, 2, 3));
  EXPECT_EQ(response->files_scanned, 1U);
}

// T-LSI-FUZ-01
TEST_F(Service, AnExactMatchIsStreamedOnceAndNotTriedAgain) {
  fake_.match_level = 0;
  ASSERT_TRUE(AskFake());
  EXPECT_THAT(fake_.runs, ElementsAre(0));
  EXPECT_THAT(events_, ElementsAre("x"));
}

// T-LSI-FUZ-01
TEST_F(Service, TheFallbackIsOffUnlessConfigured) {
  config_.fuzzy_fallback = false;
  const auto response = AskNative();
  EXPECT_THAT(response->matches, IsEmpty());
  EXPECT_FALSE(response->stats->fallback_used);
}

// T-LSI-FUZ-03
TEST_F(Service, EveryPassHasTheDeadlineOfTheWholeRequest) {
  ASSERT_TRUE(AskFake());
  ASSERT_THAT(fake_.runs, ElementsAre(0, 1, 2, 3));
  EXPECT_EQ(fake_.deadlines, std::vector<Clock::time_point>(4, fake_.deadlines[0]));
}

// T-LSI-EXIT-01
TEST_F(Service, AFailureOfTheLiteralPassIsTheAnswer) {
  fake_.special_level = 0;
  fake_.special_end = RunReport::End::kBackendError;
  const auto response = AskFake();
  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().kind, ErrorKind::kExecutionFailed);
  EXPECT_THAT(fake_.runs, ElementsAre(0));
}

// T-LSI-EXIT-01, G3: also if the pass had found something, and then none of
// that is streamed.
TEST_F(Service, AFailureOfAFuzzyPassIsNot) {
  fake_.match_level = fake_.special_level = 2;
  fake_.special_end = RunReport::End::kBackendError;
  const auto response = AskFake();
  ASSERT_TRUE(response) << response.error().message;
  EXPECT_THAT(fake_.runs, ElementsAre(0, 1, 2));
  EXPECT_THAT(response->matches, IsEmpty());
  EXPECT_THAT(events_, IsEmpty());
  EXPECT_EQ(response->stderr_text, std::nullopt);
}

// T-LSI-EXIT-02
TEST_F(Service, ATimeoutOfTheLiteralPassEndsTheSearch) {
  fake_.special_level = 0;
  fake_.special_end = RunReport::End::kTimedOut;
  const auto response = AskFake();
  ASSERT_TRUE(response);
  EXPECT_TRUE(response->timed_out);
  EXPECT_THAT(fake_.runs, ElementsAre(0));
  EXPECT_FALSE(response->stats->fallback_used);
}

// T-LSI-EXIT-02
TEST_F(Service, ATimeoutOfAFuzzyPassIsTold) {  // G2
  fake_.special_level = 1;
  fake_.special_end = RunReport::End::kTimedOut;
  const auto response = AskFake();
  ASSERT_TRUE(response);
  EXPECT_TRUE(response->timed_out);
  EXPECT_THAT(fake_.runs, ElementsAre(0, 1));
  EXPECT_EQ(response->stats->fallback_passes_skipped, 2);
}

// CFG-LSI-STAT-01
TEST_F(Service, StatsAreThereOnlyIfConfigured) {
  const auto with = AskNative();
  ASSERT_TRUE(with->stats);
  EXPECT_EQ(with->stats->candidates_total, 2U);
  EXPECT_EQ(with->stats->candidates_scanned, 2U);
  EXPECT_GE(with->stats->elapsed.count(), 0);
  config_.emit_stats = false;
  const auto without = AskNative();
  EXPECT_FALSE(without->stats);
  EXPECT_EQ(without->content, with->content);
}

// What explains a request takes the way that a search takes.
TEST_F(Service, AnExplanationChecksTheRequestAndKnowsTheBackend) {
  const auto fake = std::shared_ptr<const Backend>(&fake_, [](const Backend*) {});
  const auto native = std::make_shared<NativeBackend>(1);
  request_.fuzzy = 1;
  EXPECT_EQ(Explain(fake)->plan, "ALL");  // a metric that no plan is proved for
  EXPECT_NE(Explain(native)->plan, "ALL");
  EXPECT_EQ(Explain(native)->bypass, BypassReason(Bypass::kIndexOff));
  fake_.fuzzy = false;
  EXPECT_EQ(Explain(fake).error().kind, ErrorKind::kBadArgs);
  request_.fuzzy.reset();
  request_.max_files = config_.max_files + 1;
  EXPECT_EQ(Explain(native).error().code, ErrorCode::kOverCap);
  EXPECT_EQ(Explain(nullptr).error().kind, ErrorKind::kBadArgs);
  request_.max_files.reset();
  request_.path = "nowhere";
  EXPECT_EQ(Explain(native).error().code, ErrorCode::kNotFound);
}

}  // namespace
}  // namespace forge
