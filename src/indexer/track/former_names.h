// Files that are written to under a name that they no longer have.
//
// An open file keeps the name that it was opened by. After `ln a b; rm a`, a
// write through the old descriptor is reported as a write to "a"; after O_TMPFILE
// and linkat, as a write to "#4711", the number of the inode. So an event may be
// about the file that has the name now, or about one that had it before. This
// class remembers which files had a name.
//
// A value; TreeTracker guards it. Bounded: the oldest names are forgotten.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace forge::indexer {

class FormerNames {
 public:
  static constexpr std::size_t kMost = 4096;

  // The file with this inode has, or had, this path.
  void Remember(const std::string& path, std::uint64_t inode);
  bool Knows(const std::string& path) const { return inodes_.contains(path); }
  // The files that had this path, without the one that has it now and those that
  // are known to be no part of the catalog.
  std::vector<std::uint64_t> Of(const std::string& path, std::optional<std::uint64_t> now) const;

  // No row has this inode.
  void NotInCatalog(std::uint64_t inode);
  // A row has it now.
  void InCatalog(std::uint64_t inode) { elsewhere_.erase(inode); }

 private:
  std::unordered_map<std::string, std::vector<std::uint64_t>> inodes_;
  std::deque<std::string> order_;  // of the paths, oldest first
  std::unordered_set<std::uint64_t> elsewhere_;
};

// The inode of a file without a name (O_TMPFILE), from the name that the kernel
// gives it: "d/#4711".
std::optional<std::uint64_t> NamelessInode(std::string_view path);

}  // namespace forge::indexer
