#include "os/file.h"

#include <cerrno>
#include <cstring>
#include <new>

#include "os/try_allocate.h"

namespace forge::os {

AlignedBytes AllocateAligned(std::size_t size) {
  AlignedBytes memory = TryAllocate(size);
  if (!memory) throw std::bad_alloc();
  return memory;
}

bool Buffer::Reserve(std::size_t capacity) {
  if (capacity <= capacity_) return true;
  AlignedBytes larger = TryAllocate(capacity);
  if (!larger) return false;
  if (size_ > 0) std::memcpy(larger.get(), data_.get(), size_);
  data_ = std::move(larger);
  capacity_ = capacity;
  return true;
}

OsResult<std::size_t> ReadAll(int fd, std::uint64_t expected, std::uint64_t limit, Buffer& buffer,
                              const Deadline& deadline) {
  buffer.size_ = 0;
  return ReadRest(fd, expected, limit, buffer, deadline);
}

OsResult<std::string> ReadSmall(int fd, std::uint64_t limit) {
  const OsResult<FileInfo> info = Stat(fd);
  if (!info.ok()) return info.error();
  if (info->type != FileType::kRegular) return OsError{EINVAL};
  Buffer buffer;
  const auto count = ReadAll(fd, info->size, limit + 1, buffer);
  if (!count.ok()) return count.error();
  if (*count > limit) return OsError{EFBIG};
  return std::string(buffer.view());
}

}  // namespace forge::os
