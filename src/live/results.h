// What a search has found so far, as rows of a list: the name of a file, then its
// lines.
//
//   src/a.cc            <- row 0, a heading
//     12: first line    <- row 1, match 0
//     40: second line   <- row 2, match 1
//
// A line is kept as far as it can be shown: long ones are cut around their match.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "forge/search.h"
#include "live/grid.h"

namespace forge::live {

// A line of the answer.
struct Match {
  std::string path;          // as the answer calls it, any bytes
  std::size_t place = 0;     // which of the searched places it is in
  std::uint64_t line = 0;    // 1-based
  std::uint64_t column = 0;  // 1-based, in bytes
  std::string text;          // of the line, any bytes
  std::vector<Bytes> matches;
};

// The part of a line that is worth keeping, and the matches in it.
struct ShortLine {
  std::string text;
  std::vector<Bytes> matches;
};
ShortLine Shorten(const Event& event);

class Results {
 public:
  struct Row {
    bool heading = false;
    std::size_t match = 0;  // of a heading: the first one below it
  };

  void Add(Match match);
  void Clear();

  bool empty() const { return matches_.empty(); }
  std::size_t files() const { return rows_.size() - matches_.size(); }
  const std::vector<Match>& matches() const { return matches_; }
  const std::vector<Row>& rows() const { return rows_; }
  std::size_t RowOf(std::size_t match) const { return row_of_[match]; }

 private:
  std::vector<Match> matches_;
  std::vector<Row> rows_;
  std::vector<std::size_t> row_of_;
};

}  // namespace forge::live
