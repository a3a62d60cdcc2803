#include <malloc.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

#include "os/memory.h"

namespace forge::os {
namespace {

constexpr double kStalledPercent = 10;
constexpr std::uint64_t kShare = 16;
// A limit above this is none: version 1 writes a number near 2^63.
constexpr std::uint64_t kNoLimit = std::uint64_t{1} << 60;

std::optional<std::uint64_t> Number(const std::string& path) {
  std::ifstream file(path);
  std::uint64_t value = 0;
  if (!(file >> value)) return std::nullopt;  // missing, or "max"
  return value;
}

// The number after `word` in a file with a word and a number on each line.
std::optional<std::uint64_t> NumberOf(const std::string& path, std::string_view word) {
  std::ifstream file(path);
  std::string first;
  std::uint64_t value = 0;
  while (file >> first) {
    if (first == word) return file >> value ? std::optional(value) : std::nullopt;
    file.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  }
  return std::nullopt;
}

// "some avg10=0.12 avg60=..."
bool Stalls(const std::string& path) {
  std::ifstream file(path);
  std::string some;
  std::string average;
  if (!(file >> some >> average) || some != "some" || !average.starts_with("avg10=")) return false;
  return std::strtod(average.c_str() + 6, nullptr) >= kStalledPercent;
}

// One control group, and the names of its files in its version.
struct Group {
  std::string folder;
  const char* limit;
  const char* used;
  const char* droppable;  // in memory.stat

  std::optional<std::uint64_t> Limit() const {
    const auto limit_now = Number(folder + limit);
    return limit_now && *limit_now < kNoLimit ? limit_now : std::nullopt;
  }

  bool IsFull() const {
    const auto most = Limit();
    const auto used_now = Number(folder + used);
    if (!most || !used_now) return false;
    const std::uint64_t drops = std::min(NumberOf(folder + "memory.stat", droppable).value_or(0), *used_now);
    return *used_now - drops > *most - *most / kShare;
  }
};

// A path of /proc/self/cgroup, and those above it.
void AddGroups(const std::string& base, std::string path, const Group& names, std::vector<Group>& out) {
  while (path.ends_with('/')) path.pop_back();
  while (true) {
    out.push_back(names);
    out.back().folder = base + path + "/";
    if (path.empty()) return;
    path.resize(path.rfind('/'));
  }
}

class FromFiles final : public Memory {
 public:
  FromFiles(std::string proc, const std::string& cgroups) : proc_(std::move(proc)) {
    const Group second{"", "memory.max", "memory.current", "inactive_file"};
    const Group first{"", "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"};
    std::ifstream file(proc_ + "/self/cgroup");
    std::string line;
    while (std::getline(file, line)) {
      const std::size_t name = line.find(':') + 1;
      const std::size_t path = line.find(":/", name);
      if (path == std::string::npos) continue;
      const std::string_view controllers = std::string_view(line).substr(name, path - name);
      if (controllers.empty()) AddGroups(cgroups, line.substr(path + 1), second, groups_);
      if (controllers == "memory") AddGroups(cgroups + "/memory", line.substr(path + 1), first, groups_);
    }
  }

  std::optional<std::uint64_t> Limit() const override {
    auto least = InMeminfo("MemTotal:");
    for (const Group& group : groups_) {
      if (const auto limit = group.Limit()) least = std::min(least.value_or(*limit), *limit);
    }
    return least;
  }

  bool IsShort() const override {
    const auto total = InMeminfo("MemTotal:");
    const auto available = InMeminfo("MemAvailable:");
    if (total && available && *available < *total / kShare) return true;
    if (Stalls(proc_ + "/pressure/memory")) return true;
    return std::any_of(groups_.begin(), groups_.end(),
                       [](const Group& group) { return Stalls(group.folder + "memory.pressure") || group.IsFull(); });
  }

 private:
  std::optional<std::uint64_t> InMeminfo(std::string_view word) const {
    const auto kibibytes = NumberOf(proc_ + "/meminfo", word);
    return kibibytes ? std::optional(*kibibytes * 1024) : std::nullopt;
  }

  const std::string proc_;
  std::vector<Group> groups_;
};

}  // namespace

std::unique_ptr<Memory> MemoryFrom(std::string proc, const std::string& cgroups) {
  return std::make_unique<FromFiles>(std::move(proc), cgroups);
}

const Memory& Memory::System() {
  static const std::unique_ptr<Memory> system = MemoryFrom("/proc", "/sys/fs/cgroup");
  return *system;
}

void PreferSmallMemory() {
#if defined(__GLIBC__)
  constexpr int kMegabyte = 1 << 20;
  mallopt(M_MMAP_THRESHOLD, kMegabyte);  // larger blocks have pages of their own
  mallopt(M_TRIM_THRESHOLD, kMegabyte);
#endif
}

void ReturnFreedMemory() {
#if defined(__GLIBC__)
  malloc_trim(0);
  // It leaves the free end of a thread's heap alone. To free a block of this size makes the
  // library look at it.
  constexpr std::size_t kLooksFrom = 96 << 10;
  void* const volatile block = std::malloc(kLooksFrom);
  std::free(block);
#endif
}

}  // namespace forge::os
