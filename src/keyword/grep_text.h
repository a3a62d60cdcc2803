// Matches as ripgrep prints them with -n -C, one line each (H10):
//
//   src/a.c-11-before
//   src/a.c:12:the match
//   --
//   src/b.c:3:another
//
// "--" stands between two lines that are not neighbours. The text of a file
// cannot imitate anything else: each line starts with the path of the file, and
// neither path nor text can contain a line end.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "forge/search.h"

namespace forge::keyword {

// Printable, and without a line end.
std::string OneLine(std::string_view text);

// Lines in order of path and number.
class GrepText {
 public:
  void Add(std::string_view path, std::uint64_t line_number, bool is_match, std::string_view line);
  const std::string& text() const { return text_; }
  std::string Take() { return std::move(text_); }

 private:
  std::string text_;
  std::string path_;
  std::uint64_t line_number_ = 0;
};

// The union of what several searches found: a line that matches in one of them
// is a match. One search for all terms would print the same. We do not join the
// regular expressions into one: that would break back-references, names and
// options inside them.
class MergedHits {
 public:
  void Add(const std::vector<Event>& events);
  std::string Text() const;
  std::set<std::string, std::less<>> Paths() const;

 private:
  struct Line {
    bool is_match = false;
    std::string text;
  };
  using Lines = std::map<std::uint64_t, Line>;

  std::map<std::pair<std::string, std::string>, Lines> files_;  // by sort key and path
};

}  // namespace forge::keyword
