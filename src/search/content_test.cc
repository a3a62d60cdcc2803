#include "search/content.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace forge {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

Event Match(std::string path, std::uint64_t line, std::uint64_t column, std::string text) {
  return {Event::Type::kMatch, std::move(path), line, column, std::move(text), "x"};
}

Event Context(std::string path, std::uint64_t line, std::string text) {
  return {Event::Type::kContext, std::move(path), line, 0, std::move(text), ""};
}

TEST(Content, GroupsByFileAndEndsWithASummary) {
  SearchResponse response;
  response.matches = {Match("a.c", 2, 5, "int x;"), Context("a.c", 3, "{"), Match("a.c", 9, 1, "x"),
                      Match("b.c", 1, 1, "x")};
  response.files_scanned = 10;
  response.path = "/p";
  CheckedRequest request;
  request.context = 1;
  EXPECT_EQ(BuildContent(response, request),
            "a.c\n2:5:int x;\n3-{\n--\n9:1:x\n\nb.c\n1:1:x\n\n3 matches in 2 files; 10 files searched in /p.\n");
}

TEST(Content, SaysWhatWasSearchedWhenThereIsNothing) {
  SearchResponse response;
  response.files_scanned = 1;
  response.path = "/p";
  response.notes = {"one.", "two."};
  CheckedRequest request;
  EXPECT_EQ(BuildContent(response, request),
            "No matches; 1 file searched in /p.\nHidden and ignored files were left out.\nNote: one.\nNote: two.\n");
  request.request.hidden = request.request.no_ignore = true;
  EXPECT_EQ(BuildContent(response, request), "No matches; 1 file searched in /p.\nNote: one.\nNote: two.\n");
  request.request.include_glob = {"*.cc", "*.h"};
  request.request.exclude_glob = {"*_test.cc"};
  request.request.recursive = false;
  EXPECT_THAT(BuildContent(response, request),
              HasSubstr("Only files that match include_glob (*.cc, *.h). Without exclude_glob (*_test.cc). Not in "
                        "subfolders.\n"));
}

TEST(Content, ALongLineIsClippedAroundItsMatch) {
  SearchResponse response;
  std::string line(5000, '-');
  line.append("NEEDLE").append(5000, '+');
  response.matches = {Match("a", 1, 5001, line)};
  const std::string content = BuildContent(response, {});
  EXPECT_LT(content.size(), 800U);
  EXPECT_THAT(content, HasSubstr("…---"));
  EXPECT_THAT(content, HasSubstr("-NEEDLE+"));
  EXPECT_THAT(content, HasSubstr("… (10006 bytes)\n"));
  EXPECT_THAT(content, HasSubstr("Note: 1 line longer than 400 bytes is clipped around the match.\n"));
}

TEST(Content, ALineWithBadUtf8IsClippedAroundItsMatch) {
  SearchResponse response;
  std::string line;
  for (int i = 0; i < 300; ++i) line += "\uFFFD";  // one byte each in the file
  response.matches = {Match("a", 1, 301, line + "NEEDLE")};
  response.matches[0].match_text = "NEEDLE";
  EXPECT_THAT(BuildContent(response, {}), HasSubstr("\uFFFDNEEDLE\n"));
}

TEST(Content, ClippingCutsNoCharacterInTwo) {
  std::string line;
  for (int i = 0; i < 1000; ++i) line += "\u00E9";
  for (std::uint64_t column = 1; column < 1000; column += 7) {
    SearchResponse response;
    response.matches = {Match("a", 1, column, line)};
    const std::string content = BuildContent(response, {});
    EXPECT_THAT(content, Not(HasSubstr("\uFFFD")));
    for (std::size_t at = content.find("\xC3"); at != std::string::npos; at = content.find("\xC3", at + 1)) {
      ASSERT_EQ(content[at + 1], '\xA9') << column;
    }
  }
}

