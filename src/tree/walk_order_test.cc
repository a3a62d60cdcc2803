// D1: by the sort key of the whole path, then by its raw bytes.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "base/unicode.h"
#include "tests/testing/seed.h"
#include "tests/testing/temp_tree.h"
#include "tree/walk_testing.h"

namespace forge {
namespace {

using testing::Random;
using testing::WalkAll;

constexpr std::string_view kNames[] = {
    "a", "a-",  "a0",  "A",         "\xC3\xA9",   "e\xCC\x81", "e", "\xFF",     "\xFE",    "\xEF\xBF\xBD",
    "z", "a b", "a.c", "\xC3\xA9x", "e\xCC\x81x", "~",         "!", "\xCC\x81", "\xE2\x82"};

std::vector<std::string> Sorted(std::set<std::string> paths) {
  std::vector<std::string> out(paths.begin(), paths.end());
  std::sort(out.begin(), out.end(), [](const std::string& a, const std::string& b) {
    const std::string x = SortKey(a);
    const std::string y = SortKey(b);
    return x != y ? x < y : a < b;
  });
  return out;
}

std::string RandomPath(Random& random) {
  std::string out(random.Pick(kNames));
  for (std::size_t depth = random.Below(4); depth > 0; --depth) out.append("/").append(random.Pick(kNames));
  return out;
}

// There may already be a file or a folder of that name.
bool TryWrite(const testing::TempTree& tree, const std::string& path) {
  std::error_code code;
  const std::filesystem::path full = tree.Path(path);
  std::filesystem::create_directories(full.parent_path(), code);
  if (code || std::filesystem::exists(full, code)) return false;
  tree.Write(path, "");
  return true;
}

TEST(WalkOrder, IsThatOfWholePathKeys) {
  const std::uint64_t first = testing::FirstSeed();
  for (std::uint64_t seed = first; seed < first + testing::CaseCount(15); ++seed) {
    Random random(seed);
    const testing::TempTree tree;
    std::set<std::string> paths;
    for (std::size_t n = 5 + random.Below(80); n > 0; --n) {
      if (const std::string path = RandomPath(random); TryWrite(tree, path)) paths.insert(path);
    }
    const std::vector<std::string> expected = Sorted(paths);
    for (const int threads : {1, 2, 8}) {
      ASSERT_EQ(WalkAll(tree.root(), {.rules = {.traversal = {.hidden = true}}, .threads = threads}), expected)
          << "seed " << seed;
    }
  }
}

TEST(WalkOrder, TwinFoldersAreMerged) {
  const testing::TempTree tree;
  const std::string composed = "\xC3\xA9/";
  const std::string decomposed = "e\xCC\x81/";
  std::set<std::string> paths;
  for (const char* name : {"1", "3", "5", "d/1", "d/3"}) paths.insert(composed + name);
  for (const char* name : {"1", "2", "4", "d/2", "d/1", "d-"}) paths.insert(decomposed + name);
  paths.insert("z");
  for (const std::string& path : paths) tree.Write(path, "");
  EXPECT_EQ(WalkAll(tree.root()), Sorted(paths));
}

}  // namespace
}  // namespace forge
