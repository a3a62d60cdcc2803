#include "search/collector.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "tests/testing/temp_tree.h"

namespace forge {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Event Line(std::uint64_t number) { return {Event::Type::kMatch, "", number, 1, "text", "t"}; }

class CollectorTest : public ::testing::Test {
 protected:
  CollectorTest() { request_.max_results = 3; }

  Collector Make(const std::string& folder = "") { return {request_, sandbox_, tree_.Path(folder), options_}; }

  // A file with a match on each of these lines.
  static FileOutcome File(std::uint64_t position, std::string path, const std::vector<std::uint64_t>& lines = {}) {
    FileOutcome outcome{.position = position, .path = std::move(path), .events = {}, .error = {}};
    for (const std::uint64_t line : lines) outcome.events.push_back(Line(line));
    return outcome;
  }
  static FileOutcome Failed(std::uint64_t position, std::string path, std::string error) {
    FileOutcome outcome = File(position, std::move(path));
    outcome.error = std::move(error);
    return outcome;
  }

  // "path:line"
  static std::vector<std::string> Matches(const SearchResponse& response) {
    std::vector<std::string> out;
    for (const Event& event : response.matches) out.push_back(event.path + ":" + std::to_string(event.line_number));
    return out;
  }
  // "path: error"
  static std::vector<std::string> Errors(Collector& collector) {
    SearchResponse response;
    collector.Finish(response);
    std::vector<std::string> out;
    for (const FileError& error : response.errors) out.push_back(error.path + ": " + error.error);
    return out;
  }

