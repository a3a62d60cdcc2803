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

TEST(Content, NothingInItDrivesATerminal) {
  SearchResponse response;
  response.matches = {Match("a\x1B[2J", 1, 1, "x\x1B]0;title\x07\u009By")};
  EXPECT_THAT(BuildContent(response, {}), StartsWith("a[2J\n1:1:x]0;titley\n"));
}

TEST(Notes, EachThingLeftOutIsCountedAndNamesItsKey) {
  SearchResponse response;
  response.truncated = true;
  response.timed_out = true;
  response.exit_code = 2;
  response.errors = {{"a", "Permission denied"}};
  CheckedRequest request;
  request.max_results = 7;
  request.timeout_ms = 8;
  request.max_files = 9;
  request.max_matches_per_file = 10;
  request.max_file_size_bytes = 11;
  const LeftOut left_out{.too_large = 1, .binary = 2, .capped = 3, .denied = 4, .more_files = true};
  EXPECT_THAT(
      MakeNotes(response, request, left_out),
      ::testing::ElementsAre(HasSubstr("max_results (7)"), HasSubstr("timeout_ms (8)"), HasSubstr("first 9 files"),
                             StartsWith("3 files have more matches than max_matches_per_file (10)"),
                             StartsWith("1 file larger than max_file_size_bytes (11) was skipped"),
                             StartsWith("2 binary files with a match were skipped"),
                             StartsWith("4 paths were skipped because of deny patterns"),
                             StartsWith("1 path could not be searched"), HasSubstr("backend failed")));
  EXPECT_TRUE(MakeNotes(SearchResponse(), request, LeftOut()).empty());
}

}  // namespace
}  // namespace forge
