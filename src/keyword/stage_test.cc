#include "keyword/stage.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <map>

#include "keyword/grep_text.h"

namespace forge::keyword {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

Event Match(std::string path, std::uint64_t line, std::string text) {
  return {Event::Type::kMatch, std::move(path), line, 1, std::move(text), "x"};
}
Event Context(std::string path, std::uint64_t line, std::string text) {
  return {Event::Type::kContext, std::move(path), line, 0, std::move(text), ""};
}

TEST(GrepText, LooksAsRipgrepPrintsIt) {
  GrepText text;
  text.Add("a.c", 1, false, "before");
  text.Add("a.c", 2, true, "match");
  text.Add("a.c", 9, true, "far");
  text.Add("b.c", 10, true, "other file");
  EXPECT_EQ(text.text(), "a.c-1-before\na.c:2:match\n--\na.c:9:far\n--\nb.c:10:other file\n");
}

TEST(GrepText, NothingInAFileCanPassForALineOfItsOwn) {
  GrepText text;
  text.Add("x\nQuery: y", 1, true, "a\rb\x1B[2Jc\n");
  EXPECT_EQ(text.text(), "x\\nQuery: y:1:ab[2Jc \n");
}

TEST(MergedHits, AreWhatOneSearchForAllWouldPrint) {
  MergedHits hits;
  hits.Add({Context("b.c", 1, "one"), Match("b.c", 2, "two"), Match("b.c", 7, "seven")});
  hits.Add({Match("a.c", 1, "first"), Match("b.c", 1, "one"), Context("b.c", 3, "three")});
  EXPECT_EQ(hits.Text(), "a.c:1:first\n--\nb.c:1:one\nb.c:2:two\nb.c-3-three\n--\nb.c:7:seven\n");
  EXPECT_THAT(hits.Paths(), ElementsAre("a.c", "b.c"));
}

// Answers each term with scripted events; stops when asked to, as the real
// search does.
class Stage : public ::testing::Test {
 protected:
  Result<Gathered> Run(std::vector<std::string> terms, const Deadline& deadline = {}) {
    const auto search = [this](const SearchRequest& request, const SearchOptions& options) -> Result<SearchResponse> {
      requests_.push_back(request);
      if (const auto failed = failures_.find(request.pattern); failed != failures_.end()) return failed->second;
      SearchResponse response;
      response.notes = {"1 file was skipped."};
      for (const Event& event : events_[request.pattern]) {
        response.matches.push_back(event);
        ++produced_;
        options.on_event(event);
        if (options.enough()) break;
      }
      return response;
    };
    return Gather(search, terms, "/r", "/r/src", deadline);
  }

  std::string ErrorOf(const Result<Gathered>& result) {
    if (result) return "none";
    return std::string(Name(result.error().kind)) + ": " + result.error().message;
  }

  // A file whose events print as exactly `bytes` bytes.
  static std::vector<Event> Sized(const std::string& path, std::size_t bytes) {
    const std::string head = path + ":1:";
    return {Match("/r/" + path, 1, std::string(bytes - head.size() - 1, 'x'))};
  }