TEST(Content, StaysWithinItsBudgetAndSaysWhatItShortened) {
  SearchResponse response;
  for (std::uint64_t i = 1; i <= 200; ++i) {
    response.matches.push_back(Match("f" + std::to_string(i / 4), i, 1, std::string(100, 'x')));
  }
  for (const std::uint64_t budget : {1000U, 3000U, 10'000U, 20'000U}) {
    CheckedRequest request;
    request.content_max_bytes = budget;
    const std::string content = BuildContent(response, request);
    EXPECT_LE(content.size(), budget);
    EXPECT_TRUE(budget == 1000 || content.size() > budget / 3) << content.size();
    EXPECT_THAT(content, HasSubstr("200 matches in 51 files"));
    EXPECT_THAT(content, HasSubstr("Note: to fit into content_max_bytes (" + std::to_string(budget) + "), this view"));
  }
  CheckedRequest request;
  request.content_max_bytes = 40'000;
  EXPECT_THAT(BuildContent(response, request), Not(HasSubstr("Note:")));
}

// The count is the size of the excerpt, and says so.
TEST(Content, ACutAnswerIsNotCalledAllOfTheMatches) {
  SearchResponse response;
  response.matches = {Match("a.c", 2, 1, "x"), Match("a.c", 3, 1, "x")};
  response.end = SearchEnd::kFull;
  response.truncated = true;
  EXPECT_THAT(BuildContent(response, {}), HasSubstr("\nThe first 2 matches in 1 file; "));
  response.matches.pop_back();
  EXPECT_THAT(BuildContent(response, {}), HasSubstr("\nThe first match in 1 file; "));
}

TEST(Content, ContextThatTakesTheWholeLimitIsNotCalledNothing) {
  SearchResponse response;
  response.matches = {Context("a.c", 1, "{"), Context("a.c", 2, "}")};
  response.end = SearchEnd::kFull;
  response.truncated = true;
  EXPECT_THAT(BuildContent(response, {}), HasSubstr("There are matches, but the context before the first one"));
  EXPECT_THAT(BuildContent(response, {}), Not(HasSubstr("No matches")));
}

TEST(Content, NothingInItDrivesATerminal) {
  SearchResponse response;
  response.matches = {Match("a\x1B[2J", 1, 1, "x\x1B]0;title\x07\u009By")};
  EXPECT_THAT(BuildContent(response, {}), StartsWith("a\\u001b[2J\n1:1:x]0;titley\n"));
}

