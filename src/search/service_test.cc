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
using ::testing::Not;

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
    RunReport report(runs.back() == special_level ? special_end : SearchEnd::kComplete, "as told");
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
  SearchEnd special_end = SearchEnd::kComplete;
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
    options.on_event = [&](const Event& event) { events_.push_back(event.line.str()); };
    options.keep_events = keep_events_;
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
  bool keep_events_ = true;
};

// T-LSI-FUZ-01
// What globs cost is bounded before a file is looked at (R12).
TEST_F(Service, TooManyGlobsAreRefused) {
  const std::string thousand = "{a,b,c,d,e,f,g,h,i,j}{a,b,c,d,e,f,g,h,i,j}{a,b,c,d,e,f,g,h,i,j}*";
  request_.include_glob.assign(5, thousand);
  request_.exclude_glob.assign(5, thousand);
  EXPECT_TRUE(AskNative());
  request_.exclude_glob.push_back("x");
  const auto refused = AskNative();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::kBadArgs);
  EXPECT_THAT(refused.error().message, HasSubstr("exclude_glob[5]: the globs of the request have more than 10000"));
}

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
  fake_.special_end = SearchEnd::kBackendFailed;
  const auto response = AskFake();
  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().kind, ErrorKind::kExecutionFailed);
  EXPECT_THAT(fake_.runs, ElementsAre(0));
}

// T-LSI-EXIT-01, G3: also if the pass had found something, and then none of
// that is streamed.
TEST_F(Service, AFailureOfAFuzzyPassIsNot) {
  fake_.match_level = fake_.special_level = 2;
  fake_.special_end = SearchEnd::kBackendFailed;
  const auto response = AskFake();
  ASSERT_TRUE(response) << response.error().message;
  EXPECT_THAT(fake_.runs, ElementsAre(0, 1, 2));
  EXPECT_THAT(response->matches, IsEmpty());
  EXPECT_THAT(events_, IsEmpty());
  EXPECT_EQ(response->stderr_text, std::nullopt);
}

// However a backend ends, the answer says it, or there is an error.
TEST_F(Service, EveryEndOfABackendIsSaid) {
  fake_.match_level = fake_.special_level = 0;
  const struct {
    SearchEnd end;
    const char* note;
    bool failure;
  } cases[] = {
      {SearchEnd::kNotSearched, "nothing was searched", false},
      {SearchEnd::kTimedOut, "stopped at timeout_ms", false},
      {SearchEnd::kCancelled, "the search was cancelled", false},
      {SearchEnd::kBackendFailed, "the search backend failed", true},
      {SearchEnd::kBackendNotStarted, "the search backend could not be started", true},
      {SearchEnd::kOutOfMemory, "the search ran out of memory", true},
  };
  for (const auto& c : cases) {
    fake_.special_end = c.end;
    const auto response = AskFake();
    ASSERT_TRUE(response) << c.note;
    EXPECT_EQ(response->end, c.end);
    EXPECT_THAT(response->content, HasSubstr(std::string("Note: ") + c.note));
    EXPECT_EQ(response->stderr_text.has_value(), c.failure) << c.note;
    fake_.match_level = -1;
    EXPECT_EQ(AskFake().ok(), !c.failure) << "without an event, a failure is an error";
    fake_.match_level = 0;
  }
  fake_.special_end = SearchEnd::kComplete;
  EXPECT_EQ(AskFake()->end, SearchEnd::kComplete);
  EXPECT_THAT(AskFake()->notes, IsEmpty());
}

// D4: whether there is more was not found out.
TEST_F(Service, ATimeoutAtExactlyMaxResultsIsTruncatedAndThereMayBeMore) {
  fake_.match_level = fake_.special_level = 0;
  fake_.special_end = SearchEnd::kTimedOut;
  request_.max_results = 1;
  const auto full = AskFake();
  ASSERT_TRUE(full);
  EXPECT_TRUE(full->truncated);
  EXPECT_TRUE(full->timed_out);
  EXPECT_THAT(full->content, HasSubstr("truncated at max_results (1); there may be more"));
  request_.max_results = 2;
  const auto less = AskFake();
  EXPECT_FALSE(less->truncated);
  EXPECT_THAT(less->content, Not(HasSubstr("max_results")));
}

TEST_F(Service, EventsThatAreOnlyStreamedAreNotInTheResponse) {
  keep_events_ = false;
  for (const bool fallback : {false, true}) {
    fake_.match_level = fallback ? 2 : 0;
    const auto response = AskFake();
    ASSERT_TRUE(response);
    EXPECT_THAT(events_, ElementsAre("x"));
    EXPECT_THAT(response->matches, IsEmpty());
    EXPECT_EQ(response->content, "");
    EXPECT_EQ(response->stats->fallback_used, fallback);
  }
}

// R7
TEST_F(Service, StatsCountWhatWasLeftOut) {
  tree_.Write("large", std::string(1000, 'x'));
  tree_.Write("binary", std::string("mutex_lock\0", 11));
  tree_.Write("many", "mutex_lock\nmutex_lock\nmutex_lock\n");
  tree_.Write("key.pem", "mutex_lock\n");
  request_.max_file_size_bytes = 500;
  request_.max_matches_per_file = 2;
  const auto response = AskNative();
  ASSERT_TRUE(response);
  EXPECT_EQ(response->stats->files_too_large, 1U);
  EXPECT_EQ(response->stats->files_binary, 1U);
  EXPECT_EQ(response->stats->files_capped, 1U);
  EXPECT_EQ(response->stats->paths_denied, 1U);
}

TEST_F(Service, AnErrorEchoesOnlyTheBeginningOfWhatItIsAbout) {
  const std::string large(300'000, 'x');
  request_.include_glob = {"[" + large};
  EXPECT_LT(AskNative().error().message.size(), 500U);
  EXPECT_THAT(AskNative().error().message, HasSubstr("include_glob[0]: \"[xxx"));
  request_.include_glob.clear();
  for (const std::string& path : {large, "/" + large, "../" + large, "a/" + large}) {
    request_.path = path;
    EXPECT_LT(AskNative().error().message.size(), 1500U) << AskNative().error().message.substr(0, 100);
  }
}

// T-LSI-EXIT-02
TEST_F(Service, ATimeoutOfTheLiteralPassEndsTheSearch) {
  fake_.special_level = 0;
  fake_.special_end = SearchEnd::kTimedOut;
  const auto response = AskFake();
  ASSERT_TRUE(response);
  EXPECT_TRUE(response->timed_out);
  EXPECT_THAT(fake_.runs, ElementsAre(0));
  EXPECT_FALSE(response->stats->fallback_used);
}

// T-LSI-EXIT-02
TEST_F(Service, ATimeoutOfAFuzzyPassIsTold) {  // G2
  fake_.special_level = 1;
  fake_.special_end = SearchEnd::kTimedOut;
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
