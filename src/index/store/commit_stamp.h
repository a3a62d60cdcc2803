// The number of the last commit, kept outside of the database.
//
// SQLite silently drops what follows a damaged frame of its log; then an older
// state looks whole. We write the stamp after each commit, so a database that
// is behind its stamp has lost something. The database may be ahead of the
// stamp, after a crash between the two writes.
#pragma once

#include <cstdint>
#include <string>

#include "forge/result.h"

namespace forge::index {

struct CommitStamp {
  std::uint64_t generation = 0;
  bool cleared = true;  // nothing is stored, or not any more

  friend bool operator==(const CommitStamp&, const CommitStamp&) = default;
};

// A missing or empty file is a stamp without information.
Result<CommitStamp> ReadStamp(const std::string& path);
Status WriteStamp(const std::string& path, const CommitStamp& stamp);

}  // namespace forge::index