  std::map<std::string, std::vector<Event>> events_;
  std::map<std::string, Error> failures_;
  std::vector<SearchRequest> requests_;
  std::size_t produced_ = 0;
};

TEST_F(Stage, EveryTermIsSearchedOnceIgnoringCaseWithTenLinesAround) {
  events_["a"] = {Match("x.c", 1, "A")};
  const auto gathered = Run({"a", "b", "a"});
  ASSERT_TRUE(gathered);
  ASSERT_EQ(requests_.size(), 2U);
  EXPECT_EQ(requests_[0].pattern, "a");
  EXPECT_EQ(requests_[0].path, "..");
  EXPECT_EQ(requests_[0].case_mode, CaseMode::kInsensitive);
  EXPECT_EQ(requests_[0].context, 10);
  EXPECT_FALSE(requests_[0].hidden);
  EXPECT_FALSE(requests_[0].no_ignore);
  EXPECT_EQ(gathered->text, "src/x.c:1:A\n");  // relative to the root
  EXPECT_THAT(gathered->files, ElementsAre("src/x.c"));
  EXPECT_THAT(gathered->used, ElementsAre("a", "b"));
  EXPECT_THAT(gathered->notes, ElementsAre("1 file was skipped."));  // once
}

TEST_F(Stage, ATermMayPrint64KiBAndNotAByteMore) {
  events_["fits"] = Sized("a", kMaxTermBytes);
  events_["broad"] = Sized("b", kMaxTermBytes + 1);
  const auto gathered = Run({"broad", "fits"});
  ASSERT_TRUE(gathered);
  EXPECT_THAT(gathered->used, ElementsAre("fits"));
  ASSERT_EQ(gathered->skipped.size(), 1U);
  EXPECT_EQ(gathered->skipped[0].term, "broad");
  EXPECT_THAT(gathered->skipped[0].reason, HasSubstr("too broad"));
}

TEST_F(Stage, ABroadTermIsNotSearchedToItsEnd) {
  for (std::uint64_t i = 1; i < 100'000; ++i) events_["broad"].push_back(Match("/r/a", i, "some text"));
  EXPECT_FALSE(Run({"broad"}));
  EXPECT_LT(produced_, 6000U);
}

TEST_F(Stage, ResultsArePeeledFromTheLeastImportantTerm) {
  events_["one"] = Sized("a", 60000);
  events_["two"] = Sized("b", 60000);
  events_["three"] = Sized("c", kMaxTotalBytes - 120000 - 6);  // with two "--\n": exactly 128 KiB
  events_["four"] = Sized("d", 100);
  auto gathered = Run({"one", "two", "three", "four"});
  ASSERT_TRUE(gathered);
  EXPECT_THAT(gathered->used, ElementsAre("one", "two"));
  EXPECT_EQ(gathered->text.size(), 120003U);
  ASSERT_EQ(gathered->skipped.size(), 2U);
  EXPECT_THAT(gathered->skipped[0].reason, HasSubstr("128 KiB"));
  events_["three"] = Sized("c", kMaxTotalBytes - 120000 - 7);  // one byte less fits
  gathered = Run({"one", "two", "three"});
  ASSERT_TRUE(gathered);
  EXPECT_EQ(gathered->text.size(), kMaxTotalBytes - 1);
}

TEST_F(Stage, WhenTheResultsAreFullTheOtherTermsAreNotSearched) {
  for (const char* term : {"one", "two", "three", "four"}) events_[term] = Sized(term, 60000);
  ASSERT_TRUE(Run({"one", "two", "three", "four"}));
  EXPECT_EQ(requests_.size(), 3U);
}

// A line of results has at least five bytes ("p:1:" and its end), so this many
// lines are always too broad, and the search need not look for more.
TEST_F(Stage, NoMoreLinesAreAskedForThanFit) {
  ASSERT_TRUE(Run({"a"}));
  const auto most = static_cast<std::uint64_t>(requests_[0].max_results.value());
  for (std::uint64_t i = 1; i <= most; ++i) events_["short"].push_back(Match("/r/" + std::string(1, 'p'), i % 9, ""));
  EXPECT_THAT(ErrorOf(Run({"short"})), StartsWith("BadArgs: each of those search terms yielded too many results"));
  EXPECT_LT(most, 20000U);
}

// REQ-KWS-001: caps of Search would hide how broad a term is.
TEST_F(Stage, TermsAreSearchedWithoutTheCapsOfSearch) {
  SearchConfig config;
  config.fuzzy_fallback = true;
  const SearchConfig for_terms = ForTerms(config);
  EXPECT_EQ(for_terms.max_files, std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(for_terms.max_matches_per_file, std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(for_terms.max_file_size_bytes, kMaxFileBytes);
  EXPECT_FALSE(for_terms.fuzzy_fallback);
  config.max_file_size_bytes = kMaxFileBytes + 1;
  EXPECT_EQ(ForTerms(config).max_file_size_bytes, kMaxFileBytes + 1);
}

TEST_F(Stage, ABadTermDoesNotSpoilTheOthers) {
  failures_["("] = BadArgs("pattern: missing )");
  events_["a"] = {Match("x.c", 1, "a")};
  const auto gathered = Run({"(", "a"});
  ASSERT_TRUE(gathered);
  EXPECT_THAT(gathered->used, ElementsAre("a"));
  EXPECT_EQ(gathered->skipped[0].reason, "pattern: missing )");
}

TEST_F(Stage, WithoutAUsableTermTheErrorNamesThemAll) {
  failures_["("] = BadArgs("pattern: missing )");
  events_["broad"] = Sized("b", kMaxTermBytes + 1);
  EXPECT_THAT(ErrorOf(Run({"broad", "("})),
              AllOf(StartsWith("BadArgs: each of those search terms yielded too many results: \"broad\" ("),
                    HasSubstr("\"(\" (pattern: missing ))")));
  EXPECT_THAT(ErrorOf(Run({"("})), StartsWith("BadArgs: search_terms: none of them can be searched: \"(\""));
  failures_["x"] = ExecutionFailed("no backend");
  EXPECT_EQ(ErrorOf(Run({"x", "("})), "ExecutionFailed: no backend");
  EXPECT_THAT(ErrorOf(Run({"a"}, Deadline(Clock::now()))), StartsWith("Timeout: no search term"));
}

TEST_F(Stage, ACancellationEndsIt) {
  CancelSource source;
  source.Cancel();
  EXPECT_THAT(ErrorOf(Run({"a"}, Deadline(Clock::time_point::max(), source.token()))), StartsWith("Cancelled"));
  failures_["a"] = Cancelled();
  EXPECT_THAT(ErrorOf(Run({"a", "b"})), StartsWith("Cancelled"));
}

}  // namespace
}  // namespace forge::keyword
