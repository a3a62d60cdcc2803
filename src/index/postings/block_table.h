// Where each document lies in its file, as bytes.
//
// A document takes one varint, twice its size, plus one if it goes on where the
// document before ended; then the number of lines before it in that document
// follows. Everything else is sums.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "forge/result.h"
#include "index/segment/segment.h"

namespace forge::index {

// The blocks of files one after another, each file as SplitIntoBlocks has it.
void AppendBlockTable(std::span<const Block> blocks, std::string& out);

// `count` blocks from exactly these bytes.
Result<std::vector<Block>> ReadBlockTable(std::string_view bytes, std::uint32_t count);

}  // namespace forge::index
