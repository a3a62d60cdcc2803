#include "index/store/store_files.h"

#include <algorithm>
#include <cerrno>
#include <unordered_set>

#include "index/format/damage.h"
#include "os/named_file.h"
#include "os/private_file.h"

namespace forge::index {
namespace {

// Files may come and go while we look: a file that cannot be read counts as
// gone.
void ForEachName(const std::string& folder, const std::function<void(const std::string&)>& visit) {
  const auto fd = os::OpenFolder(folder);
  if (!fd.ok()) return;
  const auto entries = os::ListFolder(fd->get());
  if (!entries.ok()) return;
  for (const os::DirEntry& entry : *entries) visit(entry.name);
}

constexpr std::int64_t kNsInMs = 1'000'000;

bool MeansMissing(int code) { return code == ENOENT || code == ENOTDIR; }

bool IsSegmentOrTemporary(std::string_view name) { return name.ends_with(".seg") || name.ends_with(".tmp"); }

bool IsContent(std::string_view name) {
  return IsSegmentOrTemporary(name) || name.ends_with(".db") || name.ends_with(".db-wal") ||
         name.ends_with(".db-shm") || name.ends_with(".db-journal");
}

// The folder may be the user's own and hold other databases.
bool IsHash(std::string_view text) {
  constexpr std::size_t kHexDigits = 64;
  return text.size() == kHexDigits && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

}  // namespace

void StoreFiles::ForEach(const std::function<void(const std::string& name)>& visit) const {
  const std::string prefix = hash + ".";
  ForEachName(folder, [&](const std::string& name) {
    if (name.starts_with(prefix)) visit(name);
  });
}

std::uint64_t StoreFiles::Bytes() const {
  std::uint64_t sum = 0;
  ForEach([&](const std::string& name) {
    if (!IsContent(name)) return;
    const auto info = os::StatPath(folder + "/" + name);
    if (info.ok() && info->type == os::FileType::kRegular) sum += info->size;
  });
  return sum;
}

bool StoreFiles::HasDatabase() const {
  const auto there = os::StatItself(database());
  return there.ok() || !MeansMissing(there.error().code);
}

Status StoreFiles::CheckKinds() const {
  for (const char* helper : {"", "-wal", "-shm", "-journal"}) {
    const auto there = os::StatItself(database() + helper);
    if (!there.ok() || there->type == os::FileType::kRegular) continue;
    return Damaged(hash + ".db" + helper + " is not a file");
  }
  return {};
}

std::int64_t StoreFiles::UsedMs() const {
  const auto info = os::StatPath(use());
  return info.ok() ? info->mtime_ns / kNsInMs : 0;
}

void StoreFiles::NoteUse(std::int64_t now_ms) const { os::SetModified(use(), now_ms * kNsInMs); }

void StoreFiles::RemoveContent() const {
  // First the database: without it nothing names the rest.
  os::RemoveFile(database());
  ForEach([&](const std::string& name) {
    if (IsContent(name)) os::RemoveFile(folder + "/" + name);
  });
}

void StoreFiles::RemoveAll() const {
  // First the stamp: a database without one counts as whole, a stamp without its
  // database as a loss.
  os::RemoveFile(stamp());
  RemoveContent();
}

void StoreFiles::RemoveUnnamed(const std::vector<SegmentId>& named) const {
  std::unordered_set<std::string> keep;
  for (const SegmentId id : named) keep.insert(SegmentName(id));
  ForEach([&](const std::string& name) {
    if (IsSegmentOrTemporary(name) && !keep.contains(name)) os::RemoveFile(folder + "/" + name);
  });
}

std::vector<std::string> StoredHashes(const std::string& folder) {
  std::vector<std::string> hashes;
  ForEachName(folder, [&](const std::string& name) {
    const std::string_view stem = std::string_view(name).substr(0, name.rfind('.'));
    if (name.ends_with(".db") && IsHash(stem)) hashes.emplace_back(stem);
  });
  std::sort(hashes.begin(), hashes.end());
  return hashes;
}

}  // namespace forge::index
