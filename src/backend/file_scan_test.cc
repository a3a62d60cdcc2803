#include "backend/file_scan.h"

#include <gtest/gtest.h>

#include <array>
#include <random>

#include "tests/testing/backend_world.h"
#include "tests/testing/seed.h"

namespace forge {
namespace {

constexpr std::size_t kSmallBlock = 64;

std::string Show(const FileOutcome& outcome) {
  std::string out = outcome.error + (outcome.binary ? " binary" : "") + (outcome.capped ? " capped" : "");
  for (const Event& event : outcome.events) {
    out += "\n" + std::to_string(event.line_number) + ":" + std::to_string(event.column) + ":" + event.match_text +
           ":" + event.line;
  }
  return out;
}

// Lines of all lengths around a block's, with what is special at their ends and
// at the text's.
std::string RandomText(std::mt19937_64& random) {
  constexpr std::array<std::string_view, 10> kPieces = {"foo", "bar", "fo", "x", " ", "\r", "\n", "\n", "é", "K"};
  std::string text;
  if (random() % 4 == 0) text = "\xEF\xBB\xBF";
  const std::size_t size = random() % (6 * kSmallBlock);
  const bool long_lines = random() % 4 == 0;
  while (text.size() < size) {
    const std::string_view piece = kPieces[random() % kPieces.size()];
    if (piece == "\n" && long_lines && random() % 8 != 0) continue;
    text += piece;
  }
  if (random() % 16 == 0 && !text.empty()) text[random() % text.size()] = '\0';
  return text;
}

// A file that was written a moment ago is read with more care, so they are
// left alone until they count as at rest.
void AwaitRest(const World& world) {
  constexpr std::int64_t kLongEnough = 80'000'000;
  const std::int64_t written = os::StatPath(world.tree.Path(world.paths.back()))->ctime_ns;
  while (os::FileClockNow() < written + kLongEnough) continue;
}

TEST(FileScanner, TheSizeOfABlockChangesNoAnswer) {
  const std::uint64_t seed = testing::FirstSeed();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  World world("x", 400, "");
  for (const std::string& path : world.paths) world.tree.Write(path, RandomText(random));
  AwaitRest(world);
  for (const char* const text :
       {"foo", "^foo", "^(foo|bar)", "bar$", "foo.*bar", "[fb][oa][or]x", "oo\\r?$", "(?i)k"}) {
    const Pattern pattern = *Pattern::Compile({.pattern = text});
    const Prefilter prefilter = Prefilter::For(pattern);
    const Query query{pattern, prefilter, std::nullopt, text, false, false, {3, 1, 1000}, 1'000'000};
    const Deadline deadline;
    FileScanner whole(query, *world.root, deadline);
    FileScanner blocks(query, *world.root, deadline, kSmallBlock);
    for (std::size_t i = 0; i < world.paths.size(); ++i) {
      const FileItem item{i + 1, world.paths[i]};
      ASSERT_EQ(Show(blocks.ScanAll(item)), Show(whole.ScanAll(item))) << text << " in " << world.paths[i];
    }
  }
}

// A file that an index left over is opened by its whole path, the next of its
// folder through the folder; large ones are read at once.
TEST(FileScanner, AFileAloneIsSearchedLikeAnyOther) {
  const std::uint64_t seed = testing::FirstSeed();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  World world("x", 0, "");
  for (const char* const folder : {"", "a/", "a/b/", "a/c/", "d/"}) {
    for (const char* const name : {"1", "2", "3", "4"}) world.paths.push_back(std::string(folder) + name);
  }
  for (const std::string& path : world.paths) world.tree.Write(path, RandomText(random));
  AwaitRest(world);
  const Pattern pattern = *Pattern::Compile({.pattern = "foo|bar$"});
  const Prefilter prefilter = Prefilter::For(pattern);
  const Query query{pattern, prefilter, std::nullopt, "foo|bar$", false, false, {3, 1, 1000}, 1'000'000};
  const Deadline deadline;
  FileScanner usual(query, *world.root, deadline, kSmallBlock);
  for (int round = 0; round < 50; ++round) {
    FileScanner sparse(query, *world.root, deadline, kSmallBlock);
    for (std::size_t i = 0; i < world.paths.size(); ++i) {
      if (random() % 2 == 0) continue;
      const FileItem item{i + 1, world.paths[i], random() % 3 != 0};
      ASSERT_EQ(Show(sparse.ScanAll(item)), Show(usual.ScanAll({i + 1, world.paths[i]}))) << world.paths[i];
    }
  }
}

// Without the walk before it, what a path leads through is still checked.
TEST(FileScanner, AFileAloneIsNotReachedThroughALink) {
  World world("x", 0, "");
  world.tree.Write("real/file", "foo\n");
  world.tree.Link("real", "link");
  world.tree.Link("file", "real/other");
  const Pattern pattern = *Pattern::Compile({.pattern = "foo"});
  const Prefilter prefilter = Prefilter::For(pattern);
  const Query query{pattern, prefilter, std::nullopt, "foo", false, false, {3, 1, 1000}, 1'000'000};
  const Deadline deadline;
  for (const char* const path : {"link/file", "real/other"}) {
    FileScanner scanner(query, *world.root, deadline);
    EXPECT_EQ(Show(scanner.ScanAll({1, path, true})), "is a symbolic link, or lies behind one") << path;
    EXPECT_EQ(Show(scanner.ScanAll({1, path})), "is a symbolic link, or lies behind one") << path;
  }
}

}  // namespace
}  // namespace forge
