#include "index/store/store_files.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <system_error>
#include <unordered_set>

#include "index/format/damage.h"

namespace forge::index {
namespace {

namespace fs = std::filesystem;

// Files may come and go while we look: a file that cannot be read counts as
// gone.
void ForEachName(const std::string& folder, const std::function<void(const std::string&)>& visit) {
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    visit(at->path().filename().string());
  }
}

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

void Remove(const std::string& path) {
  std::error_code ignored;
  fs::remove(path, ignored);
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
    std::error_code error;
    const std::uintmax_t size = fs::file_size(folder + "/" + name, error);
    if (!error) sum += size;
  });
  return sum;
}

bool StoreFiles::HasDatabase() const {
  std::error_code error;
  return fs::symlink_status(database(), error).type() != fs::file_type::not_found;
}

Status StoreFiles::CheckKinds() const {
  for (const char* helper : {"", "-wal", "-shm", "-journal"}) {
    std::error_code error;
    const fs::file_type type = fs::symlink_status(database() + helper, error).type();
    const bool known = !error && type != fs::file_type::none;
    if (!known || type == fs::file_type::regular || type == fs::file_type::not_found) continue;
    return Damaged(hash + ".db" + helper + " is not a file");
  }
  return {};
}

std::int64_t StoreFiles::UsedMs() const {
  std::error_code error;
  const fs::file_time_type time = fs::last_write_time(use(), error);
  if (error) return 0;
  const auto wall = std::chrono::file_clock::to_sys(time).time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(wall).count();
}

void StoreFiles::NoteUse(std::int64_t now_ms) const {
  const std::chrono::sys_time<std::chrono::milliseconds> wall{std::chrono::milliseconds(now_ms)};
  std::error_code ignored;
  fs::last_write_time(use(), std::chrono::file_clock::from_sys(wall), ignored);
}

void StoreFiles::RemoveContent() const {
  // First the database: without it nothing names the rest.
  Remove(database());
  ForEach([&](const std::string& name) {
    if (IsContent(name)) Remove(folder + "/" + name);
  });
}

void StoreFiles::RemoveAll() const {
  // First the stamp: a database without one counts as whole, a stamp without its
  // database as a loss.
  Remove(stamp());
  RemoveContent();
}

void StoreFiles::RemoveUnnamed(const std::vector<SegmentId>& named) const {
  std::unordered_set<std::string> keep;
  for (const SegmentId id : named) keep.insert(SegmentName(id));
  ForEach([&](const std::string& name) {
    if (IsSegmentOrTemporary(name) && !keep.contains(name)) Remove(folder + "/" + name);
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
