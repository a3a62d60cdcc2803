// The matches of a page as text of bounded size.
//
//   src/a.c
//   12:int foo(void)
//   40, 41:  foo();
//
//   Further matches, by line number:
//   src/b.c:3 40 41
//   src/b.c:44:class B {
//   src/c.c:7
//   and 12 more matches in 4 files
//
// Lines come first, as many as their share of the room takes; then the places of
// the other matches; then a count. Each part is a beginning of what is left, and
// its share does not depend on how much there is. So a larger page shows all that
// a smaller one does, and then more: to raise max_results never hides a line. (The
// ladder of search/ladder.h names every file first, and gives lines the rest of
// the room; it shows fewer lines of more matches.)
//
// The first lines may be long, and keep their indentation; the others are cut more: a
// page of few matches is read closely. Lines of one file that follow each other and
// read the same are one. bench/tokens has shown what each of these is worth. Among
// the places, those that look like definitions have their text, because a model that
// looks for a name would ask for that line next.
//
// Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "forge/search.h"

namespace forge::agent {

struct ListOptions {
  std::size_t room = 0;  // bytes
  std::uint64_t before = 0;
  std::uint64_t after = 0;
  bool columns = false;
  bool is_later_page = false;
};

struct Listing {
  std::string text = {};
  std::uint64_t with_text = 0;  // matches that are shown as lines
  std::uint64_t by_number = 0;  // and those after them of which the text has the line number
  std::uint64_t counted = 0;    // and the others
};

// `events` as in an answer: grouped by file.
Listing ListMatches(const std::vector<Event>& events, const ListOptions& options);

// One line for each file, as many as fit; how many these are.
std::size_t ListLines(const std::vector<std::string>& lines, std::size_t room, std::string& out);

}  // namespace forge::agent
