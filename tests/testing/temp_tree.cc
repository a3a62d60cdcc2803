#include "tests/testing/temp_tree.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace forge::testing {

namespace fs = std::filesystem;

TempTree::TempTree(Place place) {
  const fs::path memory = "/dev/shm";
  const bool in_memory = place == Place::kInMemory && access(memory.c_str(), W_OK) == 0;
  std::string name = ((in_memory ? memory : fs::temp_directory_path()) / "forge-test-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("mkdtemp failed: " + name);
  root_ = fs::canonical(name).string();
}

TempTree::~TempTree() {
  std::error_code ignored;
  fs::remove_all(root_, ignored);
}

std::string TempTree::Path(std::string_view relative) const { return (fs::path(root_) / relative).string(); }

void TempTree::Write(std::string_view relative, std::string_view content) const {
  const fs::path path = Path(relative);
  fs::create_directories(path.parent_path());
  std::ofstream out(path, std::ios::binary);
  out.write(content.data(), static_cast<std::streamsize>(content.size()));
  out.close();
  if (!out) throw std::runtime_error("cannot write " + path.string());
}

void TempTree::MakeFolder(std::string_view relative) const { fs::create_directories(Path(relative)); }

void TempTree::Link(std::string_view target, std::string_view relative) const {
  const fs::path path = Path(relative);
  fs::create_directories(path.parent_path());
  fs::create_symlink(target, path);
}

void TempTree::Remove(std::string_view relative) const { fs::remove_all(Path(relative)); }

std::string TempTree::Read(std::string_view relative) const {
  std::ifstream in(Path(relative), std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace forge::testing
