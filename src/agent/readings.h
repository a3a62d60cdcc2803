// What else a pattern may mean.
//
//   HandleLine(     no regular expression: plain text
//   \\s+foo         escaped once too often: \s+foo
//   /foo/i          as written in JavaScript
//   foo\|bar        as grep without -E reads it: foo|bar
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

// Whether the pattern looks like the name of files: *.cc.
bool LooksLikeFileGlob(const std::string& pattern);

}  // namespace forge::agent
