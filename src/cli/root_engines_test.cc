#include "cli/root_engines.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/testing/fake_engine.h"

namespace forge::cli {
namespace {

// Says when it goes.
class Mortal : public testing::FakeEngine {
 public:
  Mortal(const std::string& root, std::multiset<std::string>& alive)
      : FakeEngine({.roots = {root}}, {}, {}), root_(root), alive_(alive) {
    alive_.insert(root_);
  }
  ~Mortal() override { alive_.erase(alive_.find(root_)); }

 private:
  const std::string root_;
  std::multiset<std::string>& alive_;
};

class RootEnginesTest : public ::testing::Test {
 protected:
  std::shared_ptr<Engine> Get(const std::string& root) {
    root_ = root;
    auto engine = engines_.Get();
    EXPECT_TRUE(engine);
    return engine ? *engine : nullptr;
  }

  std::string root_;
  std::multiset<std::string> alive_;
  int created_ = 0;
  RootEngines engines_{[this]() -> Result<RootEngines::Roots> { return RootEngines::Roots{root_}; },
                       [this](const RootEngines::Roots& roots) -> Result<std::unique_ptr<Engine>> {
                         ++created_;
                         return std::unique_ptr<Engine>(std::make_unique<Mortal>(roots.front(), alive_));
                       }};
};

TEST_F(RootEnginesTest, FortyRootsOneAfterTheOtherAreAllSearched) {
  for (int i = 0; i < 40; ++i) {
    const std::string root = "/root" + std::to_string(i);
    ASSERT_EQ(Get(root)->roots().front(), root);
    EXPECT_LE(alive_.size(), RootEngines::kMost);
  }
  EXPECT_EQ(created_, 40);
}

TEST_F(RootEnginesTest, TheOneThatWasUnusedTheLongestGoes) {
  for (const char* root : {"/a", "/b", "/c", "/d"}) Get(root);
  Get("/a");
  Get("/e");
  EXPECT_EQ(alive_, (std::multiset<std::string>{"/a", "/c", "/d", "/e"}));
  EXPECT_EQ(created_, 5);
  Get("/b");
  EXPECT_EQ(created_, 6) << "it comes again";
}

TEST_F(RootEnginesTest, ACallKeepsItsEngine) {
  const std::shared_ptr<Engine> running = Get("/a");
  for (int i = 0; i < 10; ++i) Get("/other" + std::to_string(i));
  EXPECT_EQ(running->roots().front(), "/a");
  EXPECT_EQ(alive_.count("/a"), 1U);
}

}  // namespace
}  // namespace forge::cli
