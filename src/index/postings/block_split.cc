#include "index/postings/block_split.h"

#include "match/count_lines.h"

namespace forge::index {
namespace {

constexpr std::uint64_t kLastBlockSize = kBlockSize + kBlockSize / 2;

// Where the block that starts at the start of `text` ends.
std::size_t BlockEnd(std::string_view text) {
  if (text.size() <= kLastBlockSize) return text.size();
  std::size_t feed = text.rfind('\n', kBlockSize - 1);
  if (feed == std::string_view::npos) feed = text.find('\n', kBlockSize);
  return feed == std::string_view::npos ? text.size() : feed + 1;
}

}  // namespace

void SplitIntoBlocks(std::string_view text, std::vector<Block>& out) {
  Block block;
  while (block.offset < text.size()) {
    const std::string_view rest = text.substr(block.offset);
    block.size = BlockEnd(rest);
    block.has_nul = rest.substr(0, block.size).find('\0') != std::string_view::npos;
    out.push_back(block);
    if (block.size == rest.size()) break;
    block.first_line += CountLineFeeds(rest.substr(0, block.size));
    block.offset += block.size;
  }
}

// A block ends where the next line would not fit, and that line is in the next
// block: any two neighbours are larger than kBlockSize.
std::uint64_t MostBlocks(std::uint64_t size) {
  if (size <= kLastBlockSize) return 1;
  return 2 * (size / kBlockSize) + 2;
}

}  // namespace forge::index
