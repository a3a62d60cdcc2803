#include "index/postings/checked_postings.h"

#include <algorithm>

#include "index/format/checksum.h"
#include "index/format/damage.h"
#include "index/postings/posting_list.h"
#include "index/postings/postings_header.h"

namespace forge::index {
namespace {
constexpr std::uint64_t kStripe = PostingsHeader::kStripeSize;
}

CheckedPostings::CheckedPostings(std::unique_ptr<SegmentBytes> bytes, std::uint64_t offset, std::uint64_t size,
                                 std::vector<std::uint64_t> checksums)
    : bytes_(std::move(bytes)),
      offset_(offset),
      size_(size),
      checksums_(std::move(checksums)),
      checked_((checksums_.size() + 63) / 64) {}

bool CheckedPostings::Checked(std::uint64_t stripe) const {
  return (checked_[stripe / 64].load(std::memory_order_relaxed) >> stripe % 64 & 1) != 0;
}

std::uint64_t CheckedPostings::StripeEnd(std::uint64_t stripe) const { return std::min(size_, (stripe + 1) * kStripe); }

Status CheckedPostings::ReadRaw(std::uint64_t at, std::uint64_t size, char* out) const {
  if (!bytes_->Read(offset_ + at, size, out)) return Damaged("postings cannot be read");
  return {};
}

Status CheckedPostings::Check(std::uint64_t stripe, std::string& buffer) const {
  const std::uint64_t start = stripe * kStripe;
  buffer.resize(StripeEnd(stripe) - start);
  if (Status read = ReadRaw(start, buffer.size(), buffer.data()); !read) return read;
  if (Checksum(buffer, stripe) != checksums_[stripe]) return Damaged("the checksum of postings");
  checked_[stripe / 64].fetch_or(std::uint64_t{1} << stripe % 64, std::memory_order_relaxed);
  return {};
}

Status CheckedPostings::Read(std::uint64_t at, std::uint64_t size, std::string& out) const {
  out.resize(size + kListSlack);
  std::fill_n(out.end() - kListSlack, kListSlack, '\0');
  std::string stripe_bytes;
  for (std::uint64_t done = 0; done < size;) {
    const std::uint64_t from = at + done;
    const std::uint64_t stripe = from / kStripe;
    const std::uint64_t part = std::min(size - done, StripeEnd(stripe) - from);
    if (Checked(stripe)) {
      if (Status read = ReadRaw(from, part, out.data() + done); !read) return read;
    } else {
      // The caller uses the same bytes that were checked: no second read.
      if (Status good = Check(stripe, stripe_bytes); !good) return good;
      std::copy_n(stripe_bytes.data() + (from - stripe * kStripe), part, out.data() + done);
    }
    done += part;
  }
  return {};
}

Status CheckedPostings::Verify() const {
  std::string buffer;
  for (std::uint64_t stripe = 0; stripe < checksums_.size(); ++stripe) {
    if (Status good = Check(stripe, buffer); !good) return good;
  }
  return {};
}

std::size_t CheckedPostings::memory() const {
  return bytes_->memory() + (checksums_.size() + checked_.size()) * sizeof(std::uint64_t);
}

std::vector<std::uint64_t> StripeChecksums(std::string_view postings) {
  std::vector<std::uint64_t> out;
  for (std::uint64_t stripe = 0; stripe * kStripe < postings.size(); ++stripe) {
    out.push_back(Checksum(postings.substr(stripe * kStripe, kStripe), stripe));
  }
  return out;
}

}  // namespace forge::index
