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
  CheckedRequest request;
  request.context = 1;
  EXPECT_EQ(BuildContent(response, request),
            "a.c\n2:5:int x;\n3-{\n--\n9:1:x\n\nb.c\n1:1:x\n\n3 matches in 2 files; 10 files searched.\n");
}

TEST(Content, SaysSoWhenThereIsNothing) {
  SearchResponse response;
  response.files_scanned = 1;
  response.notes = {"one.", "two."};
  EXPECT_EQ(BuildContent(response, {}), "No matches; 1 file searched.\nNote: one.\nNote: two.\n");
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
  EXPECT_THAT(content, HasSubstr("Note: 1 line longer than 400 bytes is clipped in this view"));
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

TEST(Content, IsBoundedAndSaysWhereItEnds) {
  SearchResponse response;
  for (std::uint64_t i = 1; i <= 5000; ++i) response.matches.push_back(Match("a", i, 1, std::string(100, 'x')));
  const std::string content = BuildContent(response, {});
  EXPECT_LT(content.size(), kMaxContentBytes + 1000);
  EXPECT_THAT(content, HasSubstr("lines of 5000; matches has them all.\n"));
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