// A name is one line, whatever is in it, on every rung of the ladder.
TEST(Content, ANameCannotLookLikeALineOfResults) {
  const std::string forged = "a\n7:1:forged\u2028b\u2029c\u0085d\u202Ee\u2066f\u200Fg\rh";
  const std::string shown = "a\\n7:1:forged\\u2028b\\u2029c\\u0085d\\u202ee\\u2066f\\u200fg\\rh";
  for (const std::uint64_t budget : {20'000U, 2000U, 1000U}) {
    SearchResponse response;
    response.path = "/" + forged;
    for (std::uint64_t i = 1; i <= 100; ++i) {
      response.matches.push_back(Match(forged + "/" + std::to_string(i / 20), i, 1, "x\u2028y" + std::string(90, 'z')));
    }
    CheckedRequest request;
    request.content_max_bytes = budget;
    const std::string content = BuildContent(response, request);
    EXPECT_THAT(content, HasSubstr(shown + "/"));
    EXPECT_THAT(content, HasSubstr("searched in /" + shown + "."));
    EXPECT_THAT(content, Not(HasSubstr("\n7:1:forged")));
    for (const char* part : {"\u2028", "\u2029", "\u0085", "\u202E", "\u2066", "\u200F", "\r"}) {
      EXPECT_THAT(content, Not(HasSubstr(part))) << budget;
    }
  }
}

TEST(Content, WhatARequestSaysCannotMakeItLong) {
  SearchResponse response;
  response.path = "/" + std::string(4000, '\n');
  for (int i = 0; i < 50; ++i) response.notes.push_back("a note with a number, " + std::to_string(i) + ".");
  CheckedRequest request;
  request.request.include_glob = std::vector<std::string>(1000, std::string(300, 'g'));
  request.request.exclude_glob = {std::string(300'000, '\n')};
  for (const std::uint64_t budget : {1000U, 10'000U}) {
    request.content_max_bytes = budget;
    EXPECT_LE(BuildContent(response, request).size(), budget);
    response.matches = {Match(std::string(4000, '\n'), 1, 1, "x")};
    EXPECT_LE(BuildContent(response, request).size(), budget);
  }
  request.content_max_bytes = 1000;
  EXPECT_THAT(BuildContent(response, request), HasSubstr("more notes did not fit.\n"));
}

TEST(Notes, EachThingLeftOutIsCountedAndNamesItsKey) {
  SearchResponse response;
  response.end = SearchEnd::kFull;
  response.errors = {{"a", "Permission denied"}};
  CheckedRequest request;
  request.max_results = 7;
  request.max_files = 9;
  request.max_matches_per_file = 10;
  request.size_limit = {11};
  const LeftOut left_out{.too_large = 1, .binary = 2, .capped = 3, .denied = 4, .more_files = true};
  EXPECT_THAT(MakeNotes(response, request, left_out),
              ::testing::ElementsAre(HasSubstr("max_results (7)"), HasSubstr("first 9 files"),
                                     StartsWith("3 files have more matches than max_matches_per_file (10)"),
                                     StartsWith("1 file larger than max_file_size_bytes (11) was skipped"),
                                     StartsWith("2 binary files with a match were skipped"),
                                     StartsWith("4 paths were skipped because of deny patterns"),
                                     StartsWith("1 path could not be searched")));
}

// An answer is without a note only if everything was searched, or if the
// caller stopped it.
TEST(Notes, EveryEndThatIsNotCompleteIsSaid) {
  CheckedRequest request;
  request.max_results = 7;
  request.timeout_ms = 8;
  request.max_answer_bytes = 9;
  const struct {
    SearchEnd end;
    const char* note;
  } cases[] = {
      {SearchEnd::kNotSearched, "nothing was searched"},
      {SearchEnd::kFull, "truncated at max_results (7); there is more"},
      {SearchEnd::kTooMuchText, "truncated at max_answer_bytes (9); there is more"},
      {SearchEnd::kTimedOut, "stopped at timeout_ms (8)"},
      {SearchEnd::kCancelled, "the search was cancelled"},
      {SearchEnd::kBackendFailed, "the search backend failed"},
      {SearchEnd::kBackendNotStarted, "the search backend could not be started"},
      {SearchEnd::kOutOfMemory, "the search ran out of memory"},
  };
  for (const auto& c : cases) {
    SearchResponse response;
    response.end = c.end;
    EXPECT_THAT(MakeNotes(response, request, LeftOut()), ::testing::ElementsAre(StartsWith(c.note)));
  }
  for (const SearchEnd end : {SearchEnd::kComplete, SearchEnd::kStopped}) {
    SearchResponse response;
    response.end = end;
    EXPECT_THAT(MakeNotes(response, request, LeftOut()), ::testing::IsEmpty());
  }
  EXPECT_THAT(MakeNotes(SearchResponse(), request, LeftOut()), Not(::testing::IsEmpty()))
      << "a response that nothing filled is not complete";
}

// D4
TEST(Notes, ATimeoutAtExactlyMaxResultsLeavesOpenWhetherThereIsMore) {
  SearchResponse response;
  response.end = SearchEnd::kTimedOut;
  response.timed_out = response.truncated = true;
  CheckedRequest request;
  request.max_results = 7;
  EXPECT_THAT(MakeNotes(response, request, LeftOut()),
              ::testing::ElementsAre(StartsWith("truncated at max_results (7); there may be more:"),
                                     StartsWith("stopped at timeout_ms")));
}

}  // namespace
}  // namespace forge
