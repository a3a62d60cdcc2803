// The postings of a segment, each part checked before its first use.
//
// Postings are read when a query needs them. Each stripe of 64 KiB has a
// checksum. The first read of a stripe reads all of it and compares; later
// reads fetch only the bytes they need. Rejected: checking whole segments when
// they are opened; that reads 10 % of the text for a query that needs a few
// lists.
//
// Thread-safe: an atomic bitmap says what was checked, and checking twice does no harm.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "forge/result.h"
#include "index/segment/segment.h"

namespace forge::index {

class CheckedPostings {
 public:
  // `size` bytes from `offset` of `bytes`, with a checksum for each stripe.
  CheckedPostings(std::unique_ptr<SegmentBytes> bytes, std::uint64_t offset, std::uint64_t size,
                  std::vector<std::uint64_t> checksums);

  std::uint64_t size() const { return size_; }
  bool written_to() const { return bytes_->written_to(); }

  // A part, followed by kListSlack zeros in the buffer; `at` + `size` must not
  // be more than size(). `out` keeps its memory between calls.
  Status Read(std::uint64_t at, std::uint64_t size, std::string& out) const;

  // Checks everything, again.
  Status Verify() const;

  std::size_t memory() const;

 private:
  bool Checked(std::uint64_t stripe) const;
  std::uint64_t StripeEnd(std::uint64_t stripe) const;
  Status ReadRaw(std::uint64_t at, std::uint64_t size, char* out) const;
  Status Check(std::uint64_t stripe, std::string& buffer) const;

  std::unique_ptr<SegmentBytes> bytes_;
  std::uint64_t offset_;
  std::uint64_t size_;
  std::vector<std::uint64_t> checksums_;
  mutable std::vector<std::atomic<std::uint64_t>> checked_;
};

// The checksums of postings, as CheckedPostings wants them.
std::vector<std::uint64_t> StripeChecksums(std::string_view postings);

}  // namespace forge::index
