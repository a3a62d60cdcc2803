#include "tree/walk.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <cerrno>
#include <filesystem>
#include <thread>

#include "tests/testing/temp_tree.h"
#include "tests/testing/unprivileged.h"
#include "tree/walk_testing.h"

namespace forge {
namespace {

using ::testing::ElementsAre;
using testing::Globs;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::SandboxOf;
using testing::TempTree;
using testing::WalkAll;

TEST(Walk, AnEmptyTreeHasNoEntries) {
  const TempTree tree;
  EXPECT_THAT(WalkAll(tree.root()), IsEmpty());
}

TEST(Walk, FoldersStandWhereTheirContentDoes) {
  const TempTree tree;
  for (const char* path : {"a-b", "a/x", "a.c", "a/b/c", "a0", "b/y"}) tree.Write(path, "");
  EXPECT_THAT(WalkAll(tree.root()), ElementsAre("a-b", "a.c", "a/b/c", "a/x", "a0", "b/y"));
}

TEST(Walk, HiddenNamesAreSkippedUnlessAsked) {
  const TempTree tree;
  for (const char* path : {".h", ".d/x", "a", "d/.h"}) tree.Write(path, "");
  EXPECT_THAT(WalkAll(tree.root()), ElementsAre("a"));
  EXPECT_THAT(WalkAll(tree.root(), {.rules = {.traversal = {.hidden = true}}}), ElementsAre(".d/x", ".h", "a", "d/.h"));
  EXPECT_THAT(WalkAll(tree.Path(".d")), ElementsAre("x"));  // not the root itself
}

TEST(Walk, NotRecursiveMeansDirectChildren) {
  const TempTree tree;
  for (const char* path : {"a", "d/x", "e.pem/x"}) tree.Write(path, "");
  EXPECT_THAT(WalkAll(tree.root(), {.rules = {.recursive = false}}), ElementsAre("a"));
}

TEST(Walk, GlobsFilter) {
  const TempTree tree;
  for (const char* path : {"a.c", "a.h", "src/b.c", "src/sub/c.h", "x/src/d.txt", "out/e.c"}) tree.Write(path, "");
  const auto with = [&](std::vector<std::string> include, std::vector<std::string> exclude) {
    return WalkAll(tree.root(), {.rules = {.include = Globs(include), .exclude = Globs(exclude)}});
  };
  EXPECT_THAT(with({"*.c"}, {}), ElementsAre("a.c", "out/e.c", "src/b.c"));
  EXPECT_THAT(with({"*.c"}, {"out"}), ElementsAre("a.c", "src/b.c"));
  EXPECT_THAT(with({"*.c"}, {"out/"}), ElementsAre("a.c", "src/b.c"));
  EXPECT_THAT(with({"*.c"}, {"src/**"}), ElementsAre("a.c", "out/e.c"));
  EXPECT_THAT(with({"src/"}, {}), ElementsAre("src/b.c", "src/sub/c.h", "x/src/d.txt"));
  EXPECT_THAT(with({"/src/"}, {"*.h"}), ElementsAre("src/b.c"));
  EXPECT_THAT(with({"src"}, {}), IsEmpty());
  EXPECT_THAT(with({"/a.*"}, {"*.h"}), ElementsAre("a.c"));
}

TEST(Walk, DeniedEntriesAreSaidAndNotEntered) {
  const TempTree tree;
  for (const char* path : {"a.pem", "b", "k.key/x", "s/.ssh/id", "v/secret/x"}) tree.Write(path, "");
  SandboxConfig config;
  config.denied_patterns = {"v/secret/**"};
  const Sandbox sandbox = SandboxOf(tree.root(), config);
  EXPECT_THAT(WalkAll(sandbox, tree.root(), {.rules = {.traversal = {.hidden = true, .no_ignore = true}}}),
              ElementsAre("DENIED a.pem", "b", "DENIED k.key", "DENIED s/.ssh", "DENIED v/secret"));
  // An entry that another rule leaves out is not mentioned.
  EXPECT_THAT(WalkAll(sandbox, tree.root(), {.rules = {.include = Globs({"b"}), .exclude = Globs({"k.key", "v"})}}),
              ElementsAre("b"));
}

TEST(Walk, OnlyRegularFilesAreEligible) {
  const TempTree tree;
  tree.Write("file", "");
  ASSERT_EQ(mkfifo(tree.Path("fifo").c_str(), 0600), 0);
  const int fd = socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  tree.Path("socket").copy(address.sun_path, sizeof address.sun_path - 1);
  ASSERT_EQ(bind(fd, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  tree.Link("fifo", "to-fifo");
  tree.Link("socket", "to-socket");
  tree.Link("/dev/null", "to-device");
  tree.Link("file", "to-file");
  EXPECT_THAT(WalkAll(tree.root()), ElementsAre("file"));
  EXPECT_THAT(WalkAll(tree.root(), {.rules = {.traversal = {.follow = true}}}), ElementsAre("file", "to-file"));
  close(fd);
}

TEST(Walk, LinksAreFollowedOnlyInsideTheSandbox) {
  const TempTree tree;
  const TempTree other;
  other.Write("x", "");
  tree.Write("real/sub/f", "");
  tree.Write("keys/a.pem", "");
  tree.Link("real", "link");
  tree.Link(other.root(), "out");
  tree.Link(other.Path("x"), "out-file");
  tree.Link("nowhere", "broken");
  tree.Link("keys/a.pem", "innocent");
  EXPECT_THAT(WalkAll(tree.root()), ElementsAre("DENIED keys/a.pem", "real/sub/f"));
  EXPECT_THAT(WalkAll(tree.root(), {.rules = {.traversal = {.follow = true}}}),
              ElementsAre("ERROR broken: broken link: No such file or directory", "DENIED keys/a.pem", "link/sub/f",
                          "real/sub/f"));
  EXPECT_THAT(WalkAll(tree.root(), {.rules = {.traversal = {.follow = true}, .exclude = Globs({"broken", "keys"})}}),
              ElementsAre("link/sub/f", "real/sub/f"));
}

TEST(Walk, DenyCountsForTheRealPathToo) {
  const TempTree tree;
  tree.Write("vault/plans/a.txt", "");
  tree.Link("vault", "link");
  SandboxConfig config;
  config.denied_patterns = {"vault/plans/*.txt"};
  const Sandbox sandbox = SandboxOf(tree.root(), config);
  EXPECT_THAT(WalkAll(sandbox, tree.root(), {.rules = {.traversal = {.follow = true}}}),
              ElementsAre("DENIED link/plans/a.txt", "DENIED vault/plans/a.txt"));
}

TEST(Walk, LoopsOfLinksEnd) {
  const TempTree tree;
  tree.Write("a/f", "");
  tree.Link("..", "a/up");
  tree.Link(".", "a/self");
  tree.Link("../b", "a/b");
  tree.MakeFolder("b");
  tree.Link("../a", "b/a");
  EXPECT_THAT(WalkAll(tree.root(), {.rules = {.traversal = {.follow = true}}}), ElementsAre("a/f", "b/a/f"));
  // From "a", "up" is new, but "up/a" and "up/b/a" are the root again.
  EXPECT_THAT(WalkAll(SandboxOf(tree.root()), tree.Path("a"), {.rules = {.traversal = {.follow = true}}}),
              ElementsAre("f"));
}

TEST(Walk, UnreadableFoldersAreErrorsAtTheirPlace) {
  const TempTree tree;
  for (const char* path : {"a/x", "b/x", "c"}) tree.Write(path, "");
  chmod(tree.root().c_str(), 0755);
  chmod(tree.Path("b").c_str(), 0);
  const std::string stream = testing::AsNobody([&] {
    std::string out;
    for (const std::string& line : WalkAll(tree.root())) out += line + "\n";
    return out;
  });
  chmod(tree.Path("b").c_str(), 0755);
  EXPECT_EQ(stream, "a/x\nERROR b: Permission denied\nc\n");
}

TEST(Walk, UnreadableIgnoreFilesAreErrors) {
  const TempTree tree;
  tree.Write("d/.gitignore", "x\n");
  tree.Write("d/x", "");
  chmod(tree.root().c_str(), 0755);
  chmod(tree.Path("d/.gitignore").c_str(), 0);
  const std::string stream = testing::AsNobody([&] {
    std::string out;
    for (const std::string& line : WalkAll(tree.root())) out += line + "\n";
    return out;
  });
  EXPECT_EQ(stream, "ERROR d/.gitignore: Permission denied; its rules are not applied\nd/x\n");
}

// Or the search would show what the repository's rules leave out, without a word.
TEST(Walk, ARepositoryThatCannotBeReadIsAnError) {
  const TempTree tree;
  tree.Write("d/.git/HEAD", "ref: refs/heads/main\n");
  tree.Write("d/.git/info/exclude", "x\n");
  tree.Write("d/x", "");
  chmod(tree.root().c_str(), 0755);
  chmod(tree.Path("d/.git/HEAD").c_str(), 0);
  const std::string stream = testing::AsNobody([&] {
    std::string out;
    for (const std::string& line : WalkAll(tree.root())) out += line + "\n";
    return out;
  });
  EXPECT_EQ(stream, "ERROR d/.git/HEAD: Permission denied; ignore rules of this repository are not applied\nd/x\n");
}

TEST(Walk, AFolderSwappedForALinkIsAnError) {
  const TempTree tree;
  const TempTree other;
  other.Write("secret", "");
  for (const char* path : {"a", "b/x", "c/x"}) tree.Write(path, "");
  const Sandbox sandbox = SandboxOf(tree.root());
  const testing::OpenRoot open(sandbox, tree.root());
  Walk walk(*open, {.git = testing::NoGit()}, {});
  WalkEntry entry;
  ASSERT_TRUE(walk.Next(entry));
  EXPECT_EQ(entry.path, "a");
  tree.Remove("b");
  tree.Link(other.root(), "b");
  tree.Remove("c");  // a folder that is gone is no error
  ASSERT_TRUE(walk.Next(entry));
  EXPECT_EQ(entry.kind, WalkEntry::Kind::kError);
  EXPECT_EQ(entry.path, "b");
  EXPECT_FALSE(walk.Next(entry));
}

TEST(Walk, ARootThatIsGoneOrALinkCannotBeOpened) {
  const TempTree tree;
  tree.Write("a/x", "");
  tree.Write("other/y", "");
  const Sandbox sandbox = SandboxOf(tree.root());
  tree.Remove("a");
  EXPECT_EQ(SearchRoot::Open(sandbox, tree.Path("a"), false).error().code, ENOENT);
  tree.Link("other", "a");
  EXPECT_EQ(SearchRoot::Open(sandbox, tree.Path("a"), false).error().code, ELOOP);
}

TEST(Walk, ADeadlineEndsTheStreamWithAPrefix) {
  const TempTree tree;
  for (int i = 0; i < 20; ++i) tree.Write(std::to_string(i) + "/f", "");
  const Sandbox sandbox = SandboxOf(tree.root());
  const testing::OpenRoot open(sandbox, tree.root());
  Walk over(*open, {}, Deadline::After(0));
  WalkEntry entry;
  EXPECT_FALSE(over.Next(entry));
  EXPECT_TRUE(over.timed_out());

  CancelSource source;
  Walk cancelled(*open, {.threads = 4}, Deadline::After(60'000, source.token()));
  ASSERT_TRUE(cancelled.Next(entry));
  source.Cancel();
  EXPECT_FALSE(cancelled.Next(entry));
  EXPECT_TRUE(cancelled.timed_out());
}

// R12: a deadline holds while one folder is listed.
TEST(Walk, ADeadlineHoldsWithinOneFolder) {
  const TempTree tree;
  const auto word = [](std::size_t number) {
    std::string out;
    for (int i = 0; i < 10; ++i, number /= 3) out += static_cast<char>('a' + number % 3);
    return out;
  };
  std::string rules;
  for (std::size_t i = 0; i < 9000; ++i) rules += "*a*b*" + word(i) + "*b?d\n";
  tree.Write(".gitignore", rules);
  for (std::size_t i = 0; i < 2000; ++i) tree.Write("d" + word(i) + std::string(200, 'b') + word(i + 7), "");
  const Sandbox sandbox = SandboxOf(tree.root());
  const testing::OpenRoot open(sandbox, tree.root());
  // Without a look at the clock, these rules take some 20 seconds.
  const auto start = Clock::now();
  Walk walk(*open, {.git = testing::NoGit()}, Deadline::After(100));
  WalkEntry entry;
  EXPECT_FALSE(walk.Next(entry));
  EXPECT_TRUE(walk.timed_out());
  EXPECT_LT(Clock::now() - start, std::chrono::seconds(4));
}

void MakeBroadTree(const TempTree& tree) {
  for (int i = 0; i < 40; ++i) {
    for (int j = 0; j < 3; ++j) {
      const std::string path = std::to_string(i) + "/" + std::to_string(j);
      tree.Write(path + "/f", "");
      tree.Write(path + ".c", "");
    }
  }
}

TEST(Walk, TheFirstEntriesCostFewFolders) {
  const TempTree tree;
  MakeBroadTree(tree);
  const Sandbox sandbox = SandboxOf(tree.root());
  const testing::OpenRoot open(sandbox, tree.root());
  Walk walk(*open, {.threads = 8}, {});
  WalkEntry entry;
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(walk.Next(entry));
  EXPECT_LE(walk.folders_listed(), 6U);
}

TEST(Walk, HelpersStayWithinTheWindow) {
  const TempTree tree;
  for (int i = 0; i < 60; ++i) tree.Write("a/" + std::to_string(i) + "/f", "");
  for (int i = 0; i < 36; ++i) {
    for (int j = 0; j < 700; ++j) {
      // Making hard links is quicker than making files.
      if (j == 0) {
        tree.Write("b/" + std::to_string(i) + "/f", "");
      } else {
        std::filesystem::create_hard_link(tree.Path("b/" + std::to_string(i) + "/f"),
                                          tree.Path("b/" + std::to_string(i) + "/f" + std::to_string(j)));
      }
    }
  }
  const Sandbox sandbox = SandboxOf(tree.root());
  const testing::OpenRoot open(sandbox, tree.root());
  Walk walk(*open, {.threads = 4}, {});
  WalkEntry entry;
  for (int i = 0; i < 50; ++i) ASSERT_TRUE(walk.Next(entry));
  constexpr std::uint64_t kInWindow = 60U + 20'000 / 700;
  const Deadline patience = Deadline::After(60'000);
  std::uint64_t before = 0;
  // Waits until the helpers rest; on a busy machine they may start late.
  while (walk.folders_listed() != before || (before < kInWindow && !patience.over())) {
    before = walk.folders_listed();
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  EXPECT_GE(before, kInWindow);
  EXPECT_LE(before, 3U + kInWindow + 5);
}

TEST(Walk, AnyNumberOfThreadsGivesTheSameStream) {
  const TempTree tree;
  MakeBroadTree(tree);
  const auto one = WalkAll(tree.root(), {.threads = 1});
  ASSERT_EQ(one.size(), 240U);
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(WalkAll(tree.root(), {.threads = 2}), one);
    EXPECT_EQ(WalkAll(tree.root(), {.threads = 8}), one);
  }
}

TEST(Walk, StoppingEarlyStopsTheHelpers) {
  const TempTree tree;
  MakeBroadTree(tree);
  const Sandbox sandbox = SandboxOf(tree.root());
  for (int n = 0; n < 240; n += 7) {
    const testing::OpenRoot open(sandbox, tree.root());
    Walk walk(*open, {.threads = 8}, {});
    WalkEntry entry;
    for (int i = 0; i < n; ++i) ASSERT_TRUE(walk.Next(entry));
  }
}

}  // namespace
}  // namespace forge
