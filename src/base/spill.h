// For a function that appends to a text which may become very long: it gives away
// what it has from time to time, so that little is held.
//
//   for (const Place& place : event.places) {
//     AppendMatch(place, out);
//     if (!SpillIfLong(spill, out)) return;
//   }
#pragma once

#include <cstddef>
#include <functional>
#include <string>

namespace forge {

// Takes the text and empties it. False: nobody wants the rest.
using Spill = std::function<bool(std::string&)>;

inline constexpr std::size_t kLongText = 64 * 1024;

inline bool SpillIfLong(const Spill& spill, std::string& text) {
  return text.size() < kLongText || !spill || spill(text);
}

}  // namespace forge
