// Containment under a race: a folder and a file of the tree are exchanged with
// links to the outside, over and over, while paths through them are opened.
//
// A check by name before an opening by name fails here within a few hundred
// rounds. Errors are fine; a byte of the outside is not.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <string>
#include <thread>

#include "base/deadline.h"
#include "scope/sandbox.h"
#include "scope/search_root.h"
#include "tests/testing/temp_tree.h"

namespace forge {
namespace {

// Exchanges what is at two places until it is destroyed.
class Exchanger {
 public:
  Exchanger(const std::string& a, const std::string& b)
      : thread_([this, a, b] {
          while (!over_) renameat2(AT_FDCWD, a.c_str(), AT_FDCWD, b.c_str(), RENAME_EXCHANGE);
        }) {}
  ~Exchanger() {
    over_ = true;
    thread_.join();
  }

 private:
  std::atomic<bool> over_ = false;
  std::thread thread_;
};

class Exchange : public ::testing::Test {
 protected:
  Exchange() {
    for (const char* path : {"root/sub/f", "root/sub/deep/f", "root/keys/config"}) tree_.Write(path, "inside");
    for (const char* path : {"outside/f", "outside/deep/f", "root/.ssh/config"}) tree_.Write(path, "OUTSIDE");
    tree_.Link(tree_.Path("outside"), "to-outside");
    tree_.Link(tree_.Path("root/.ssh"), "to-denied");
    sandbox_ = *Sandbox::Create({tree_.Path("root")}, "", {});
  }

  struct Count {
    int inside = 0, outside = 0, errors = 0;
  };

  // What `open` opens, again and again for a quarter of a second; longer only until
  // the race has met both the folder and the link.
  template <typename Open>
  Count Race(const Open& open) const {
    const Exchanger sub(tree_.Path("root/sub"), tree_.Path("to-outside"));
    const Exchanger keys(tree_.Path("root/keys"), tree_.Path("to-denied"));
    Count count;
    const auto start = Clock::now();
    const auto goes_on = [&] {
      const bool met_both = count.inside > 0 && count.errors > 0;
      return Clock::now() < start + (met_both ? std::chrono::milliseconds(250) : std::chrono::seconds(10));
    };
    while (goes_on()) {
      const os::OsResult<os::Fd> fd = open();
      std::array<char, 16> bytes{};
      const ssize_t n = fd.ok() ? read(fd->get(), bytes.data(), bytes.size()) : 0;
      ++(n <= 0 ? count.errors : bytes[0] == 'i' ? count.inside : count.outside);
    }
    EXPECT_GT(count.inside, 0) << "it was never open";
    EXPECT_GT(count.errors, 0) << "the race never met the link";
    return count;
  }

  // What a request names, opened as the service does it.
  os::OsResult<os::Fd> OpenNamed(const std::string& path) const {
    const Result<Target> target = sandbox_->Resolve(path);
    return target ? target->OpenFile() : os::OsError{ENOENT};
  }

  // A file below an open root, as backends open it.
  static os::OsResult<os::Fd> OpenBelow(const SearchRoot& root, const std::string& path, bool alone) {
    FileOpener opener(root);
    return opener.Open(path, alone);
  }

  testing::TempTree tree_;
  std::optional<Sandbox> sandbox_;
};

TEST_F(Exchange, WhatARequestNamesIsNeverOutside) {
  for (const std::string path : {"sub/f", "sub/deep/../f", "keys/config"}) {
    const Count count = Race([&] { return OpenNamed(path); });
    EXPECT_EQ(count.outside, 0) << path;
  }
}

TEST_F(Exchange, WhatLiesBelowAnOpenRootIsNeverOutside) {
  for (const bool follow : {false, true}) {
    const auto root = SearchRoot::Open(*sandbox_, tree_.Path("root"), follow);
    ASSERT_TRUE(root.ok());
    for (const std::string path : {"sub/deep/f", "keys/config"}) {
      bool alone = false;
      const Count count = Race([&] { return OpenBelow(*root, path, alone = !alone); });
      EXPECT_EQ(count.outside, 0) << path << " follow " << follow;
    }
  }
}

TEST_F(Exchange, ARootThatBecomesALinkIsNeverOutside) {
  const Sandbox sandbox = *Sandbox::Create({tree_.Path("root/sub")}, "", {});
  const Count named = Race([&] {
    const Result<Target> target = sandbox.Resolve("f");
    return target ? target->OpenFile() : os::OsError{ENOENT};
  });
  EXPECT_EQ(named.outside, 0);
  const Count opened = Race([&]() -> os::OsResult<os::Fd> {
    const auto root = SearchRoot::Open(sandbox, tree_.Path("root/sub"), true);
    if (!root.ok()) return root.error();
    return OpenBelow(*root, "f", false);
  });
  EXPECT_EQ(opened.outside, 0);
}

// A Target holds what it found: nothing that happens afterwards leads it out.
TEST_F(Exchange, AFoundTargetStaysWhereItWasFound) {
  const Result<Target> file = sandbox_->Resolve("sub/f");
  const Result<Target> folder = sandbox_->Resolve("sub");
  ASSERT_TRUE(file.ok() && folder.ok());
  const std::string sub = tree_.Path("root/sub");
  ASSERT_EQ(renameat2(AT_FDCWD, sub.c_str(), AT_FDCWD, tree_.Path("to-outside").c_str(), RENAME_EXCHANGE), 0);
  const auto root = SearchRoot::Open(*sandbox_, *folder, true);
  ASSERT_TRUE(root.ok());
  std::array<char, 8> bytes{};
  for (const auto& fd : {file->OpenFile(), OpenBelow(*root, "f", false), OpenBelow(*root, "deep/f", true)}) {
    ASSERT_TRUE(fd.ok());
    ASSERT_GT(read(fd->get(), bytes.data(), bytes.size()), 0);
    EXPECT_EQ(bytes[0], 'i');
  }
  EXPECT_FALSE(sandbox_->Resolve("sub/f").ok());
}

}  // namespace
}  // namespace forge
