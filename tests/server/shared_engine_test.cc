// Real engines behind a shared server: the same bytes, and no write is missed.
#include <gtest/gtest.h>

#include <memory>
#include <sstream>
#include <string>

#include "forge/engine.h"
#include "tests/equivalence/world.h"
#include "tests/testing/shared_server.h"
#include "tool/write.h"

namespace forge::testing {
namespace {

EngineOptions Options(const std::string& root, IndexMode index) {
  EngineOptions options;
  options.config.search.binary = "native";
  options.config.search.fallback_binary = "";
  options.config.search.default_timeout = std::chrono::minutes(10);
  options.config.search.index.mode = index;
  options.config.search.index.storage = IndexStorage::kMemory;
  options.config.search.index.auto_threshold_files = 1;
  options.roots = {root};
  return options;
}

std::string Bytes(Engine& engine, const SearchRequest& request) {
  auto response = engine.Search(request);
  std::ostringstream out;
  if (response) {
    tool::ToDocument(std::move(*response)).Write(out);
  } else {
    tool::ToDocument(response.error()).Write(out);
  }
  return out.str();
}

bool BecomesComplete(Engine& engine) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (std::chrono::steady_clock::now() < end) {
    const auto statuses = engine.index_status();
    if (!statuses.empty() && statuses.front().state == IndexState::kComplete) return true;
    std::this_thread::yield();
  }
  return false;
}

// R10: same requests, same bytes.
TEST(SharedEngine, GivesTheBytesOfAnEngineInTheProcess) {
  const SharedServer server;
  for (std::uint64_t world = FirstSeed(); world < FirstSeed() + 6; ++world) {
    Random random(world);
    const TempTree tree;
    MakeTree(random, tree);
    const auto local = Engine::Create(Options(tree.root(), IndexMode::kOff));
    ASSERT_TRUE(local.ok());
    const auto plain = server.Create(Options(tree.root(), IndexMode::kOff));
    const auto indexed = server.Create(Options(tree.root(), IndexMode::kOn));
    ASSERT_TRUE(BecomesComplete(*indexed));
    for (int i = 0; i < 40; ++i) {
      const SearchRequest request = MakeRequest(random);
      const std::string expected = Bytes(**local, request);
      ASSERT_EQ(Bytes(*plain, request), expected) << "seed " << world << ": " << Describe(request);
      ASSERT_EQ(Bytes(*indexed, request), expected) << "seed " << world << ", indexed: " << Describe(request);
    }
  }
}

// R10, R1: two clients of one engine; what one has written, the other finds.
TEST(SharedEngine, AThousandWritesAreEachFoundByAnotherClient) {
  const SharedServer server;
  const TempTree tree;
  for (int i = 0; i < 200; ++i) tree.Write("d" + std::to_string(i % 10) + "/f" + std::to_string(i), "some text\n");
  const auto writer = server.Create(Options(tree.root(), IndexMode::kOn));
  const auto reader = server.Create(Options(tree.root(), IndexMode::kOn));
  ASSERT_TRUE(BecomesComplete(*writer));
  for (int i = 0; i < 1000; ++i) {
    const std::string word = "word" + std::to_string(i) + "end";
    tree.Write("d" + std::to_string(i % 10) + "/f" + std::to_string(i % 200), word + "\n");
    const auto answer = reader->Search({.pattern = word});
    ASSERT_TRUE(answer.ok()) << answer.error().message;
    ASSERT_EQ(answer->matches.size(), 1U) << word;
    if (i == 0) continue;
    const auto gone = writer->Search({.pattern = "word" + std::to_string(i - 200) + "end"});
    ASSERT_TRUE(gone.ok());
    ASSERT_EQ(gone->matches.size(), 0U) << "overwritten in round " << i;
  }
}

}  // namespace
}  // namespace forge::testing
