#include "index/postings/checked_postings.h"

#include <algorithm>

#include "index/format/checksum.h"
#include "index/format/damage.h"
#include "index/postings/posting_list.h"
#include "index/postings/postings_header.h"

namespace forge::index {
namespace {
constexpr std::uint64_t kChunk = PostingsHeader::kChunkSize;
}

CheckedPostings::CheckedPostings(std::unique_ptr<SegmentBytes> bytes, std::uint64_t offset, std::uint64_t size,
                                 std::vector<std::uint64_t> checksums)
    : bytes_(std::move(bytes)),
      offset_(offset),
      size_(size),
      checksums_(std::move(checksums)),
      checked_((checksums_.size() + 63) / 64) {}

bool CheckedPostings::Checked(std::uint64_t chunk) const {
  return (checked_[chunk / 64].load(std::memory_order_relaxed) >> chunk % 64 & 1) != 0;
}

std::uint64_t CheckedPostings::ChunkEnd(std::uint64_t chunk) const { return std::min(size_, (chunk + 1) * kChunk); }

Status CheckedPostings::ReadRaw(std::uint64_t at, std::uint64_t size, char* out) const {
  if (!bytes_->Read(offset_ + at, size, out)) return Damaged("postings cannot be read");
  return {};
}

Status CheckedPostings::Check(std::uint64_t chunk, std::string& buffer) const {
  const std::uint64_t start = chunk * kChunk;
  buffer.resize(ChunkEnd(chunk) - start);
  if (Status read = ReadRaw(start, buffer.size(), buffer.data()); !read) return read;
  if (Checksum(buffer, chunk) != checksums_[chunk]) return Damaged("the checksum of postings");
  checked_[chunk / 64].fetch_or(std::uint64_t{1} << chunk % 64, std::memory_order_relaxed);
  return {};
}

Status CheckedPostings::Read(std::uint64_t at, std::uint64_t size, std::string& out) const {
  out.resize(size + kListSlack);
  std::fill_n(out.end() - kListSlack, kListSlack, '\0');
  std::string chunk_bytes;
  for (std::uint64_t done = 0; done < size;) {
    const std::uint64_t from = at + done;
    const std::uint64_t chunk = from / kChunk;
    const std::uint64_t part = std::min(size - done, ChunkEnd(chunk) - from);
    if (Checked(chunk)) {
      if (Status read = ReadRaw(from, part, out.data() + done); !read) return read;
    } else {
      // What was checked is what is used: no second read.
      if (Status good = Check(chunk, chunk_bytes); !good) return good;
      std::copy_n(chunk_bytes.data() + (from - chunk * kChunk), part, out.data() + done);
    }
    done += part;
  }
  return {};
}

Status CheckedPostings::Verify() const {
  std::string buffer;
  for (std::uint64_t chunk = 0; chunk < checksums_.size(); ++chunk) {
    if (Status good = Check(chunk, buffer); !good) return good;
  }
  return {};
}

std::size_t CheckedPostings::memory() const {
  return bytes_->memory() + (checksums_.size() + checked_.size()) * sizeof(std::uint64_t);
}

std::vector<std::uint64_t> ChunkChecksums(std::string_view postings) {
  std::vector<std::uint64_t> out;
  for (std::uint64_t chunk = 0; chunk * kChunk < postings.size(); ++chunk) {
    out.push_back(Checksum(postings.substr(chunk * kChunk, kChunk), chunk));
  }
  return out;
}

}  // namespace forge::index
