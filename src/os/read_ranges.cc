#include <algorithm>
#include <cerrno>

#include "os/file.h"

namespace forge::os {

OsResult<std::size_t> ReadRanges(int fd, std::uint64_t size, std::span<const FileRange> ranges, Buffer& buffer,
                                 const Deadline& deadline) {
  // Reading a piece takes about a millisecond.
  constexpr std::uint64_t kPiece = 4 * 1024 * 1024;
  buffer.size_ = 0;
  if (!buffer.Reserve(size)) return OsError{ENOMEM};
  std::uint64_t read = 0;
  for (const FileRange& range : ranges) {
    if (range.end > size) return OsError{EIO};
    for (std::uint64_t at = range.begin; at < range.end;) {
      const auto n = ReadAt(fd, at, buffer.data_.get() + at, std::min(range.end - at, kPiece));
      if (!n.ok()) return n;
      if (*n == 0) return OsError{EIO};
      at += *n;
      read += *n;
      if (read >= kPiece && deadline.over()) return OsError{ECANCELED};
    }
  }
  return buffer.size_ = size;
}

}  // namespace forge::os
