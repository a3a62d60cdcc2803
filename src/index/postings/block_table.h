// Which part of its file each document is, as bytes.
//
// A document takes one varint: four times its size, plus two if it holds a NUL, plus
// one if it continues the file of the document before; in that case the number of
// lines of that document follows. Offsets and line numbers are sums of these.
//
// A search reads it, to look only at the parts of a large file that may match, and
// to number their lines. `index verify` reads it, to cut a file in the same way as
// when it was indexed.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "forge/result.h"
#include "index/segment/segment.h"

namespace forge::index {

// The blocks of files one after another, each file cut by SplitIntoBlocks.
void AppendBlockTable(std::span<const Block> blocks, std::string& out);

// `count` blocks from exactly these bytes.
Result<std::vector<Block>> ReadBlockTable(std::string_view bytes, std::uint32_t count);

}  // namespace forge::index
