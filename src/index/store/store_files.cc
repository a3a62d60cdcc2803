#include "index/store/store_files.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <unordered_set>

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

void StoreFiles::RemoveContent() const {
  // First the database: without it nothing names the rest.
  Remove(database());
  ForEach([&](const std::string& name) {
    if (IsContent(name)) Remove(folder + "/" + name);
  });
}

void StoreFiles::RemoveAll() const {
  RemoveContent();
  Remove(stamp());
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
