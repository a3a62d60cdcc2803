#include "index/store/meta_record.h"

#include "index/format/byte_io.h"
#include "index/format/checksum.h"

namespace forge::index {
namespace {

// Seeds: they say what a checksum belongs to.
constexpr std::uint64_t kMetaSeed = 0x6d657461;
constexpr std::uint64_t kSegmentsSeed = 0x73656773;

constexpr std::size_t kNumberSize = sizeof(std::uint64_t);

void Put(std::uint64_t value, std::string& out) { PutWord(out, value); }

void Put(std::string_view text, std::string& out) {
  Put(text.size(), out);
  out.append(text);
}

std::uint64_t NumberAt(std::string_view bytes, std::size_t at) { return LoadWord<std::uint64_t>(bytes.data() + at); }

void Put(const IndexKey& key, std::string& out) {
  for (const std::string_view text :
       {std::string_view(key.root), std::string_view(key.backend_id), Name(key.token_structure),
        std::string_view(key.tokenizer_id), ToString(key.casefold), ToString(key.normalization),
        std::string_view(key.implementation)}) {
    Put(text, out);
  }
  for (const bool flag : {key.traversal.hidden, key.traversal.follow, key.traversal.no_ignore})
    Put(flag ? 1U : 0U, out);
  Put(static_cast<std::uint64_t>(key.schema_version), out);
}

}  // namespace

std::uint64_t MetaRecord::files() const {
  std::uint64_t sum = 0;
  for (const SheetEntry& sheet : sheets) sum += sheet.rows;
  return sum;
}

std::string PackSheets(std::span<const SheetEntry> sheets) {
  std::string out;
  out.reserve(sheets.size() * 3 * kNumberSize);
  for (const SheetEntry& sheet : sheets) {
    for (const std::uint64_t value : {sheet.id, sheet.checksum, sheet.rows}) Put(value, out);
  }
  return out;
}

bool UnpackSheets(std::string_view bytes, std::vector<SheetEntry>& sheets) {
  constexpr std::size_t kEntry = 3 * kNumberSize;
  if (bytes.size() % kEntry != 0) return false;
  for (std::size_t at = 0; at < bytes.size(); at += kEntry) {
    sheets.push_back({NumberAt(bytes, at), NumberAt(bytes, at + kNumberSize), NumberAt(bytes, at + 2 * kNumberSize)});
  }
  return true;
}

std::uint64_t ChecksumOf(const MetaRecord& record) {
  const IndexMeta& meta = record.meta;
  std::string out;
  Put(meta.key, out);
  for (const std::string_view text : {Name(meta.state), Name(meta.reason), std::string_view(meta.policy_hash)}) {
    Put(text, out);
  }
  for (const std::int64_t time : {meta.created_ms, meta.updated_ms, meta.accessed_ms}) {
    Put(static_cast<std::uint64_t>(time), out);
  }
  for (const std::uint64_t value : {meta.coverage_epoch, record.generation, record.segments_digest}) {
    Put(value, out);
  }
  Put(PackSheets(record.sheets), out);
  return Checksum(out, kMetaSeed);
}

std::uint64_t SheetChecksum(std::uint64_t id, std::string_view content) { return Checksum(content, id); }

std::uint64_t DigestOf(std::span<const SegmentRecord> segments) {
  std::string out;
  for (const SegmentRecord& segment : segments) {
    for (const std::uint64_t value :
         {std::uint64_t{segment.id}, segment.size, segment.checksum, segment.edges_checksum}) {
      Put(value, out);
    }
  }
  return Checksum(out, kSegmentsSeed);
}

}  // namespace forge::index
