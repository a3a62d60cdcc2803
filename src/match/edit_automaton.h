// Edit distance to a fixed pattern, one character of the text at a time.
//
// Up to 63 characters: bit-parallel (Wu and Manber). Bit i of word j means that
// the first i characters of the pattern are within j edits of a text that ends
// here; a step takes a few operations for each level. Longer patterns: one row
// of the classic table (Sellers), which is slower but has no limit.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace forge {

// Which positions of the pattern a character fits. Immutable.
class EditTable {
 public:
  explicit EditTable(std::vector<char32_t> pattern);

  std::size_t size() const { return pattern_.size(); }
  std::span<const char32_t> pattern() const { return pattern_; }
  bool fits_words() const { return pattern_.size() <= 63; }
  std::uint64_t Mask(char32_t c) const;

 private:
  std::vector<char32_t> pattern_;
  std::array<std::uint64_t, 128> ascii_{};
  std::vector<std::pair<char32_t, std::uint64_t>> other_;
};

class EditAutomaton {
 public:
  // Does not distinguish distances over `level` (at most 4).
  EditAutomaton(const EditTable& table, std::size_t level);

  // Anchored: a match must start at the first character of the text. Else it
  // may start anywhere.
  void Start(bool anchored);
  void Step(char32_t c);

  // The least number of edits between the pattern and a text that ends here, if
  // it is at most the level.
  std::optional<std::size_t> Distance() const;

 private:
  void StepWords(char32_t c);
  void StepRow(char32_t c);

  const EditTable& table_;
  const std::size_t level_;
  bool anchored_ = false;
  std::array<std::uint64_t, 5> words_{};
  std::vector<std::size_t> row_;
};

}  // namespace forge
