// A file as line-aligned blocks of about 16 KiB, the documents of an index.
//
// A match lies within a line and a line within a block. So a file need not be
// read if none of its blocks can hold a match. A line is never cut: a line that
// is longer than a block makes its block longer. A small rest joins the last
// block, because each document has a cost beside its bytes.
//
// Smaller blocks exclude more and cost more. Linux sources, size of postings and
// text left to read for `EXPORT_SYMBOL_GPL` (whole files: 5.9 to 7 %, 92 MB):
// 64 KiB 8.0 %, 80 MB; 16 KiB 10.5 %, 54 MB; 4 KiB 17.1 %, 28 MB, but then with
// as many files to open, and so the same time.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "index/segment/segment.h"

namespace forge::index {

inline constexpr std::uint64_t kBlockSize = 16 * 1024;

// Blocks in order, without gaps; none for an empty text. Appends to `out`.
void SplitIntoBlocks(std::string_view text, std::vector<Block>& out);

// No text of that size has more blocks.
std::uint64_t MostBlocks(std::uint64_t size);

}  // namespace forge::index
