// What else a pattern may mean.
//
//   HandleLine(     no regular expression: plain text
//   \\s+foo         escaped once too often: \s+foo
//   /foo/i          as written in JavaScript
//   foo\|bar        as grep without -E reads it: foo|bar
//   \(foo\|bar\)    likewise: (foo|bar)
//   foo OR bar      foo|bar
//   "%d\n"          the two characters \ and n, as they stand in a source
//   buffer[64]      plain text
//
// For a pattern that finds nothing, or is no regular expression. The model gets
// the answer to the first reading that finds something, and is told which it is.
//
// Pure.
#pragma once

#include <string>
#include <vector>

#include "forge/search.h"

namespace forge::agent {

struct Reading {
  SearchRequest request;
  std::string as;  // "\s+foo", or "plain text"
};

// In the order in which to try them.
std::vector<Reading> OtherReadings(const SearchRequest& request);

// Whether it is a regular expression that asks for the end of a line within a match.
bool AsksForLineFeed(const SearchRequest& request);

// Whether it is one, but may not be meant so: C++ is one or more C, operator() the
// word operator, and void *malloc has no star.
bool LooksLikePlainText(const SearchRequest& request);

// Whether a part of it that is empty matches every line: foo|
bool HasEmptyAlternative(const SearchRequest& request);

// Whether the pattern looks like the name of files: *.cc.
bool LooksLikeFileGlob(const std::string& pattern);

// "ladder.cc" for ladder.cc and ladder\\.cc, src/ladder.cc for itself; "" for what is no
// name of a file with an ending.
std::string FileNameIn(const SearchRequest& request);

}  // namespace forge::agent
