// Files of many blocks, of which a search reads only those that may match.
#include <gtest/gtest.h>

#include <string>

#include "tests/index/fault_world.h"
#include "tests/testing/seed.h"

namespace forge::testing {
namespace {

// Most lines are like any other; few have a word of their own.
std::string LargeText(Random& random) {
  std::string text = random.OneIn(5) ? "\xEF\xBB\xBF" : "";
  const std::size_t size = 30'000 + random.Below(200'000);
  while (text.size() < size) {
    text += "    usual->line = of_code(" + std::to_string(random.Below(100)) + ");";
    if (random.OneIn(1500)) text += " needle";
    if (random.OneIn(1500)) text += " alpha" + std::to_string(random.Below(20));
    if (random.OneIn(3000)) text += std::string(40'000, 'x') + "yz";
    if (random.OneIn(20'000)) text += '\0';
    text += random.OneIn(50) ? "\r\n" : "\n";
  }
  if (random.OneIn(3)) text += "needle at the end";
  return text;
}

TEST(LargeFiles, AnswersAreThoseWithoutAnIndex) {
  const std::uint64_t seed = FirstSeed();
  SCOPED_TRACE("seed " + std::to_string(seed));
  Random random(seed);
  FaultWorld world;
  world.config.index.text_cache_bytes = 0;
  const auto write = [&](std::uint64_t file) { world.tree.Write("f" + std::to_string(file), LargeText(random)); };
  for (std::uint64_t file = 0; file < 12; ++file) write(file);
  world.Open();
  for (int round = 0; round < 6; ++round) {
    ASSERT_TRUE(world.Heal());
    for (const char* pattern : {"needle", "alpha1\\d", "(?i)NEEDLE$", "xyz", "needle at|alpha7"}) {
      for (const std::int64_t context : {0, 2}) {
        SearchRequest request = FaultWorld::Request(pattern);
        request.context = context;
        world.ExpectSame(request, "round " + std::to_string(round));
        if (HasFatalFailure()) return;
      }
    }
    for (int edits = 0; edits < 3; ++edits) {
      write(random.Below(12));
      world.ExpectSame("after a write");
      if (HasFatalFailure()) return;
    }
  }
}

}  // namespace
}  // namespace forge::testing
