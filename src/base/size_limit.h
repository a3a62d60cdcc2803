// The largest file that is searched. A larger one is eligible and counted, but
// its content is not read: an answer names how many there were, and an index
// never says that one of them cannot match.
#pragma once

#include <cstdint>

namespace forge {

struct SizeLimit {
  std::uint64_t bytes = 0;

  bool Skips(std::uint64_t size) const { return size > bytes; }
  // Reading so much shows that a file has grown beyond the limit meanwhile.
  std::uint64_t enough_to_tell() const { return bytes + 1; }
};

}  // namespace forge