  testing::TempTree tree_;
  Sandbox sandbox_ = *Sandbox::Create({tree_.root()}, "", {});
  CheckedRequest request_;
  SearchOptions options_;
};

TEST_F(CollectorTest, EventsStayInOrderAndGetTheirShownPath) {
  Collector collector = Make("sub");
  EXPECT_TRUE(collector.Take(File(1, "b", {7})));
  EXPECT_TRUE(collector.Take(File(3, "a\xFF", {2, 5})));
  SearchResponse response;
  collector.Finish(response);
  EXPECT_THAT(Matches(response), ElementsAre("sub/b:7", "sub/a\uFFFD:2", "sub/a\uFFFD:5"));
  EXPECT_EQ(collector.cut(), std::nullopt);
  EXPECT_EQ(collector.taken(), 3U);
  EXPECT_EQ(collector.reported(), 2U) << "file 2 was excluded";
}

// D5: the answer of a search that ran out of time ends between two files.
TEST_F(CollectorTest, AFileWithoutItsEndIsNotPartOfTheAnswer) {
  Collector collector = Make();
  const FileItem first{1, "a"};
  const FileItem second{2, "b"};
  EXPECT_TRUE(collector.TakeEvent(first, Line(1)));
  EXPECT_TRUE(collector.Take(File(1, "a")));
  EXPECT_TRUE(collector.TakeEvent(second, Line(1)));
  SearchResponse response;
  collector.Finish(response);
  EXPECT_THAT(Matches(response), ElementsAre("a:1"));
  EXPECT_EQ(collector.taken(), 1U);
}

TEST_F(CollectorTest, PathsInTheWorkingFolderAreRelativeToItAlsoIfMoreIsSearched) {
  tree_.Write("work/a", "");
  sandbox_ = *Sandbox::Create({tree_.root()}, tree_.Path("work"), {});
  Collector collector = Make();
  EXPECT_TRUE(collector.Take(File(1, "other", {1})));
  EXPECT_TRUE(collector.Take(File(2, "work/a", {1})));
  EXPECT_TRUE(collector.Take(File(3, "work2", {1})));
  SearchResponse response;
  collector.Finish(response);
  EXPECT_THAT(Matches(response), ElementsAre(tree_.Path("other") + ":1", "a:1", tree_.Path("work2") + ":1"));
}

TEST_F(CollectorTest, ExactlyMaxResultsIsNotTruncated) {
  Collector collector = Make();
  EXPECT_TRUE(collector.Take(File(1, "a", {1, 2, 3}))) << "there may be more: go on";
  EXPECT_TRUE(collector.Take(File(2, "b")));
  EXPECT_EQ(collector.cut(), std::nullopt);
  EXPECT_EQ(collector.taken(), 2U);
}

TEST_F(CollectorTest, OneMoreThanMaxResultsProvesTheTruncationAndIsNotPartOfTheAnswer) {
  for (const auto& second : {std::vector<std::uint64_t>{1}, {1, 2, 3, 4}}) {
    Collector collector = Make();
    EXPECT_TRUE(collector.Take(File(1, "a", {1, 2, 3})));
    EXPECT_FALSE(collector.Take(File(4, "b", second)));
    EXPECT_EQ(collector.cut(), SearchEnd::kFull);
    EXPECT_EQ(collector.taken(), 4U) << "the file with the proof counts as searched";
    SearchResponse response;
    collector.Finish(response);
    EXPECT_THAT(Matches(response), ElementsAre("a:1", "a:2", "a:3"));
  }
}

TEST_F(CollectorTest, WhatIsCountedInTheFileOfTheProofIsNotPartOfTheAnswer) {
  Collector collector = Make();
  FileOutcome proof = File(1, "a", {1, 2, 3, 4});
  proof.capped = true;
  proof.error = "cut";
  proof.asides = {.denied = 2, .failures = {{"before", "bad"}}};
  EXPECT_FALSE(collector.Take(std::move(proof)));
  EXPECT_EQ(collector.left_out().capped, 0U);
  EXPECT_EQ(collector.left_out().denied, 2U) << "what stood before it is";
  EXPECT_THAT(Errors(collector), ElementsAre("before: bad"));
}

TEST_F(CollectorTest, ErrorsAreSortedAsPathsAreAndSaidOnceForEach) {
  Collector collector = Make();
  collector.TakeAsides({.denied = 0, .failures = {{"folder", "not listed"}}});
  collector.Take(Failed(1, "z", "gone"));
  collector.Take(Failed(2, "e\u0301", "second of the twins"));
  collector.Take(Failed(3, "\u00E9", "first of the twins"));
  collector.Take(Failed(4, "folder-x", "bad"));
  collector.Take(Failed(5, "z", "again"));
  EXPECT_THAT(Errors(collector), ElementsAre("folder: not listed", "folder-x: bad", "z: gone",
                                             "e\u0301: second of the twins", "\u00E9: first of the twins"));
}

// Which one is told must not depend on how many others there are.
TEST_F(CollectorTest, OfTwoErrorsOfOnePathTheFirstIsSaid) {
  for (const int others : {0, 10, 20, 50, 500}) {
    Collector collector = Make();
    for (int i = 0; i < others; ++i) collector.Take(Failed(1, "a" + std::to_string(i), "x"));
    for (const char* error : {"first", "second", "third"}) collector.Take(Failed(2, "m", error));
    for (int i = 0; i < others; ++i) collector.Take(Failed(3, "b" + std::to_string(others - i), "x"));
    EXPECT_EQ(Errors(collector).back(), "m: first") << others << " others";
  }
}

TEST_F(CollectorTest, AnErrorOfTheRootItselfIsShownAsTheFolder) {
  Collector top = Make();
  top.TakeAsides({.denied = 0, .failures = {{"", "no permission"}}});
  EXPECT_THAT(Errors(top), ElementsAre(".: no permission"));
  Collector below = Make("sub");
  below.TakeAsides({.denied = 0, .failures = {{"", "bytes \xFF"}}});
  EXPECT_THAT(Errors(below), ElementsAre("sub: bytes \uFFFD"));
}

TEST_F(CollectorTest, CountsWhatWasLeftOut) {
  Collector collector = Make();
  FileOutcome large = File(1, "large");
  large.too_large = true;
  FileOutcome binary = File(2, "binary");
  binary.binary = true;
  binary.asides.denied = 3;
  binary.asides.denied_paths = {"a.pem", "b.pem", "c.pem"};
  FileOutcome capped = File(3, "capped", {1});
  capped.capped = true;
  for (FileOutcome* outcome : {&large, &binary, &capped}) EXPECT_TRUE(collector.Take(std::move(*outcome)));
  collector.TakeAsides({.denied = 4, .denied_paths = {"d.pem"}, .failures = {}});
  EXPECT_EQ(collector.left_out().too_large, 1U);
  EXPECT_EQ(collector.left_out().binary, 1U);
  EXPECT_EQ(collector.left_out().capped, 1U);
  EXPECT_EQ(collector.left_out().denied, 7U);
  EXPECT_THAT(collector.left_out().denied_paths, ElementsAre("a.pem", "b.pem", "c.pem")) << "the first few";
}

TEST_F(CollectorTest, EachEventIsStreamedOnceAndOnlyIfItIsPartOfTheAnswer) {
  std::vector<std::string> streamed;
  options_.on_event = [&](const Event& event) {
    streamed.push_back(event.path + ":" + std::to_string(event.line_number));
  };
  Collector collector = Make();
  collector.Take(File(1, "a", {1, 2}));
  collector.Take(File(2, "b", {1, 2}));
  EXPECT_THAT(streamed, ElementsAre("a:1", "a:2", "b:1"));
  EXPECT_EQ(collector.events(), 3U);
}

TEST_F(CollectorTest, ACallerWhoHasEnoughIsAskedAfterEachEvent) {
  int asked = 0;
  options_.enough = [&] { return ++asked == 2; };
  Collector collector = Make();
  EXPECT_TRUE(collector.Take(File(1, "a", {1})));
  EXPECT_FALSE(collector.Take(File(2, "b", {1, 2})));
  EXPECT_EQ(asked, 2);
  EXPECT_EQ(collector.cut(), SearchEnd::kStopped);
  SearchResponse response;
  collector.Finish(response);
  EXPECT_THAT(Matches(response), ElementsAre("a:1", "b:1"));
}

// Empty lines count, too: a request may ask for millions of context lines.
TEST_F(CollectorTest, TheEventsThatAreHeldAreBounded) {
  request_.max_results = 100;
  request_.max_answer_bytes = 3 * kEventBytes + 100;
  Collector collector = Make();
  EXPECT_FALSE(collector.Take(File(1, "a", {1, 2, 3, 4, 5})));
  EXPECT_EQ(collector.cut(), SearchEnd::kTooMuchText);
  EXPECT_EQ(collector.events(), 3U);
}

// A line may have megabytes, and there may be hundreds of them.
TEST_F(CollectorTest, TheTextThatIsHeldIsBounded) {
  request_.max_answer_bytes = 250 + 2 * kEventBytes;
  const auto with_text = [](std::uint64_t position, std::size_t bytes) {
    FileOutcome outcome = File(position, "a", {1});
    outcome.events[0].line = std::string(bytes, 'x');
    outcome.events[0].match_text = std::string(bytes, 'x');
    return outcome;
  };
  Collector collector = Make();
  EXPECT_TRUE(collector.Take(with_text(1, 1000))) << "one line is always shown";
  EXPECT_FALSE(collector.Take(with_text(2, 1)));
  EXPECT_EQ(collector.cut(), SearchEnd::kTooMuchText);
  Collector small = Make();
  EXPECT_TRUE(small.Take(with_text(1, 60)));
  EXPECT_TRUE(small.Take(with_text(2, 60)));
  EXPECT_FALSE(small.Take(with_text(3, 60)));
  SearchResponse response;
  small.Finish(response);
  EXPECT_THAT(Matches(response), ElementsAre("a:1", "a:1"));
}

TEST_F(CollectorTest, EventsThatAreOnlyStreamedAreNotHeld) {
  request_.max_answer_bytes = 1;
  options_.keep_events = false;
  int streamed = 0;
  options_.on_event = [&](const Event&) { ++streamed; };
  Collector collector = Make();
  EXPECT_TRUE(collector.Take(File(1, "a", {1, 2, 3})));
  EXPECT_FALSE(collector.Take(File(2, "b", {1}))) << "max_results holds";
  EXPECT_EQ(collector.cut(), SearchEnd::kFull);
  EXPECT_EQ(collector.events(), 3U);
  EXPECT_EQ(streamed, 3);
  SearchResponse response;
  collector.Finish(response);
  EXPECT_THAT(response.matches, IsEmpty());
}

// FR-LS-ERR-06, I4: readable text, also where it is a path.
TEST_F(CollectorTest, ErrorsHaveNoByteThatDrivesATerminalOrBreaksALine) {
  Collector collector = Make();
  collector.Take(Failed(1, "a\nb\x1B[2J\u202E", "went \x1B[1m wrong"));
  EXPECT_THAT(Errors(collector), ElementsAre("a\\nb\\u001b[2J\\u202e: went [1m wrong"));
}

TEST_F(CollectorTest, ProgressCountsPositions) {
  std::vector<std::uint64_t> done;
  options_.on_progress = [&](const Progress& progress) { done.push_back(progress.done); };
  Collector collector = Make();
  for (const std::uint64_t position : {1U, 5U, 6U}) collector.Take(File(position, "a"));
  EXPECT_THAT(done, ElementsAre(1, 5, 6));
  EXPECT_THAT(Errors(collector), IsEmpty());
}

}  // namespace
}  // namespace forge
