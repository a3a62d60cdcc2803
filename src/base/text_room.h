// Memory for many texts of one answer.
//
//   TextRoom room;
//   room.Reserve(a.size() + b.size());
//   const SharedText first = room.Copy(a);   // side by side, in one piece of memory
//   const SharedText second = room.Copy(b);
//
// A search of 12,000 files that allocates for the lines of each file spends a tenth of
// its time in the allocator. So a piece is for the texts of many files: each new one has
// twice the size of the one before, so that a small answer takes little.
//
// A piece lives as long as one of its texts. Not thread-safe, but its texts are.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

#include "forge/shared_text.h"

namespace forge {

class TextRoom {
 public:
  // A larger piece holds only what was reserved at once.
  static constexpr std::size_t kLargestPiece = 64 * 1024;

  // The texts that follow take so many bytes together.
  void Reserve(std::size_t bytes);

  // A text for which there is no room gets memory of its own.
  SharedText Copy(std::string_view text);

  SharedText Add(std::string_view text) {
    Reserve(text.size());
    return Copy(text);
  }

 private:
  std::shared_ptr<char[]> piece_;  // NOLINT(modernize-avoid-c-arrays): bytes that are not initialized
  std::size_t size_ = 0;
  std::size_t used_ = 0;
};

}  // namespace forge
