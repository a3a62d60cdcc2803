#include "index/catalog/catalog_sheet.h"

#include <algorithm>
#include <cstdint>
#include <limits>

#include "base/unicode.h"

namespace forge::index {
namespace {

// Seven bits a byte, low ones first; the high bit means that more bytes follow.
void PutNumber(std::uint64_t value, std::string& out) {
  while (value >= 0x80) {
    out.push_back(static_cast<char>(value | 0x80));
    value >>= 7;
  }
  out.push_back(static_cast<char>(value));
}

// The difference of two numbers, small in either direction: 0, -1, 1, -2, ...
// All arithmetic is modulo 2^64, so no difference overflows.
void PutDifference(std::uint64_t value, std::uint64_t before, std::string& out) {
  const std::uint64_t difference = value - before;
  const std::uint64_t sign = (difference >> 63) == 0 ? 0 : ~std::uint64_t{0};
  PutNumber((difference << 1) ^ sign, out);
}

class Reader {
 public:
  explicit Reader(std::string_view bytes) : at_(bytes.data()), end_(bytes.data() + bytes.size()) {}

  bool ok() const { return ok_; }
  bool at_end() const { return at_ == end_; }

  std::uint64_t Number() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64 && at_ < end_; shift += 7) {
      const auto byte = static_cast<unsigned char>(*at_++);
      value |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
      if (byte < 0x80) return value;
    }
    ok_ = false;
    return 0;
  }
  std::uint64_t Difference(std::uint64_t before) {
    const std::uint64_t coded = Number();
    return before + ((coded >> 1) ^ (~(coded & 1) + 1));
  }
  std::uint32_t Short(std::uint64_t value) {
    ok_ = ok_ && value <= std::numeric_limits<std::uint32_t>::max();
    return static_cast<std::uint32_t>(value);
  }
  std::string_view Bytes(std::uint64_t size) {
    if (size > static_cast<std::uint64_t>(end_ - at_)) ok_ = false;
    if (!ok_) return {};
    const std::string_view bytes(at_, size);
    at_ += size;
    return bytes;
  }

 private:
  const char* at_;
  const char* end_;
  bool ok_ = true;
};

std::size_t SharedPrefix(std::string_view a, std::string_view b) {
  const std::size_t most = std::min(a.size(), b.size());
  return static_cast<std::size_t>(
      std::mismatch(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(most), b.begin()).first - a.begin());
}

constexpr std::uint64_t AsUnsigned(std::int64_t value) { return static_cast<std::uint64_t>(value); }

// Settled, status and type in one byte.
std::uint64_t FlagsOf(const CatalogRow& row) {
  return (row.settled ? 1U : 0U) | static_cast<std::uint64_t>(row.status) << 1 |
         static_cast<std::uint64_t>(row.info.type) << 4;
}

bool SetFlags(std::uint64_t flags, CatalogRow& row) {
  const std::uint64_t status = flags >> 1 & 7;
  if (flags > 0x3F || status > static_cast<std::uint64_t>(TokenStatus::kUnreadable)) return false;
  row.settled = (flags & 1) != 0;
  row.status = static_cast<TokenStatus>(status);
  row.info.type = static_cast<os::FileType>(flags >> 4);
  return true;
}

void PutRow(const CatalogRow& row, const CatalogRow& before, std::string& out) {
  const std::size_t shared = SharedPrefix(before.path, row.path);
  PutNumber(shared, out);
  PutNumber(row.path.size() - shared, out);
  out.append(row.path, shared);
  PutNumber(FlagsOf(row), out);
  PutNumber(row.info.size, out);
  PutDifference(AsUnsigned(row.info.mtime_ns), AsUnsigned(before.info.mtime_ns), out);
  PutDifference(AsUnsigned(row.info.ctime_ns), AsUnsigned(before.info.ctime_ns), out);
  PutDifference(row.info.device, before.info.device, out);
  PutDifference(row.info.inode, before.info.inode, out);
  PutNumber(row.info.links, out);
  PutDifference(row.segment, before.segment, out);
  PutDifference(row.docs.first, before.docs.first, out);
  PutNumber(row.docs.count, out);
}

bool ReadRow(Reader& in, const CatalogRow& before, CatalogRow& row) {
  const std::uint64_t shared = in.Number();
  const std::string_view rest = in.Bytes(in.Number());
  if (!in.ok() || shared > before.path.size()) return false;
  row.path.reserve(shared + rest.size());
  row.path.assign(before.path, 0, shared).append(rest);
  if (!SetFlags(in.Number(), row)) return false;
  row.info.size = in.Number();
  row.info.mtime_ns = static_cast<std::int64_t>(in.Difference(AsUnsigned(before.info.mtime_ns)));
  row.info.ctime_ns = static_cast<std::int64_t>(in.Difference(AsUnsigned(before.info.ctime_ns)));
  row.info.device = in.Difference(before.info.device);
  row.info.inode = in.Difference(before.info.inode);
  row.info.links = in.Number();
  row.segment = in.Short(in.Difference(before.segment));
  row.docs.first = in.Short(in.Difference(before.docs.first));
  row.docs.count = in.Short(in.Number());
  return in.ok();
}

}  // namespace

std::string EncodeSheet(std::span<const CatalogRow> rows) {
  std::string out;
  out.reserve(rows.size() * 48);
  PutNumber(rows.size(), out);
  const CatalogRow nothing;
  const CatalogRow* before = &nothing;
  for (const CatalogRow& row : rows) {
    PutRow(row, *before, out);
    before = &row;
  }
  return out;
}

bool DecodeSheet(std::string_view bytes, std::vector<CatalogRow>& rows) {
  Reader in(bytes);
  const std::uint64_t count = in.Number();
  if (!in.ok() || count > bytes.size()) return false;  // a row takes some bytes
  const CatalogRow nothing;
  for (std::uint64_t i = 0; i < count; ++i) {
    CatalogRow& row = rows.emplace_back();
    if (!ReadRow(in, i == 0 ? nothing : rows[rows.size() - 2], row)) return false;
  }
  return in.at_end();
}

OrderKey OrderKeyOf(const std::string& path) { return {SortKey(path), path}; }

}  // namespace forge::index
