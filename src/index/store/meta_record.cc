#include "index/store/meta_record.h"

#include <algorithm>

#include "index/format/checksum.h"

namespace forge::index {
namespace {

// Seeds: what a checksum is of.
constexpr std::uint64_t kMetaSeed = 0x6d657461;
constexpr std::uint64_t kSegmentsSeed = 0x73656773;
constexpr std::uint64_t kDirtySeed = 0x64697274;

constexpr std::size_t kNumberSize = 8;

// Least byte first, on every machine.
void Put(std::uint64_t value, std::string& out) {
  for (std::size_t i = 0; i < kNumberSize; ++i) out.push_back(static_cast<char>(value >> (8 * i)));
}

void Put(std::string_view text, std::string& out) {
  Put(text.size(), out);
  out.append(text);
}

std::uint64_t NumberAt(std::string_view bytes, std::size_t at) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < kNumberSize; ++i) {
    value |= static_cast<std::uint64_t>(static_cast<unsigned char>(bytes[at + i])) << (8 * i);
  }
  return value;
}

void Put(const IndexKey& key, std::string& out) {
  for (const std::string* text :
       {&key.root, &key.backend_id, &key.token_structure, &key.tokenizer_id, &key.casefold, &key.normalization}) {
    Put(*text, out);
  }
  for (const bool flag : {key.hidden, key.follow, key.no_ignore}) Put(flag ? 1U : 0U, out);
  Put(static_cast<std::uint64_t>(key.schema_version), out);
}

}  // namespace

std::uint64_t MetaRecord::files() const {
  std::uint64_t sum = 0;
  for (const PageEntry& page : pages) sum += page.rows;
  return sum;
}

std::string PackPages(std::span<const PageEntry> pages) {
  std::string out;
  out.reserve(pages.size() * 3 * kNumberSize);
  for (const PageEntry& page : pages) {
    for (const std::uint64_t value : {page.id, page.checksum, page.rows}) Put(value, out);
  }
  return out;
}

bool UnpackPages(std::string_view bytes, std::vector<PageEntry>& pages) {
  constexpr std::size_t kEntry = 3 * kNumberSize;
  if (bytes.size() % kEntry != 0) return false;
  for (std::size_t at = 0; at < bytes.size(); at += kEntry) {
    pages.push_back({NumberAt(bytes, at), NumberAt(bytes, at + kNumberSize), NumberAt(bytes, at + 2 * kNumberSize)});
  }
  return true;
}

std::uint64_t ChecksumOf(const MetaRecord& record) {
  const IndexMeta& meta = record.meta;
  std::string out;
  Put(meta.key, out);
  for (const std::string* text : {&meta.state, &meta.reason, &meta.policy_hash}) Put(*text, out);
  for (const std::int64_t time : {meta.created_ms, meta.updated_ms, meta.accessed_ms}) {
    Put(static_cast<std::uint64_t>(time), out);
  }
  for (const std::uint64_t value :
       {meta.coverage_epoch, meta.enumerate_errors, record.generation, record.segments_digest, record.dirty_digest}) {
    Put(value, out);
  }
  for (const bool flag : {meta.complete, meta.clean}) Put(flag ? 1U : 0U, out);
  Put(PackPages(record.pages), out);
  return Checksum(out, kMetaSeed);
}

std::uint64_t PageChecksum(std::uint64_t id, std::string_view content) { return Checksum(content, id); }

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

std::uint64_t DigestOf(std::span<const DirtyEntry> dirty) {
  std::string out;
  for (const DirtyEntry& entry : dirty) {
    Put(entry.path, out);
    Put(entry.subtree ? 1U : 0U, out);
    Put(static_cast<std::uint64_t>(entry.queued_ms), out);
  }
  return Checksum(out, kDirtySeed);
}

std::vector<DirtyEntry> Merged(std::vector<DirtyEntry> dirty) {
  std::sort(dirty.begin(), dirty.end(), [](const DirtyEntry& a, const DirtyEntry& b) { return a.path < b.path; });
  std::vector<DirtyEntry> merged;
  for (DirtyEntry& entry : dirty) {
    if (merged.empty() || merged.back().path != entry.path) {
      merged.push_back(std::move(entry));
      continue;
    }
    merged.back().subtree |= entry.subtree;
    merged.back().queued_ms = std::min(merged.back().queued_ms, entry.queued_ms);
  }
  return merged;
}

}  // namespace forge::index
