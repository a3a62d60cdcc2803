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

}  // namespace
}  // namespace forge
