// Sorting that ends when the time is over: a folder may have a million names.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "base/pace.h"

namespace forge {

// Sorts `items`. False when `pace` is over; then their order, and some of the
// items, are lost.
//
// Nearly all lists are short and are sorted by the library. Of a long one we sort
// pieces and merge them, and look at `pace` on the way.
template <typename T, typename Before>
bool PacedSort(std::vector<T>& items, const Before& before, Pace& pace) {
  constexpr std::size_t kPiece = 4096;
  constexpr std::uint64_t kStepsOfOne = 64;
  const std::size_t size = items.size();
  const auto at = [&](std::size_t i) { return items.begin() + static_cast<std::ptrdiff_t>(std::min(i, size)); };
  for (std::size_t i = 0; i < size; i += kPiece) {
    if (pace.Over(kPiece * kStepsOfOne)) return false;
    std::sort(at(i), at(i + kPiece), before);
  }
  std::vector<T> merged;
  for (std::size_t piece = kPiece; piece < size; piece *= 2) {
    merged.reserve(size);
    for (std::size_t i = 0; i < size; i += 2 * piece) {
      auto a = at(i);
      const auto a_end = at(i + piece);
      auto b = a_end;
      const auto b_end = at(i + 2 * piece);
      while (a != a_end || b != b_end) {
        if (pace.Over(kStepsOfOne)) return false;
        const bool take_b = a == a_end || (b != b_end && before(*b, *a));
        merged.push_back(std::move(take_b ? *b++ : *a++));
      }
    }
    items.swap(merged);
    merged.clear();
  }
  return true;
}

}  // namespace forge
