#include "match/edit_automaton.h"

#include <algorithm>
#include <numeric>

namespace forge {

EditTable::EditTable(std::vector<char32_t> pattern) : pattern_(std::move(pattern)) {
  if (!fits_words()) return;
  for (std::size_t i = 0; i < pattern_.size(); ++i) {
    const std::uint64_t bit = std::uint64_t{1} << (i + 1);
    const char32_t c = pattern_[i];
    if (c < 128) {
      ascii_[c] |= bit;
      continue;
    }
    const auto it = std::find_if(other_.begin(), other_.end(), [c](const auto& entry) { return entry.first == c; });
    if (it == other_.end()) {
      other_.emplace_back(c, bit);
    } else {
      it->second |= bit;
    }
  }
}

std::uint64_t EditTable::Mask(char32_t c) const {
  if (c < 128) return ascii_[c];
  const auto it = std::find_if(other_.begin(), other_.end(), [c](const auto& entry) { return entry.first == c; });
  return it == other_.end() ? 0 : it->second;
}

EditAutomaton::EditAutomaton(const EditTable& table, std::size_t level)
    : table_(table), level_(level), row_(table.fits_words() ? 0 : table.size() + 1) {}

void EditAutomaton::Start(bool anchored) {
  anchored_ = anchored;
  for (std::size_t j = 0; j <= level_; ++j) words_[j] = (std::uint64_t{2} << j) - 1;
  std::iota(row_.begin(), row_.end(), 0);
}

void EditAutomaton::Step(char32_t c) {
  if (table_.fits_words()) {
    StepWords(c);
  } else {
    StepRow(c);
  }
}

void EditAutomaton::StepWords(char32_t c) {
  const std::uint64_t mask = table_.Mask(c);
  const std::uint64_t anywhere = anchored_ ? 0 : 1;
  std::uint64_t old = words_[0];
  words_[0] = ((old << 1) & mask) | anywhere;
  for (std::size_t j = 1; j <= level_; ++j) {
    const std::uint64_t previous = old;  // one edit less, before this character
    old = words_[j];
    const std::uint64_t same = (old << 1) & mask;
    const std::uint64_t replaced = previous << 1;
    const std::uint64_t inserted = previous;
    const std::uint64_t dropped = words_[j - 1] << 1;
    words_[j] = same | replaced | inserted | dropped | anywhere;
  }
}

void EditAutomaton::StepRow(char32_t c) {
  std::size_t diagonal = row_[0];
  row_[0] = anchored_ ? row_[0] + 1 : 0;
  for (std::size_t i = 1; i < row_.size(); ++i) {
    const std::size_t replaced = diagonal + (table_.pattern()[i - 1] == c ? 0 : 1);
    diagonal = row_[i];
    row_[i] = std::min({replaced, row_[i] + 1, row_[i - 1] + 1});
  }
}

std::optional<std::size_t> EditAutomaton::Distance() const {
  if (!table_.fits_words()) return row_.back() <= level_ ? std::optional(row_.back()) : std::nullopt;
  for (std::size_t j = 0; j <= level_; ++j) {
    if (((words_[j] >> table_.size()) & 1) != 0) return j;
  }
  return std::nullopt;
}

}  // namespace forge
