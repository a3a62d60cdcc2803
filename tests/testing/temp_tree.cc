#include "tests/testing/temp_tree.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <stdexcept>

namespace forge::testing {

namespace {

namespace fs = std::filesystem;

// Our paths are bytes, UTF-8 where the system has another form of its own.
fs::path ToPath(std::string_view bytes) { return std::u8string(bytes.begin(), bytes.end()); }

std::string ToBytes(const fs::path& path) {
  const std::u8string bytes = path.generic_u8string();
  return {bytes.begin(), bytes.end()};
}

bool IsThere(const fs::path& folder) {
  std::error_code ignored;
  return fs::is_directory(folder, ignored);
}

// For this user alone.
fs::path MakeTemporary(TempTree::Place place) {
  const fs::path memory = "/dev/shm";
  const bool in_memory = place == TempTree::Place::kInMemory && IsThere(memory);
  std::random_device random;
  while (true) {
    const fs::path path = (in_memory ? memory : fs::temp_directory_path()) / ("forge-test-" + std::to_string(random()));
    if (!fs::create_directory(path)) continue;
    fs::permissions(path, fs::perms::owner_all);
    return fs::canonical(path);
  }
}

}  // namespace

TempTree::TempTree(Place place) : root_(ToBytes(MakeTemporary(place))) {}

TempTree::~TempTree() {
  std::error_code ignored;
  fs::remove_all(ToPath(root_), ignored);
}

std::string TempTree::Path(std::string_view relative) const { return ToBytes(ToPath(root_) / ToPath(relative)); }

void TempTree::Write(std::string_view relative, std::string_view content) const {
  const fs::path path = ToPath(Path(relative));
  fs::create_directories(path.parent_path());
  std::ofstream out(path, std::ios::binary);
  out.write(content.data(), static_cast<std::streamsize>(content.size()));
  out.close();
  if (!out) throw std::runtime_error("cannot write " + ToBytes(path));
}

void TempTree::MakeFolder(std::string_view relative) const { fs::create_directories(ToPath(Path(relative))); }

void TempTree::Link(std::string_view target, std::string_view relative) const {
  const fs::path path = ToPath(Path(relative));
  fs::create_directories(path.parent_path());
  fs::create_symlink(ToPath(target), path);
}

void TempTree::Remove(std::string_view relative) const { fs::remove_all(ToPath(Path(relative))); }

std::string TempTree::Read(std::string_view relative) const {
  std::ifstream in(ToPath(Path(relative)), std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace forge::testing
