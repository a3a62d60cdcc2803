// Stored indexes whose process is killed, that are damaged, that another
// process locks, or that have no place.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "index/store/testing/child.h"
#include "os/named_file.h"
#include "tests/index/fault_world.h"
#include "tests/testing/places.h"
#include "tests/testing/run_binary.h"
#include "tests/testing/seed.h"
#include "tests/testing/unprivileged.h"

namespace forge::testing {
namespace {

namespace fs = std::filesystem;

void Spin(std::size_t rounds) {
  volatile std::size_t sink = 0;
  for (std::size_t i = 0; i < rounds; ++i) sink = sink + i;
}

// Builds, changes, maintains and reconciles until the test kills it.
void WorkForEver(FaultWorld& world, int out) {
  world.OpenStored();
  for (int round = 0;; ++round) {
    Child::Say(out, "x");
    if (round % 3 == 0) {
      world.root().Build(false);
    } else {
      world.root().Reconcile();
    }
    world.tree.Write("d1/child.txt", "alpha" + std::to_string(round) + "\n");
  }
}

// kill -9 at any moment of a build or an update.
TEST(StorageFault, AKilledBuilderLeavesAnIndexThatIsRightOrNone) {
  const std::uint64_t seed = FirstSeed();
  Random random(seed);
  FaultWorld world({.storage = "sqlite", .server = false});
  FillTree(world.tree, 120);
  const std::uint64_t cases = CaseCount(60);
  std::size_t opened = 0;
  for (std::uint64_t run = 0; run < cases; ++run) {
    const std::string what = "seed " + std::to_string(seed) + " run " + std::to_string(run);
    {
      world.Close();
      Child child([&](int out) { WorkForEver(world, out); });
      for (std::size_t wanted = random.Below(4); wanted > 0 && child.Wait(); --wanted) {
      }
      Spin(random.Below(8'000'000));
      const std::string number = std::to_string(random.Below(120));
      world.tree.Write("d0/edited" + number, "needle " + number + "\n");
      child.Kill();
    }
    world.tree.Write("d2/f2" + std::to_string(random.Below(10)) + ".txt", "alpha7 " + what + "\n");
    world.OpenStored();
    ASSERT_TRUE(world.diagnostics.empty()) << what << ": " << world.diagnostics.front();
    ASSERT_NE(world.State(), "CORRUPT") << what << ": " << world.root().status().problem;
    world.ExpectSame(what);
    if (world.root().snapshot()) ++opened;
    if (run % 4 == 0) {
      world.root().Build(false);
      ASSERT_EQ(world.State(), "COMPLETE") << what << ": " << world.root().status().problem;
      world.ExpectSame(what + ", built");
    }
    world.Close();
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(opened, cases / 2) << "an index was hardly ever met";
}

TEST(StorageFault, ASecondWriterReadsAndKeepsItsOwnChangesInMemory) {
  FaultWorld world({.storage = "sqlite"});
  FillTree(world.tree, 60);
  Child child([&](int out) {
    world.OpenStored();
    world.root().Build(false);
    Child::Say(out, world.State() == "COMPLETE" ? "x" : "?");
    for (;;) pause();
  });
  ASSERT_TRUE(child.Wait());
  world.OpenStored();
  EXPECT_EQ(world.State(), "UNCERTAIN/OPEN_REQUIRES_VALIDATION");
  world.ExpectSame("opened beside a writer");
  world.tree.Write("d1/f11.txt", "needle\n");
  world.ExpectSame("changed");
  ASSERT_TRUE(world.Heal());
  world.ExpectSame("reconciled, not stored");
  for (int i = 0; i < 5; ++i) {
    world.tree.Write("d3/f3" + std::to_string(i) + ".txt", "needle\n");
    world.ExpectSame("changed again");
    ASSERT_TRUE(world.Heal());
    world.ExpectSame("indexed again");
  }
  world.Indexed(FaultWorld::Request("nowhere_to_be_found"));
  EXPECT_GT(world.stats.candidates_excluded, 0U);
  child.Kill();
  world.OpenStored();
  ASSERT_TRUE(world.Heal());
  world.ExpectSame("the writer is gone");
}

// One process builds and changes the tree, the other opens and searches.
TEST(StorageFault, AReaderBesideABusyWriterIsRight) {
  FaultWorld world({.storage = "sqlite", .server = false});
  FillTree(world.tree, 60);
  Child child([&](int out) {
    for (world.OpenStored();;) {
      world.root().Build(false);
      Child::Say(out, "x");
    }
  });
  world.write = false;
  for (int round = 0; round < 40; ++round) {
    ASSERT_TRUE(child.Wait());
    const std::string what = "round " + std::to_string(round);
    world.tree.Write("d1/f1" + std::to_string(round % 10) + ".txt", "needle " + what + "\n");
    world.OpenStored();
    world.ExpectSame(what);
    EXPECT_NE(world.State(), "ABSENT") << what << ": " << world.root().status().problem;
  }
}

std::vector<fs::path> FilesOf(const FaultWorld& world, const std::string& extension) {
  std::vector<fs::path> out;
  for (const auto& entry : fs::recursive_directory_iterator(world.cache.root())) {
    if (entry.path().extension() == extension) out.push_back(entry.path());
  }
  return out;
}

// Waits until a write gets another time than the last one.
void AwaitNextTick(const fs::path& path) {
  while (os::FileClockNow() <= os::StatPath(path)->mtime_ns) std::this_thread::yield();
}

void FlipBytes(const fs::path& path, Random& random, std::size_t count) {
  AwaitNextTick(path);
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  const std::size_t size = fs::file_size(path);
  for (std::size_t i = 0; i < count; ++i) {
    const auto at = static_cast<std::streamoff>(random.Below(size));
    file.seekg(at);
    const int byte = file.get();
    file.seekp(at);
    file.put(static_cast<char>(byte ^ (1 + static_cast<int>(random.Below(255)))));
  }
}

// Bytes of a segment change while it is open, and before it is opened.
TEST(StorageFault, ADamagedSegmentIsNoticedAndBuiltAnew) {
  const std::uint64_t seed = FirstSeed();
  for (const char* structure : {"postings", "bloom"}) {
    for (std::uint64_t run = 0; run < 4; ++run) {
      const std::string what = std::string(structure) + " seed " + std::to_string(seed + run);
      Random random(seed + run);
      FaultWorld world({.storage = "sqlite", .structure = structure});
      FillTree(world.tree, 150);
      world.OpenStored();
      ASSERT_TRUE(world.Heal());
      for (const fs::path& path : FilesOf(world, ".seg")) FlipBytes(path, random, run % 2 == 0 ? 1 : 50);
      if (run % 2 == 0) {
        world.ExpectSame(what + ", open");
        ASSERT_EQ(world.State(), "CORRUPT") << what;
        ASSERT_TRUE(world.Heal()) << what;
        world.ExpectSame(what + ", healed");
        world.OpenStored();
        ASSERT_NE(world.State(), "CORRUPT") << what << ": what was built anew is damaged again";
        world.ExpectSame(what + ", healed and reopened");
        continue;
      }
      world.OpenStored();
      EXPECT_EQ(world.State(), "CORRUPT") << what;
      world.ExpectSame(what + ", reopened");
      ASSERT_TRUE(world.Heal()) << what;
      world.ExpectSame(what + ", reopened and healed");
      world.OpenStored();
      world.ExpectSame(what + ", and once more");
    }
  }
}

// Parts that were read and found good are not compared with their checksum
// again.
TEST(StorageFault, BytesThatChangeAfterTheyWereReadAreNoticed) {
  const std::uint64_t seed = FirstSeed();
  for (const char* structure : {"postings", "bloom"}) {
    for (std::uint64_t run = 0; run < CaseCount(4); ++run) {
      const std::string what = std::string(structure) + " seed " + std::to_string(seed + run);
      Random random(seed + run);
      FaultWorld world({.storage = "sqlite", .structure = structure, .server = run % 2 == 0});
      FillTree(world.tree, 150);
      world.OpenStored();
      ASSERT_TRUE(world.Heal());
      world.ExpectSame(what + ", before");
      for (const fs::path& path : FilesOf(world, ".seg")) {
        if (run % 4 == 3) {
          fs::resize_file(path, fs::file_size(path) - 1);
        } else {
          FlipBytes(path, random, 20);
        }
      }
      for (const char* pattern : {"some text", "alpha149", "alpha77", "needle", "text"}) {
        world.ExpectSame(FaultWorld::Request(pattern), what);
      }
      ASSERT_EQ(world.State(), "CORRUPT") << what;
      ASSERT_TRUE(world.Heal()) << what;
      world.ExpectSame(what + ", healed");
    }
  }
}

TEST(StorageFault, ADamagedStoreIsNoticedWhenOpenedAndBuiltAnew) {
  const std::uint64_t seed = FirstSeed();
  struct Damage {
    const char* name;
    const char* extension;
    void (*apply)(const fs::path&, Random&);
    const char* state = "CORRUPT";
  };
  const Damage damages[] = {
      {"segment bytes", ".seg", [](const fs::path& p, Random& r) { FlipBytes(p, r, 2000); }},
      {"segment cut", ".seg", [](const fs::path& p, Random&) { fs::resize_file(p, fs::file_size(p) / 2); }},
      {"segment empty", ".seg", [](const fs::path& p, Random&) { fs::resize_file(p, 0); }},
      {"segment gone", ".seg", [](const fs::path& p, Random&) { fs::remove(p); }},
      {"database bytes", ".db", [](const fs::path& p, Random& r) { FlipBytes(p, r, 500); }},
      {"database cut", ".db", [](const fs::path& p, Random&) { fs::resize_file(p, fs::file_size(p) / 2); }},
      {"database empty", ".db", [](const fs::path& p, Random&) { fs::resize_file(p, 0); }},
      {"database gone", ".db", [](const fs::path& p, Random&) { fs::remove(p); }, "ABSENT"},
  };
  for (const Damage& damage : damages) {
    const std::string what = std::string(damage.name) + " seed " + std::to_string(seed);
    Random random(seed);
    FaultWorld world({.storage = "sqlite", .server = &damage == damages});
    FillTree(world.tree, 150);
    world.OpenStored();
    ASSERT_TRUE(world.Heal());
    world.root().Close();
    world.Close();
    for (const fs::path& path : FilesOf(world, damage.extension)) damage.apply(path, random);
    world.OpenStored();
    EXPECT_EQ(world.State(), damage.state) << what;
    world.ExpectSame(what);
    ASSERT_TRUE(world.Heal()) << what;
    world.ExpectSame(what + ", healed");
    // The next process finds what was built anew, and none of the damage.
    world.OpenStored();
    ASSERT_EQ(world.State(), "UNCERTAIN/OPEN_REQUIRES_VALIDATION") << what << ": " << world.root().status().problem;
    world.ExpectSame(what + ", opened again");
    world.Indexed(FaultWorld::Request("nowhere_to_be_found"));
    EXPECT_EQ(world.stats.candidates_excluded, 150U) << what;
  }
}

// --- no place to store it ---

// What differs from an index that is kept in memory because the disk is full;
// "" if nothing does.
std::string InMemoryForWantOfSpace(FaultWorld& world) {
  const IndexStatus status = world.root().status();
  if (status.storage != IndexStorage::kMemory) return "the index is said to be stored";
  if (status.storage_fallback_reason != StorageFallback::kDiskFull) {
    return "the reason is " + std::string(NameOr(status.storage_fallback_reason, "none"));
  }
  if (status.problem.find("no space left") == std::string::npos) return "nothing is said of the disk";
  for (const char* pattern : {"needle", "alpha7", "nowhere_to_be_found"}) {
    const SearchRequest request = FaultWorld::Request(pattern);
    if (world.Indexed(request) != world.Plain(request)) return "another answer while " + world.State();
  }
  if (world.stats.storage_fallback_reason != StorageFallback::kDiskFull) return "the stats do not say why";
  if (world.State() != "COMPLETE") return "state " + world.State();
  return world.stats.candidates_excluded > 0 ? "" : "nothing is excluded";
}

std::string BuildOnASmallDisk(FaultWorld& world) {
  world.OpenStored();
  world.root().Build(false);
  world.root().SettleNow();
  if (std::string wrong = InMemoryForWantOfSpace(world); !wrong.empty()) return wrong;
  world.tree.Write("d1/f11.txt", "needle " + std::string(2000, 'y') + "\n");
  if (!world.Heal()) return "not updated: " + world.State();
  if (std::string wrong = InMemoryForWantOfSpace(world); !wrong.empty()) return "updated: " + wrong;
  fs::remove(world.cache.Path("ballast"));
  for (int i = 0; i < 10 && world.Step();) ++i;
  const bool again = world.config.index.retry_on_failure;
  if (world.root().status().storage != (again ? IndexStorage::kSqlite : IndexStorage::kMemory))
    return "stored again, or not";
  if (again && world.root().status().storage_fallback_reason) return "a reason that is gone";
  // The next process stores it.
  world.OpenStored();
  if ((world.State() == "UNCERTAIN/OPEN_REQUIRES_VALIDATION") != again) return "opened as " + world.State();
  if (!world.Heal()) return "not healed: " + world.State() + ", " + world.root().status().problem;
  world.OpenStored();
  if (world.State() != "UNCERTAIN/OPEN_REQUIRES_VALIDATION") return "not stored: " + world.State();
  const SearchRequest request = FaultWorld::Request("needle");
  return world.Indexed(request) == world.Plain(request) ? "" : "another answer when healed";
}

// `index build` must store the index, and reports that it could not.
std::string BuildByCommandOnASmallDisk(FaultWorld& world) {
  Command command;
  command.argv = {ProgramPath(), "index", "build", "--root", world.tree.root(), "--backend", "native"};
  command.env = {
      {"PATH", "/usr/bin:/bin"}, {"HOME", world.cache.root()}, {"FORGE_SEARCH_INDEX_PATH", world.config.index.path}};
  const Ended full = RunProgram(command);
  if (full.exit_code != 2) return "exit code " + std::to_string(full.exit_code);
  if (full.err.find("no space left") == std::string::npos) return "it says " + full.err;
  fs::remove(world.cache.Path("ballast"));
  const Ended enough = RunProgram(command);
  return enough.exit_code == 0 ? "" : "not healed: " + enough.err;
}

// Runs in a process that sees a disk of 2 MB at the cache folder, with only
// `left` bytes free.
void OnASmallDisk(FaultWorld& world, std::size_t left, std::string (*test)(FaultWorld&)) {
  const Child child([&](int out) {
    if (unshare(CLONE_NEWNS) != 0 || mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
        mount("tmpfs", world.cache.root().c_str(), "tmpfs", 0, "size=2m,mode=0700") != 0) {
      return Child::Say(out, "not permitted");
    }
    if (left < 2 << 20) world.cache.Write("ballast", std::string((2 << 20) - left, 'x'));
    Child::Say(out, test(world));
  });
  const std::string said = child.Rest();
  if (said == "not permitted") GTEST_SKIP() << "NOT TESTED: a full disk; this needs the right to mount a tmpfs";
  EXPECT_EQ(said, "");
}

TEST(StorageFault, OnAFullDiskTheIndexIsInMemory) {
  // The first segment does not fit, or the database.
  for (const std::size_t left : {20'000U, 50'000U, 90'000U}) {
    for (const bool again : {false, true}) {
      SCOPED_TRACE(std::to_string(left) + (again ? ", tried again" : ""));
      FaultWorld world({.storage = "sqlite"});
      world.config.index.retry_on_failure = again;
      FillTree(world.tree, 300);
      OnASmallDisk(world, left, BuildOnASmallDisk);
    }
  }
}

TEST(StorageFault, OnAFullDiskTheCommandFails) {
  FaultWorld world({.storage = "sqlite"});
  FillTree(world.tree, 300);
  OnASmallDisk(world, 90'000, BuildByCommandOnASmallDisk);
}

// The disk becomes full when the index is complete and files change.
std::string UpdateOnASmallDisk(FaultWorld& world) {
  world.OpenStored();
  if (!world.Heal()) return "no index: " + world.State();
  for (std::ofstream ballast(world.cache.Path("ballast")); ballast;) ballast << std::string(4096, 'x') << std::flush;
  const SearchRequest request = FaultWorld::Request("needle");
  for (int i = 0; i < 200 && world.root().status().storage == IndexStorage::kSqlite; ++i) {
    world.tree.Write("d1/f1" + std::to_string(i % 10) + ".txt", "needle " + std::string(2000, 'y') + "\n");
    if (world.Indexed(request) != world.Plain(request)) return "another answer while " + world.State();
    world.Step();
    if (world.State() != "COMPLETE") return "state " + world.State();
  }
  if (std::string wrong = InMemoryForWantOfSpace(world); !wrong.empty()) return wrong;
  using Need = indexer::Need;
  // On a slow machine, a changed file may be due (kMaintain).
  if (world.root().need(os::FileClockNow()) == Need::kStoreAgain) return "tried again at once";
  if (world.root().need(os::FileClockNow() + 61'000'000'000) != Need::kStoreAgain) return "never tried again";
  fs::remove(world.cache.Path("ballast"));
  // What was stored before is still there.
  world.OpenStored();
  if (world.State() != "UNCERTAIN/OPEN_REQUIRES_VALIDATION") return "not stored: " + world.State();
  if (world.Indexed(request) != world.Plain(request)) return "another answer when opened";
  if (!world.Heal()) return "not healed: " + world.State() + ", " + world.root().status().problem;
  return world.Indexed(request) == world.Plain(request) ? "" : "another answer when healed";
}

TEST(StorageFault, OnADiskThatFillsUpTheIndexGoesOnInMemory) {
  FaultWorld world({.storage = "sqlite"});
  FillTree(world.tree, 100);
  OnASmallDisk(world, 2 << 20, UpdateOnASmallDisk);
}

TEST(StorageFault, AReadOnlyCacheFolderMeansAnIndexInMemory) {
  FaultWorld world({.storage = "sqlite"});
  FillTree(world.tree, 40);
  fs::create_directory(world.cache.Path("index"));
  for (const std::string& path : {world.tree.root(), world.cache.root()}) chmod(path.c_str(), 0755);
  chmod(world.cache.Path("index").c_str(), 0555);
  const std::string said = AsNobody([&]() -> std::string {
    world.OpenStored();
    if (world.diagnostics.empty()) return "no diagnostic";
    world.root().Build(false);  // not complete if git's rules of the other user cannot be read
    const SearchRequest request = FaultWorld::Request("needle");
    if (world.Indexed(request) != world.Plain(request)) return "another answer";
    if (!world.root().snapshot()) return "no index: " + world.State();
    if (world.stats.storage_mode != IndexStorage::kMemory) return "it is not in memory";
    return std::string(NameOr(world.stats.storage_fallback_reason, "no reason"));
  });
  EXPECT_EQ(said, "PERMISSION_DENIED");
}

// LSI 4.2.2: what hides files is said as such, not as a fault of the watcher.
TEST(StorageFault, AFolderThatCannotBeListed) {
  FaultWorld world;
  world.config.index.default_no_ignore = true;  // git's rules of the other user cannot be read
  FillTree(world.tree, 40);
  world.tree.Write("closed/f", "needle\n");
  chmod(world.tree.root().c_str(), 0755);
  chmod(world.tree.Path("closed").c_str(), 0700);
  const std::string said = AsNobody([&]() -> std::string {
    world.Open();
    world.root().Build(false);
    SearchRequest request = FaultWorld::Request("needle");
    request.no_ignore = true;
    if (world.Indexed(request) != world.Plain(request)) return "another answer";
    for (const IndexReason cause : world.root().status().causes) {
      if (cause == IndexReason::kWatcherDown) return "the watcher is said to be down";
    }
    const auto& causes = world.root().status().causes;
    const bool told = std::find(causes.begin(), causes.end(), IndexReason::kEnumerationError) != causes.end();
    return told ? world.root().status().problem : "not told: " + world.State();
  });
  EXPECT_THAT(said, ::testing::HasSubstr("closed"));
  EXPECT_THAT(said, ::testing::HasSubstr("Permission denied"));
}

// --- clocks ---

void SetTimes(const std::string& path, std::int64_t seconds_ahead) {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  now.tv_sec += seconds_ahead;
  const timespec times[2] = {now, now};
  ASSERT_EQ(utimensat(AT_FDCWD, path.c_str(), times, 0), 0) << path;
}

// Files with a time of tomorrow, as after the clock was set back.
TEST(StorageFault, FilesFromTheFutureAreSearchedAndDoNotKeepItBusy) {
  for (const char* storage : {"memory", "sqlite"}) {
    FaultWorld world({.storage = storage});
    FillTree(world.tree, 40);
    for (int i = 0; i < 10; ++i) {
      SetTimes(world.tree.Path("d0/f" + std::to_string(i) + ".txt"), 86'400);
      SetTimes(world.tree.Path("d1/f1" + std::to_string(i) + ".txt"), -86'400);
    }
    world.OpenStored();
    world.root().Build(false);
    world.root().SettleNow();
    EXPECT_EQ(world.State(), "COMPLETE");
    world.ExpectSame("from the future");
    // After a while, nothing is left to do but the sweep that follows each
    // search for two minutes, because tomorrow has not come yet.
    EXPECT_EQ(world.root().need(os::FileClockNow() + 60'000'000'000), indexer::Need::kSweep);
    EXPECT_EQ(world.root().need(os::FileClockNow() + 180'000'000'000), indexer::Need::kNothing);
    world.tree.Write("d0/f3.txt", "needle\n");
    SetTimes(world.tree.Path("d0/f3.txt"), 86'400);
    world.ExpectSame("written, from the future");
    world.tree.Write("d0/f4.txt", "needle\n");
    SetTimes(world.tree.Path("d0/f4.txt"), -86'400);
    world.ExpectSame("written, from the past");
    ASSERT_EQ(world.root().status().state, IndexState::kComplete);
    world.OpenStored();
    world.ExpectSame("reopened");
  }
}

TEST(StorageFault, AnIgnoreFileFromTheFutureDoesNotKeepTheIndexInDoubt) {
  FaultWorld world;
  FillTree(world.tree, 20);
  for (const char* path : {".gitignore", ".git/info/exclude"}) {
    world.tree.Write(path, "d1\n");
    SetTimes(world.tree.Path(path), 86'400);
  }
  world.Open();
  ASSERT_TRUE(world.Heal());
  world.ExpectSame("an ignore file from the future");
  EXPECT_EQ(world.State(), "COMPLETE");
  world.tree.Write(".gitignore", "d0\n");
  SetTimes(world.tree.Path(".gitignore"), 86'400);
  world.ExpectSame("changed");
  ASSERT_TRUE(world.Heal());
  world.ExpectSame("healed");
}

}  // namespace
}  // namespace forge::testing
