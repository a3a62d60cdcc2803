// Makes a failing list of steps short: removes what the failure does not need.
//
//   const auto few = Shrink(steps, [](const auto& some) { return Fails(some); }, 100);
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <vector>

namespace forge::testing {

// `fails` is asked at most `most` times. Pieces of half the list are tried first,
// then of a quarter, down to single steps; the order stays.
template <typename Step>
std::vector<Step> Shrink(std::vector<Step> steps, const std::function<bool(const std::vector<Step>&)>& fails,
                         std::size_t most) {
  for (std::size_t piece = std::max<std::size_t>(steps.size() / 2, 1); most > 0;
       piece = std::max<std::size_t>(piece / 2, 1)) {
    bool removed = false;
    for (std::size_t at = 0; at < steps.size() && most > 0;) {
      std::vector<Step> fewer(steps.begin(), steps.begin() + static_cast<std::ptrdiff_t>(at));
      fewer.insert(fewer.end(), steps.begin() + static_cast<std::ptrdiff_t>(std::min(at + piece, steps.size())),
                   steps.end());
      --most;
      if (fails(fewer)) {
        steps = std::move(fewer);
        removed = true;
      } else {
        at += piece;
      }
    }
    if (piece == 1 && !removed) break;
  }
  return steps;
}

}  // namespace forge::testing
