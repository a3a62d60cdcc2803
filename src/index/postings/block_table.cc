#include "index/postings/block_table.h"

#include "index/format/byte_io.h"
#include "index/format/damage.h"

namespace forge::index {
namespace {

// No file is that large, and the sum of 65,536 such sizes does not overflow.
constexpr std::uint64_t kMost = std::uint64_t{1} << 46U;

}  // namespace

void AppendBlockTable(std::span<const Block> blocks, std::string& out) {
  std::uint64_t line = 1;  // first line of the block before
  for (const Block& block : blocks) {
    const bool goes_on = block.offset != 0;
    PutVarint(out, block.size * 4 + (block.has_nul ? 2 : 0) + (goes_on ? 1 : 0));
    if (goes_on) PutVarint(out, block.first_line - line);
    line = block.first_line;
  }
}

Result<std::vector<Block>> ReadBlockTable(std::string_view bytes, std::uint32_t count) {
  ByteReader reader(bytes);
  std::vector<Block> blocks;
  blocks.reserve(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    Block block;
    std::uint64_t size = 0;
    std::uint64_t lines = 0;
    if (!reader.Varint(kMost, size)) return Damaged("the block table of a segment");
    block.size = size / 4;
    block.has_nul = (size & 2U) != 0;
    if (size % 2 != 0) {
      if (blocks.empty() || !reader.Varint(kMost, lines)) return Damaged("the block table of a segment");
      block.offset = blocks.back().offset + blocks.back().size;
      block.first_line = blocks.back().first_line + lines;
    }
    blocks.push_back(block);
  }
  if (!reader.done()) return Damaged("the block table of a segment");
  return blocks;
}

}  // namespace forge::index
