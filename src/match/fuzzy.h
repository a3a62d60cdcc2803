// Approximate matching: a text within a few edits of the pattern.
//
// An edit inserts, drops or replaces one character; a transposition is two. A
// line matches at level k if some part of it is within k edits of the pattern,
// so level k + 1 finds all that level k finds (FR-LS-SRC-11). Bytes that are not
// UTF-8 count as characters that equal nothing.
//
// The match is the part of the line with the fewest edits; among several, the one
// that starts first; among those, the longest:
//
//   memory_hotplg (1)   in  "x memory_hotplug y"   ->  "memory_hotplug"
//   abc (1)             in  "ab abc"               ->  "abc", not "ab"
//
// ugrep's metric differs in one point: there, a match must begin with the
// pattern's first character (docs/search.md).
//
// At least one character must be right: a level that is not below the pattern's
// length counts as length - 1.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/deadline.h"
#include "match/edit_automaton.h"
#include "match/prefilter.h"
#include "match/scan.h"

namespace forge {

// Immutable, so thread-safe.
class FuzzyPattern {
 public:
  // `level` is 1 to 4. With `fold`, ASCII case does not matter; with `word`,
  // neither neighbour of a match is a word character.
  FuzzyPattern(std::string_view text, int level, bool fold, bool word);

  std::size_t level() const { return level_; }
  bool fold() const { return fold_; }
  bool word() const { return word_; }
  std::size_t size() const { return forward_.size(); }
  const EditTable& forward() const { return forward_; }
  const EditTable& backward() const { return backward_; }

  // If we cut the pattern into level + 1 pieces, every match contains one of them
  // unchanged: an edit spoils at most one piece.
  Prefilter MakePrefilter() const;

 private:
  std::string text_;
  bool fold_;
  bool word_;
  EditTable forward_;
  EditTable backward_;  // the pattern reversed
  std::size_t level_;
};

// One for each thread. It gives up a line at the deadline (kTooComplex), because a
// file may be one line of many megabytes.
class FuzzyMatcher final : public LineMatcher {
 public:
  explicit FuzzyMatcher(const FuzzyPattern& pattern, const Deadline& deadline = {});
  MatchOutcome Match(std::string_view line) override;

 private:
  void Decode(std::string_view line);
  bool FindAnywhere(std::size_t& begin, std::size_t& end);
  bool FindWord(std::size_t& begin, std::size_t& end);
  // Counts the work of a character, and looks at the clock from time to time.
  bool OutOfTime();

  const FuzzyPattern& pattern_;
  const Deadline deadline_;
  std::size_t work_ = 0;
  bool over_ = false;
  EditAutomaton forward_;
  EditAutomaton backward_;
  std::vector<char32_t> line_;
  std::vector<std::size_t> offsets_;  // where each character begins, and the end
};

}  // namespace forge
