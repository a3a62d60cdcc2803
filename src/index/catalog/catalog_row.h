// One row of the catalog: a file, or an entry that is denied.
#pragma once

#include <cstdint>
#include <string>

#include "index/segment/segment.h"
#include "os/file.h"

namespace forge::index {

using SegmentId = std::uint32_t;

enum class TokenStatus : std::uint8_t {
  kNone,        // not looked at yet, or nothing to index: always a candidate
  kFull,        // every line is in `docs`
  kTooLarge,    // over the limit of the token structure
  kBinary,      // bloom's notion, or UTF-16/32
  kUnreadable,  // could not be opened or kept changing
};

struct CatalogRow {
  enum class Kind : std::uint8_t { kFile, kDenied };

  // Relative to the index root, raw bytes. A denied folder ends in '/', so that it
  // stands where its content would.
  std::string path;
  Kind kind = Kind::kFile;
  TokenStatus status = TokenStatus::kNone;
  // The file's state when it was read for the documents. A file without
  // documents: its state when we last saw it.
  os::FileInfo info;
  // Reading began so long after the last change that the next change must show
  // in the file's stamps (E17). Only then may a query exclude the row.
  bool settled = false;
  SegmentId segment = 0;
  DocRange docs;

  friend bool operator==(const CatalogRow& a, const CatalogRow& b) {
    return a.path == b.path && a.kind == b.kind && a.status == b.status && a.info == b.info && a.settled == b.settled &&
           a.segment == b.segment && a.docs.first == b.docs.first && a.docs.count == b.docs.count;
  }
};

}  // namespace forge::index
