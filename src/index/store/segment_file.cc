#include "index/store/segment_file.h"

#include <algorithm>
#include <cerrno>

#include "index/format/checksum.h"
#include "index/store/store_errors.h"
#include "os/file.h"
#include "os/private_file.h"

namespace forge::index {
namespace {

constexpr std::size_t kEdge = 4096;

// Pieces, so that a large segment needs no memory of its size. The checksum of a
// file is that of the checksums of its pieces.
constexpr std::size_t kPiece = std::size_t{1} << 20;

class SegmentFile : public SegmentBytes {
 public:
  SegmentFile(os::Fd fd, const os::FileInfo& info) : fd_(std::move(fd)), size_(info.size), mtime_ns_(info.mtime_ns) {}

  std::uint64_t size() const override { return size_; }
  std::size_t memory() const override { return sizeof *this; }

  bool Read(std::uint64_t offset, std::size_t size, char* out) const override {
    if (offset > size_ || size > size_ - offset) return false;
    while (size > 0) {
      const os::OsResult<std::size_t> n = os::ReadAt(fd_.get(), offset, out, size);
      if (!n.ok() || *n == 0) return false;
      offset += *n;
      out += *n;
      size -= *n;
    }
    return true;
  }

  // Asks the open file: at its path there may be a later segment of another process.
  bool written_to() const override {
    const os::OsResult<os::FileInfo> now = os::Stat(fd_.get());
    return now.ok() && (now->mtime_ns != mtime_ns_ || now->size != size_);
  }

 private:
  os::Fd fd_;
  std::uint64_t size_;
  std::int64_t mtime_ns_;
};

class InParts {
 public:
  void Add(std::string_view piece) { sum_ = Checksum(piece, sum_); }
  std::uint64_t sum() const { return sum_; }

 private:
  std::uint64_t sum_ = 0;
};

std::uint64_t EdgesOf(std::string_view begin, std::string_view end) { return Checksum(end, Checksum(begin, 0)); }

SegmentRecord Describe(SegmentId id, std::string_view image) {
  InParts whole;
  for (std::size_t at = 0; at < image.size(); at += kPiece) whole.Add(image.substr(at, kPiece));
  const std::size_t edge = std::min(kEdge, image.size());
  return {id, image.size(), whole.sum(), EdgesOf(image.substr(0, edge), image.substr(image.size() - edge))};
}

bool EdgesMatch(const SegmentBytes& bytes, const SegmentRecord& record) {
  const std::size_t edge = std::min<std::uint64_t>(kEdge, record.size);
  std::string begin(edge, '\0');
  std::string end(edge, '\0');
  return bytes.Read(0, edge, begin.data()) && bytes.Read(record.size - edge, edge, end.data()) &&
         EdgesOf(begin, end) == record.edges_checksum;
}

bool AllMatches(const SegmentBytes& bytes, const SegmentRecord& record) {
  InParts whole;
  std::string piece;
  for (std::uint64_t at = 0; at < record.size; at += kPiece) {
    piece.resize(std::min<std::uint64_t>(kPiece, record.size - at));
    if (!bytes.Read(at, piece.size(), piece.data())) return false;
    whole.Add(piece);
  }
  return whole.sum() == record.checksum;
}

}  // namespace

Result<SegmentRecord> WriteSegmentFile(const StoreFiles& files, SegmentId id, std::string_view image) {
  const os::OsResult<bool> written =
      os::WriteDurably(files.folder, files.TemporaryName(id), files.SegmentName(id), image);
  if (!written.ok()) return SystemError("cannot write a segment in " + files.folder, written.error());
  return Describe(id, image);
}

Result<std::unique_ptr<SegmentBytes>> OpenSegmentFile(const StoreFiles& files, const SegmentRecord& record,
                                                      bool whole) {
  const std::string name = files.SegmentName(record.id);
  os::OsResult<os::Fd> fd = os::OpenFileItself(files.folder + "/" + name);
  if (!fd.ok() && fd.error().code == ENOENT) return Damaged(name + " is missing");
  if (!fd.ok()) return SystemError("cannot open " + name, fd.error());
  const os::OsResult<os::FileInfo> info = os::Stat(fd->get());
  if (!info.ok()) return SystemError("cannot open " + name, info.error());
  if (info->size != record.size) return Damaged(name + " has the wrong size");
  auto bytes = std::make_unique<SegmentFile>(std::move(*fd), *info);
  if (!EdgesMatch(*bytes, record) || (whole && !AllMatches(*bytes, record))) {
    return Damaged(name + " has the wrong checksum");
  }
  return std::unique_ptr<SegmentBytes>(std::move(bytes));
}

}  // namespace forge::index
