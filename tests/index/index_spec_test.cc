// The tests that the specification of the index names, as searches.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include "index/snapshot/exclusion.h"
#include "tests/equivalence/world.h"
#include "tests/index/fault_world.h"
#include "tests/testing/fake_watcher.h"
#include "tests/testing/open_watch.h"

namespace forge::testing {
namespace {

namespace fs = std::filesystem;

SearchRequest Nowhere() { return FaultWorld::Request("nowhere_to_be_found"); }

void ExpectNothingExcluded(FaultWorld& world, const std::string& what) {
  for (const char* pattern : {"needle", "nowhere_to_be_found", "alpha1\\d"}) {
    world.ExpectSame(FaultWorld::Request(pattern), what);
    EXPECT_EQ(world.stats.candidates_excluded, 0U) << what;
    EXPECT_FALSE(world.stats.index_exclusion_used) << what;
  }
}

void ExpectExcluding(FaultWorld& world, const std::string& what) {
  world.ExpectSame(what);
  world.ExpectSame(Nowhere(), what);
  EXPECT_GT(world.stats.candidates_excluded, 0U) << what;
  EXPECT_TRUE(world.stats.index_exclusion_used) << what;
}

TEST(T_LSI_BASE_01, IndexingOffIsTheBaseline) {
  FaultWorld world;
  FillTree(world.tree, 40);
  world.config.index.mode = IndexMode::kOff;
  world.OpenOff();
  world.ExpectSame(Nowhere(), "off");
  world.ExpectSame(FaultWorld::Request("needle"), "off");
  EXPECT_EQ(world.stats.index_safety_state, IndexState::kDisabled);
  EXPECT_EQ(world.stats.storage_mode, std::nullopt);
  EXPECT_EQ(world.stats.candidates_excluded, 0U);
  EXPECT_TRUE(fs::is_empty(world.cache.root())) << "nothing is written";
}

TEST(T_LSI_BASE_02, AnIndexThatIsThereButOffExcludesNothing) {
  FaultWorld world({.storage = "sqlite"});
  FillTree(world.tree, 40);
  world.Open();
  ASSERT_TRUE(world.Heal());
  ExpectExcluding(world, "on");
  world.config.index.mode = IndexMode::kOff;
  world.OpenOff();
  world.ExpectSame(Nowhere(), "off");
  world.ExpectSame(FaultWorld::Request("needle"), "off");
  EXPECT_FALSE(world.stats.index_exclusion_used);
  EXPECT_EQ(world.stats.candidates_excluded, 0U);
}

TEST(T_LSI_DET_01, TheSameRequestHasTheSameAnswerAndTheSameCut) {
  FaultWorld world;
  FillTree(world.tree, 200);
  world.Open();
  for (const std::int64_t most : {1, 7, 28, 29, 30, 1000}) {
    SearchRequest request = FaultWorld::Request("needle");
    request.max_results = most;
    request.context = 1;
    const std::string expected = world.Plain(request);
    for (int i = 0; i < 5; ++i) ASSERT_EQ(world.Indexed(request), expected) << world.State();
    if (world.State() != "COMPLETE") {
      ASSERT_TRUE(world.Heal());
    }
    for (int i = 0; i < 5; ++i) ASSERT_EQ(world.Indexed(request), expected) << world.State();
  }
}

TEST(T_LSI_SAFE_01, AfterAnOverflowNothingIsExcludedUntilReconciled) {
  FaultWorld world;
  FillTree(world.tree, 40);
  auto owned = std::make_unique<FakeWatcher>();
  FakeWatcher& watcher = *owned;
  world.OpenWith(std::move(owned));
  ASSERT_TRUE(world.Heal());
  ExpectExcluding(world, "before");
  watcher.Push({.kind = os::WatchEvent::Kind::kOverflow});
  ExpectNothingExcluded(world, "overflow");
  EXPECT_EQ(world.stats.index_safety_state, IndexState::kUncertain);
  EXPECT_EQ(world.stats.index_uncertain_reason, IndexReason::kWatcherOverflow);
  ASSERT_TRUE(world.root().Reconcile());
  world.root().SettleNow();
  ExpectExcluding(world, "reconciled");
  EXPECT_EQ(world.stats.index_safety_state, IndexState::kComplete);
}

// By fingerprints: only changed files are indexed again (A15).
TEST(T_SFI_06, AReconcileRestoresWhatAnOverflowLost) {
  FaultWorld world;
  FillTree(world.tree, 40);
  auto owned = std::make_unique<FakeWatcher>();
  FakeWatcher& watcher = *owned;
  world.OpenWith(std::move(owned));
  ASSERT_TRUE(world.Heal());
  // Changed, new and deleted files, and no event says which.
  world.tree.Write("d1/f11.txt", "needle and thread\n");
  world.tree.Write("fresh/f", "needle\n");
  world.tree.Remove("d2");
  watcher.Push({.kind = os::WatchEvent::Kind::kOverflow});
  ExpectNothingExcluded(world, "overflow");
  world.ExpectSame("overflow");
  ASSERT_TRUE(world.root().Reconcile());
  EXPECT_EQ(world.State(), "COMPLETE");
  EXPECT_EQ(world.root().status().files_done, 2U) << "what did not change is not read again";
  world.ExpectSame("reconciled");
  world.root().SettleNow();
  world.ExpectSame("settled");
  EXPECT_EQ(world.root().status().indexed_files, 31U);
  ExpectExcluding(world, "settled");
}

TEST(T_LSI_SAFE_02, AChangedIgnoreFileForbidsExclusionUntilReconciled) {
  FaultWorld world;
  FillTree(world.tree, 40);
  world.tree.Write(".git/HEAD", "ref: refs/heads/main\n");
  world.tree.Write(".gitignore", "d1\n");
  world.Open();
  ASSERT_TRUE(world.Heal());
  ExpectExcluding(world, "before");
  for (const char* path : {".gitignore", "d2/.gitignore", ".ignore", ".git/info/exclude"}) {
    world.tree.Write(path, "d3\nf21.txt\n");
    ExpectNothingExcluded(world, path);
    EXPECT_EQ(world.stats.index_safety_state, IndexState::kUncertain) << path;
    EXPECT_EQ(world.stats.index_uncertain_reason, IndexReason::kEligibilityChanged) << path;
    ASSERT_TRUE(world.Heal()) << path;
    ExpectExcluding(world, path);
  }
}

// Rules that no watch of their own folder reports.
TEST(T_LSI_SAFE_02, AnIgnoreFileThatIsWrittenUnderAnotherNameIsSeen) {
  FaultWorld world;
  FillTree(world.tree, 40);
  world.tree.Write(".ignore", "d1\n");
  fs::create_hard_link(world.tree.Path(".ignore"), world.tree.Path("d2/other"));
  world.Open();
  ASSERT_TRUE(world.Heal());
  ExpectExcluding(world, "before");
  std::ofstream(world.tree.Path("d2/other")) << "d3\n";
  ExpectNothingExcluded(world, "written under another name");
  ASSERT_TRUE(world.Heal());
  ExpectExcluding(world, "healed");
}

TEST(T_LSI_SAFE_02, TheRulesOfARepositoryThatWasMovedInAreSeen) {
  FaultWorld world;
  FillTree(world.tree, 40);
  const TempTree outside;
  outside.Write("module/.git/HEAD", "ref: refs/heads/main\n");
  outside.Write("module/a.txt", "alpha\n");
  outside.Write("module/b.txt", "alpha\n");
  world.Open();
  ASSERT_TRUE(world.Heal());
  fs::rename(outside.Path("module"), world.tree.Path("module"));
  world.ExpectSame("moved in");
  ASSERT_TRUE(world.Heal());
  ExpectExcluding(world, "healed");
  world.tree.Write("module/.git/info/exclude", "b.txt\n");
  ExpectNothingExcluded(world, "excluded");
}

TEST(T_LSI_SAFE_03, AReconcileOverItsBudgetLeavesTheDoubt) {
  FaultWorld world;
  FillTree(world.tree, 40);
  world.config.index.reconcile_max_files = 10;
  world.Open();
  world.root().Build(false);
  world.tree.Write(".gitignore", "d3\n");
  world.tree.Write(".git/HEAD", "ref: refs/heads/main\n");
  ExpectNothingExcluded(world, "changed");
  EXPECT_FALSE(world.root().Reconcile());
  ExpectNothingExcluded(world, "over budget");
  EXPECT_EQ(world.stats.index_safety_state, IndexState::kUncertain);
  // F8: a build does what a reconcile could not.
  ASSERT_TRUE(world.Heal());
  ExpectExcluding(world, "built");
}

TEST(T_LSI_SAFE_05, APartialIndexExcludesNothing) {
  for (const char* storage : {"memory", "sqlite"}) {
    FaultWorld world({.storage = storage});
    FillTree(world.tree, 40);
    world.config.index.build_max_files = 10;
    world.Open();
    world.root().Build(false);
    ExpectNothingExcluded(world, storage);
    EXPECT_EQ(world.stats.index_safety_state, IndexState::kUncertain);
    EXPECT_EQ(world.stats.index_uncertain_reason, IndexReason::kBuildBudgetExceeded);
    // Nor is it built again by itself, with the same limit; only measured.
    const std::uint64_t indexed = world.root().status().indexed_files;
    for (int i = 0; i < 3; ++i) world.root().Work(os::FileClockNow() + 3'700'000'000'000, false);
    EXPECT_EQ(world.root().status().indexed_files, indexed);
    EXPECT_EQ(world.State(), "UNCERTAIN/BUILD_BUDGET_EXCEEDED");
  }
}

// FR-LSI-BUD-INIT-02: in the next process, too, whether it watches or not.
TEST(T_LSI_SAFE_05, TheNextProcessKnowsThatTheIndexIsPartial) {
  for (const bool server : {true, false}) {
    FaultWorld world({.storage = "sqlite", .server = server});
    FillTree(world.tree, 40);
    world.config.index.build_max_files = 10;
    world.OpenStored();
    world.root().Build(false);
    world.root().Close();
    for (int process = 0; process < 2; ++process) {
      world.OpenStored();
      EXPECT_EQ(world.State(), "UNCERTAIN/BUILD_BUDGET_EXCEEDED");
      EXPECT_EQ(world.root().status().segments, 1U) << "what was read is kept";
      ExpectNothingExcluded(world, "opened");
      EXPECT_EQ(world.stats.index_uncertain_reason, IndexReason::kBuildBudgetExceeded);
      world.root().Close();
    }
    world.config.index.build_max_files = 0;
    world.OpenStored();
    world.root().Build(false);
    world.root().SettleNow();
    world.root().Close();
    ExpectExcluding(world, "built");
    world.OpenStored();
    EXPECT_EQ(world.State(), "UNCERTAIN/OPEN_REQUIRES_VALIDATION");
    ExpectExcluding(world, "built and opened");
  }
}

TEST(T_LSI_SAFE_06, ATreeThatGrewIsBuilt) {
  FaultWorld world;
  FillTree(world.tree, 10);
  world.config.index.mode = IndexMode::kAuto;
  world.config.index.auto_threshold_files = 20;
  world.config.index.auto_reeval_calls = 5;
  world.Open();
  world.Step();
  EXPECT_EQ(world.State(), "DISABLED/BELOW_THRESHOLD");
  FillTree(world.tree, 40);
  for (int i = 0; i < 5; ++i) world.ExpectSame(FaultWorld::Request("needle"), "grown");
  ASSERT_TRUE(world.Step());
  EXPECT_EQ(world.State(), "COMPLETE");
  world.root().SettleNow();
  ExpectExcluding(world, "built");
}

// A16: a cache folder that may not be used means an index in memory.
TEST(T_LSI_SAFE_07, WithoutPermissionToPersistTheIndexIsInMemory) {
  FaultWorld world({.storage = "sqlite"});
  FillTree(world.tree, 40);
  world.config.index.path = world.tree.Path("cache_in_the_tree");
  world.Open();
  EXPECT_THAT(world.diagnostics, ::testing::Not(::testing::IsEmpty()));
  ASSERT_TRUE(world.Heal());
  ExpectExcluding(world, "in memory");
  EXPECT_EQ(world.stats.storage_mode, IndexStorage::kMemory);
  EXPECT_EQ(world.stats.storage_fallback_reason, StorageFallback::kInsideIndexRoot);
  EXPECT_FALSE(fs::exists(world.tree.Path("cache_in_the_tree"))) << "nothing is written inside the tree";
}

// Some 1 MB of paths, on every backend there is.
TEST(T_LSI_EXE_01, ALongListOfCandidatesIsSearchedInOrder) {
  FaultWorld world;
  const std::string longer(240, 'p');
  for (int i = 0; i < 2000; ++i) {
    world.tree.Write(longer + std::to_string(i % 10) + "/" + longer + std::to_string(i), "needle\n");
  }
  world.tree.Write("other", "something else\n");
  for (const char* binary : {"native", "ugrep", "rg"}) {
    world.config.binary = binary;
    if (!world.HasBackend()) continue;
    world.Open();
    ASSERT_TRUE(world.Heal());
    SearchRequest request = FaultWorld::Request("needle");
    request.max_results = 10'000;
    world.ExpectSame(request, binary);
    EXPECT_EQ(world.stats.candidates_scanned, 2000U) << binary;
    EXPECT_EQ(world.stats.candidates_excluded, 1U) << binary;
  }
}

// E23: in the catalog or not, a file with a newline in its name is searched.
TEST(T_LSI_PATH_01, ANewlineInANameHidesNothing) {
  FaultWorld world;
  FillTree(world.tree, 20);
  world.tree.Write("new\nline", "needle\n");
  world.tree.Write("fol\nder/f", "alpha77\n");
  world.Open();
  ASSERT_TRUE(world.Heal());
  ExpectExcluding(world, "indexed");
  EXPECT_THAT(world.Indexed(FaultWorld::Request("alpha77")), ::testing::HasSubstr("fol\\nder/f"));
  world.tree.Write("fol\nder/f", "needle\n");
  world.ExpectSame("changed");
}

TEST(T_LSI_PATH_02, NamesThatAreNotUtf8AreFoundInOrder) {
  FaultWorld world;
  FillTree(world.tree, 20);
  for (const char* name : {"\xff\xfe", "a\x80", "a\x81", "\xc3\xa9", "e\xcc\x81", "d0/\xf0\x9f"}) {
    world.tree.Write(name, std::string("needle ") + name + "\n");
  }
  world.Open();
  ASSERT_TRUE(world.Heal());
  ExpectExcluding(world, "indexed");
  EXPECT_THAT(world.Indexed(FaultWorld::Request("needle")), ::testing::HasSubstr("a\uFFFD"));
  world.tree.Write("a\x80", "alpha99\n");
  world.ExpectSame(FaultWorld::Request("alpha99"), "changed");
  world.tree.Remove("a\x81");
  world.ExpectSame("removed");
}

TEST(T_LSI_PATH_04, LinksDoNotLeadOut) {
  for (const bool follow : {false, true}) {
    const TempTree outside;
    outside.Write("f", "needle outside\n");
    FaultWorld world;
    FillTree(world.tree, 20);
    world.tree.Link(outside.root(), "out");
    world.tree.Link(outside.Path("f"), "out_file");
    world.tree.Link("d1", "inside");
    world.tree.Link("missing", "broken");
    world.config.index.default_follow = follow;
    world.Open();
    // An index never follows links (A9), and says so if it is asked to.
    EXPECT_EQ(world.diagnostics.size(), follow ? 1U : 0U);
    ASSERT_TRUE(world.Heal());
    ExpectExcluding(world, "not followed");
    for (const bool asked : {false, true}) {
      for (const char* pattern : {"needle", "nowhere_to_be_found", "alpha1\\d"}) {
        SearchRequest request = FaultWorld::Request(pattern);
        request.follow = asked;
        world.ExpectSame(request, std::string("follow ") + (follow ? "indexed" : "not indexed"));
        EXPECT_THAT(world.Indexed(request), ::testing::Not(::testing::HasSubstr("needle outside")));
        EXPECT_EQ(world.stats.index_exclusion_used, !asked);
        if (asked) {
          EXPECT_EQ(world.stats.index_bypass_reason, BypassReason(Bypass::kKeyDiffers));
        }
      }
    }
    // A folder of the catalog becomes a link to the outside.
    fs::remove_all(world.tree.Path("d0"));
    world.tree.Link(outside.root(), "d0");
    world.ExpectSame("replaced by a link");
    EXPECT_THAT(world.Indexed(FaultWorld::Request("needle")), ::testing::Not(::testing::HasSubstr("outside")));
  }
}

// Denied files are never read, neither by the index nor by a search.
TEST(T_LSI_SEC_01, WhatIsDeniedIsNeitherReadNorIndexed) {
  FaultWorld world({.storage = "sqlite"});
  world.denies = {"*.secret", "vault/"};
  FillTree(world.tree, 20);
  world.tree.Write("a.secret", "needle classified\n");
  world.tree.Write("vault/deep/f", "needle classified\n");
  const testing::OpenWatch secret(world.tree.Path("a.secret"));
  const testing::OpenWatch vault(world.tree.Path("vault/deep/f"));
  const testing::OpenWatch allowed(world.tree.Path("d0/f0.txt"));
  world.Open();
  ASSERT_TRUE(world.Heal());
  ExpectExcluding(world, "indexed");
  EXPECT_THAT(world.Indexed(FaultWorld::Request("needle")), ::testing::Not(::testing::HasSubstr("classified")));
  const index::Catalog& catalog = world.root().snapshot()->catalog;
  for (std::size_t p = 0; p < catalog.pages(); ++p) {
    for (std::size_t i = 0; i < catalog.page(p).size(); ++i) {
      const index::PackedRow& row = catalog.page(p).row(i);
      const std::string path(catalog.page(p).path(i));
      const bool denied = path.starts_with("vault") || path.ends_with(".secret");
      EXPECT_EQ(row.kind == index::CatalogRow::Kind::kDenied, denied) << path;
      EXPECT_TRUE(!denied || row.docs.count == 0) << path;
    }
  }
  EXPECT_FALSE(secret.opened());
  EXPECT_FALSE(vault.opened());
  EXPECT_TRUE(allowed.opened()) << "or this proves nothing";
  // Files that were allowed when they were indexed and are denied now (I6).
  world.denies.push_back("f1*.txt");
  world.OpenStored();
  EXPECT_EQ(world.State(), "UNCERTAIN/POLICY_CHANGED");
  world.ExpectSame("another policy");
  EXPECT_THAT(world.Indexed(FaultWorld::Request("alpha1\\d")), ::testing::Not(::testing::HasSubstr("f15.txt\"")));
  ASSERT_TRUE(world.Heal());
  world.ExpectSame("another policy, healed");
}

// Searching and indexing leave no sign of a read or a write in the tree: they
// create nothing, and change no stamps.
TEST(T_LSI_SEC_02, ASearchLeavesTheTreeAsItWas) {
  FaultWorld world({.storage = "sqlite"});
  FillTree(world.tree, 20);
  const auto look = [&] {
    std::set<std::string> out;
    for (const auto& entry : fs::recursive_directory_iterator(world.tree.root())) {
      struct stat info;
      EXPECT_EQ(lstat(entry.path().c_str(), &info), 0);
      out.insert(entry.path().string() + " " + std::to_string(info.st_mtim.tv_sec) + "." +
                 std::to_string(info.st_mtim.tv_nsec) + " " + std::to_string(info.st_ctim.tv_sec) + "." +
                 std::to_string(info.st_ctim.tv_nsec) + " " + std::to_string(info.st_ino));
    }
    return out;
  };
  const auto before = look();
  world.Open();
  ASSERT_TRUE(world.Heal());
  ExpectExcluding(world, "indexed");
  world.OpenStored();
  world.ExpectSame("reopened");
  EXPECT_EQ(look(), before);
}

// SEC-LSI-CACHE-01: a search leaves no record of the files that it read, by which an edit
// could later pass for one of a file that was read: it writes nothing into the cache.
TEST(T_LSI_SEC_02, ASearchIsNotRecorded) {
  FaultWorld world({.storage = "sqlite", .server = false});
  FillTree(world.tree, 20);
  world.OpenStored();
  world.root().Build(false);
  world.root().SettleNow();
  world.Close();
  const auto look = [&] {
    std::map<std::string, std::string> out;
    for (const auto& entry : fs::directory_iterator(world.config.index.path)) {
      const std::string name = entry.path().filename().string();
      // A reader leaves SQLite's lock bytes, and an empty log.
      if (entry.path().extension() == ".db-shm") continue;
      if (entry.path().extension() == ".db-wal" && fs::is_empty(entry.path())) continue;
      out[name] = world.cache.Read("index/" + name);
    }
    return out;
  };
  const auto before = look();
  ASSERT_FALSE(before.empty());
  for (const bool write : {false, true}) {
    world.write = write;
    world.OpenStored();
    EXPECT_NE(world.Indexed(FaultWorld::Request("needle")).find("needle"), std::string::npos);
    world.Close();
    const auto after = look();
    for (const auto& [name, bytes] : after) {
      // The writer's lock has the number of its process; SQLite's log is moved at the end.
      if (write && (name.ends_with(".lock") || name.ends_with(".db-wal"))) continue;
      EXPECT_TRUE(before.contains(name) && before.at(name) == bytes) << name << (write ? ", written" : "");
    }
  }
}

// The note of the specification: search with exclusion, then search each file
// that was left out by itself, without an index.
TEST(T_LSI_BLOOM_02, FilesThatWereLeftOutHoldNoMatch) {
  const std::uint64_t seed = FirstSeed();
  std::size_t left_out = 0;
  for (const char* structure : {"postings", "bloom"}) {
    for (std::uint64_t number = seed; number < seed + 6; ++number) {
      Random random(number);
      FaultWorld world({.structure = structure});
      MakeTree(random, world.tree);
      world.Open();
      ASSERT_TRUE(world.Heal());
      const index::SnapshotPtr snapshot = world.root().snapshot();
      for (int i = 0; i < 25; ++i) {
        SearchRequest request = MakeRequest(random);
        request.path = ".";
        request.include_glob.clear();
        request.exclude_glob.clear();
        request.fuzzy.reset();
        request.context = 0;
        request.max_results.reset();
        const auto pattern =
            Pattern::Compile({request.pattern, request.fixed_strings, request.word_regexp, request.case_mode});
        if (!pattern) continue;
        index::TokenQuery query;
        query.ignore_case = pattern->ignores_case();
        query.plan = pattern->plan();
        query.literal = pattern->literal();
        index::Exclusion test(snapshot, query);
        ASSERT_TRUE(test.AskAll().ok());
        const index::Catalog& catalog = snapshot->catalog;
        for (std::size_t p = 0; p < catalog.pages(); ++p) {
          for (std::size_t row = 0; row < catalog.page(p).size(); ++row) {
            const index::PackedRow& packed = catalog.page(p).row(row);
            if (packed.kind != index::CatalogRow::Kind::kFile || test.MayMatch(packed)) continue;
            ++left_out;
            request.path = catalog.page(p).path(row);
            EXPECT_THAT(world.Plain(request), ::testing::Not(::testing::HasSubstr("\"type\":\"match\"")))
                << structure << " seed " << number << " " << request.path << " " << request.pattern;
          }
        }
      }
    }
  }
  EXPECT_GT(left_out, 200U);
  std::printf("%zu files were left out, seed %llu\n", left_out, static_cast<unsigned long long>(seed));
}

}  // namespace
}  // namespace forge::testing
