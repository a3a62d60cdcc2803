// An immutable piece of the index: which documents may hold a match.
//
// A document is a line-aligned block of a file (postings) or a file (bloom). A segment
// knows no paths: the catalog says which documents of which segment belong to a file.
// Once written, a segment never changes. A changed file gets documents in a newer
// segment, and its row no longer refers to the old ones.
//
// Immutable, so thread-safe.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "forge/config.h"
#include "forge/result.h"
#include "index/segment/doc_set.h"
#include "pattern/ngram_plan.h"

namespace forge::index {

inline constexpr std::uint32_t kMaxDocs = 65'536;

// What is asked of a segment.
struct TokenQuery {
  NgramPlan plan;  // postings
  // bloom: the pattern as text, if it is one; without it nothing is excluded.
  std::optional<std::string> literal;
  bool ignore_case = false;
};

// The part of a file that is a document. Line numbers count from 1.
struct Block {
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
  std::uint64_t first_line = 1;
  bool has_nul = false;
};

// The bytes of a segment, in memory or in a file of the store.
class SegmentBytes {
 public:
  virtual ~SegmentBytes() = default;
  virtual std::uint64_t size() const = 0;
  // False if that part cannot be read. Thread-safe.
  virtual bool Read(std::uint64_t offset, std::size_t size, char* out) const = 0;
  // Whether a program wrote to them since they were opened.
  virtual bool written_to() const { return false; }
  virtual std::size_t memory() const = 0;  // bytes of RAM held
};
std::unique_ptr<SegmentBytes> InMemory(std::string image);

class Segment {
 public:
  virtual ~Segment() = default;
  virtual TokenStructure structure() const = 0;
  virtual std::uint32_t doc_count() const = 0;

  // The documents that may hold a match; all others provably hold none. An
  // error if the bytes are damaged, or if another program wrote to those that were read:
  // then nothing may be excluded.
  virtual Result<DocSet> Candidates(const TokenQuery& query) const = 0;
  // Whether the segment can leave out documents at all for such a query.
  virtual bool CanExclude(const TokenQuery& query) const { return query.plan.kind != NgramPlan::Kind::kAll; }

  // Which part of its file each of these documents is. Empty for bloom, where a
  // document is a file.
  virtual std::span<const Block> Blocks(std::uint32_t first, std::uint32_t count) const = 0;

  virtual std::size_t memory() const = 0;  // bytes of RAM held

  // Reads and checks everything, as `index verify` does.
  virtual Status Verify() const = 0;
};

struct DocRange {
  std::uint32_t first = 0;
  std::uint32_t count = 0;  // 0: nothing was indexed, the file stays a candidate
};

// Collects files in path order. One thread.
class SegmentBuilder {
 public:
  virtual ~SegmentBuilder() = default;

  // Whether a file of this size still fits; an empty builder takes any.
  virtual bool Fits(std::uint64_t file_size) const = 0;
  // The text of one file, as it stands on disk.
  virtual DocRange Add(std::string_view bytes) = 0;
  virtual std::uint32_t docs() const = 0;
  virtual std::size_t memory() const = 0;

  // The segment as bytes; the builder is empty afterwards.
  virtual std::string Finish() = 0;
};

}  // namespace forge::index
