#include "cli/search_notes.h"

#include <gtest/gtest.h>

namespace forge::cli {
namespace {

TEST(SearchNotes, PeopleReadOptionsNotFields) {
  EXPECT_EQ(InOptions("include_glob[0]: \"[a\": is not closed"), "-g: \"[a\": is not closed");
  EXPECT_EQ(InOptions("exclude_iglob[2]: \"[a\": is not closed"), "--iglob '!...': \"[a\": is not closed");
  EXPECT_EQ(InOptions("fuzzy: cannot be combined with invert"), "--fuzzy: cannot be combined with -v");
  EXPECT_EQ(InOptions("path: cannot be read: x: Permission denied"), "cannot be read: x: Permission denied");
  EXPECT_EQ(InOptions("pattern: missing closing parenthesis at offset 4"),
            "pattern: missing closing parenthesis at offset 4");
  EXPECT_EQ(InOptions("rg failed"), "rg failed");
}

TEST(SearchNotes, WhatHasNoPathIsSaidWithoutOne) {
  SearchResponse response;
  response.errors = {{"", "cannot look for a repository in /x"}, {"a.c", "Permission denied"}};
  EXPECT_EQ(NotesFor(response, SearchFlags(), SearchConfig()),
            (std::vector<std::string>{"cannot look for a repository in /x", "a.c: Permission denied"}));
}

}  // namespace
}  // namespace forge::cli
