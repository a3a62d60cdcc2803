// A real watcher and real threads, on a tree that changes all the time.
#include <fcntl.h>
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <thread>

#include "tests/index/fault_world.h"
#include "tests/testing/git.h"
#include "tests/testing/seed.h"

namespace forge::testing {
namespace {

namespace fs = std::filesystem;

void Append(const TempTree& tree, const std::string& path, const std::string& text) {
  std::ofstream(tree.Path(path), std::ios::app) << text;
}

// One edit that brings `word` into the tree, or removes its last occurrence.
std::string EditTree(Random& random, const TempTree& tree, int round, const std::string& word) {
  const std::string number = std::to_string(round);
  const std::string known = "d" + std::to_string(random.Below(6)) + "/f.txt";
  std::error_code error;
  switch (random.Below(9)) {
    case 0: tree.Write("d1/new" + number, word + "\n"); return "new file";
    case 1: tree.Write(known, word + "\n"); return "overwrite " + known;
    case 2: Append(tree, known, word + "\n"); return "append " + known;
    case 3:
      tree.Write(".tmp" + number, word + "\n");
      fs::rename(tree.Path(".tmp" + number), tree.Path(known));
      return "rename over " + known;
    case 4: tree.Remove(known); return "delete " + known;
    case 5: tree.Write("n" + number + "/deep/er/f", word + "\n"); return "new folder";
    case 6: tree.Write(".gitignore", random.OneIn(2) ? "d2\n" : "d3\n"); return ".gitignore";
    case 7:
      fs::rename(tree.Path("moving"), tree.Path("d0/moving"), error);
      if (error) fs::rename(tree.Path("d0/moving"), tree.Path("moving"), error);
      return "move a folder";
    default:
      // In a place that was renamed: both names, and written without a pause.
      tree.Write("moving/deep/f", word + "\n");
      return "in the folder that moves";
  }
}

TEST(LiveIndex, EachSearchSeesTheWriteBeforeIt) {
  for (const char* storage : {"memory", "sqlite"}) {
    const std::uint64_t seed = FirstSeed();
    Random random(seed);
    FaultWorld world({.storage = storage});
    world.config.index.watch_debounce = std::chrono::milliseconds(5);  // so that maintenance runs between any two
    FillTree(world.tree, 60);
    world.tree.Write(".git/HEAD", "ref: refs/heads/main\n");
    world.tree.Write("moving/deep/f", "alpha\n");
    world.Open();
    world.indexes().Start();
    ASSERT_TRUE(world.AwaitComplete());
    std::size_t trusted = 0;
    for (int round = 0; round < 300; ++round) {
      const std::string word = "word" + std::to_string(round) + "_";
      const std::string what = std::string(storage) + " seed " + std::to_string(seed) + " round " +
                               std::to_string(round) + ": " + EditTree(random, world.tree, round, word);
      world.ExpectSame(FaultWorld::Request(word), what);
      if (world.stats.index_exclusion_used && world.stats.candidates_excluded > 0) ++trusted;
      if (round % 20 == 0) world.ExpectSame(what);
      if (HasFatalFailure()) return;
    }
    EXPECT_GT(trusted, 30U) << "the index was hardly ever used";
    ASSERT_TRUE(world.AwaitComplete());
    world.ExpectSame("at the end");
  }
}

// Several threads send requests while files change and the index follows. Each
// request must find the words that never change.
TEST(LiveIndex, ManyThreadsAskWhileTheTreeChanges) {
  FaultWorld world({.storage = "sqlite"});
  world.config.index.watch_debounce = std::chrono::milliseconds(1);
  FillTree(world.tree, 80);
  world.tree.Write("still/f", "steadfast\n");
  world.Open();
  world.indexes().Start();
  ASSERT_TRUE(world.AwaitComplete());
  const SearchRequest request = FaultWorld::Request("steadfast", "still");
  const std::string expected = world.Plain(request);
  std::atomic<bool> over = false;
  std::atomic<int> wrong = 0;
  std::vector<std::thread> askers;
  for (int i = 0; i < 3; ++i) {
    askers.emplace_back([&] {
      while (!over) wrong += world.IndexedQuietly(request) == expected ? 0 : 1;
    });
  }
  Random random(FirstSeed());
  for (int round = 0; round < 150; ++round) {
    const std::string word = "word" + std::to_string(round) + "_";
    const std::string what = EditTree(random, world.tree, round, word);
    EXPECT_EQ(world.IndexedQuietly(FaultWorld::Request(word)), world.Plain(FaultWorld::Request(word))) << what;
  }
  over = true;
  for (std::thread& asker : askers) asker.join();
  EXPECT_EQ(wrong, 0);
}

TEST(LiveIndex, BranchesOfARepositoryAreSwitched) {
  FaultWorld world({.storage = "sqlite"});
  const std::string& root = world.tree.root();
  const auto commit = [&](const std::string& message) {
    RunGit(root, {"add", "-A"});
    RunGit(root, {"-c", "user.name=n", "-c", "user.email=e@x", "commit", "-q", "-m", message});
  };
  RunGit(root, {"init", "-q", "-b", "one"});
  FillTree(world.tree, 300);
  world.tree.Write(".gitignore", "ignored\n");
  commit("one");
  RunGit(root, {"checkout", "-q", "-b", "two"});
  for (int i = 0; i < 200; ++i) {
    const std::string path = "d" + std::to_string(i / 10) + "/f" + std::to_string(i) + ".txt";
    if (i % 5 == 0) {
      world.tree.Remove(path);
    } else {
      world.tree.Write(path, "needle two alpha" + std::to_string(i) + "\n");
    }
    if (i % 4 == 0) world.tree.Write("two/" + path, "needle alpha" + std::to_string(i) + "\n");
  }
  commit("two");
  RunGit(root, {"checkout", "-q", "-b", "three"});
  world.tree.Write(".gitignore", "ignored\nd1\n");
  commit("three");
  world.Open();
  ASSERT_TRUE(world.Heal());
  for (const char* branch : {"one", "two", "one", "three", "two", "one"}) {
    RunGit(root, {"checkout", "-q", branch});
    world.ExpectSame(std::string("switched to ") + branch);
    ASSERT_TRUE(world.Heal()) << branch;
    world.ExpectSame(std::string("indexed on ") + branch);
    EXPECT_GT(world.root().status().indexed_files, 150U);
  }
  // Without a pause.
  for (const char* branch : {"two", "three", "one"}) RunGit(root, {"checkout", "-q", branch});
  world.ExpectSame("switched three times");
  ASSERT_TRUE(world.Heal());
  world.ExpectSame("indexed");
}

// Files that change while a build reads them: nine in ten change before the
// first is read, the others at the same time as the reading. Ten thousand cause
// more events than the kernel keeps; three thousand do not.
class ChangesDuringABuild : public ::testing::TestWithParam<int> {};

TEST_P(ChangesDuringABuild, AreNotLost) {
  FaultWorld world;
  const int files = GetParam();
  FillTree(world.tree, files);
  std::atomic<int> changed = 0;
  std::thread writer;
  const auto write = [&] {
    for (; changed < files; ++changed) {
      const int i = changed;
      const std::string path = "d" + std::to_string(i / 10) + "/f" + std::to_string(i) + ".txt";
      if (i % 100 == 50) {
        world.tree.Remove(path);
      } else if (i % 100 == 51) {
        world.tree.Write("late" + std::to_string(i) + "/f", "needle alpha1\n");
      } else {
        world.tree.Write(path, "rewritten needle alpha" + std::to_string(i) + "\n");
      }
    }
  };
  std::once_flag once;
  auto watcher = os::MakeWatcher();
  ASSERT_TRUE(watcher.ok());
  world.OpenWith(std::move(*watcher), [&] {
    std::call_once(once, [&] { writer = std::thread(write); });
    while (changed < files * 9 / 10) std::this_thread::yield();
  });
  world.root().Build(false);
  const std::string state = world.State();
  std::printf("%d files were changed when the build ended; %s\n", changed.load(), state.c_str());
  writer.join();
  world.ExpectSame("after the storm");
  ASSERT_TRUE(world.Heal());
  world.ExpectSame("healed");
  world.Indexed(FaultWorld::Request("nowhere_to_be_found"));
  EXPECT_EQ(world.stats.candidates_excluded, world.root().status().files);
}

INSTANTIATE_TEST_SUITE_P(Files, ChangesDuringABuild, ::testing::Values(3'000, 10'000));

}  // namespace
}  // namespace forge::testing
