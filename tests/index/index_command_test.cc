// What `forge-search index` says, and how it ends, in each of the ways that a disk, a lock
// or a folder can fail. docs/index.md has the same table.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>

#include "index/store/sqlite.h"
#include "index/store/testing/child.h"
#include "os/file_lock.h"
#include "tests/index/fault_world.h"
#include "tests/testing/places.h"
#include "tests/testing/run_binary.h"
#include "tests/testing/running_program.h"
#include "tests/testing/sanitizers.h"

namespace forge::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;

class IndexCommand : public ::testing::Test {
 protected:
  IndexCommand() { FillTree(tree_, 60); }

  Command CommandOf(const std::vector<std::string>& args) const {
    Command command;
    command.argv = {ProgramPath()};
    command.argv.insert(command.argv.end(), args.begin(), args.end());
    command.argv.insert(command.argv.end(), {"--root", tree_.root(), "--backend", "native", "--index", "on"});
    command.env = {{"PATH", "/usr/bin:/bin"},
                   {"HOME", cache_.root()},
                   {"GIT_CONFIG_NOSYSTEM", "1"},
                   {"FORGE_SERVER", "off"},
                   {"FORGE_SEARCH_INDEX_PATH", Cache()}};
    for (const auto& [name, value] : more_) command.env[name] = value;
    command.cwd = tree_.root();
    return command;
  }
  Ended Run(const std::vector<std::string>& args) const { return RunProgram(CommandOf(args)); }
  std::string Cache() const { return cache_.Path("index"); }
  fs::path Stored(const std::string& extension) const {
    for (const auto& entry : fs::directory_iterator(Cache())) {
      if (entry.path().extension() == extension) return entry.path();
    }
    return {};
  }
  // The answers are right, whatever the state of the index is.
  void ExpectRightAnswer(const std::string& what) const {
    Command with = CommandOf({"call", "Search", R"({"pattern":"needle|alpha7"})"});
    Command without = with;
    without.argv.back() = "off";
    EXPECT_EQ(RunProgram(with).out, RunProgram(without).out) << what;
  }

  TempTree tree_;
  TempTree cache_;
  std::map<std::string, std::string> more_;
};

TEST_F(IndexCommand, AllIsWell) {
  EXPECT_THAT(Run({"index", "status", "--json"}).out, HasSubstr("ABSENT"));
  EXPECT_EQ(Run({"index", "verify"}).exit_code, 2) << "there is none";
  const Ended built = Run({"index", "build"});
  EXPECT_EQ(built.exit_code, 0) << built.err;
  EXPECT_THAT(built.out, HasSubstr(": ready, 60 files"));
  EXPECT_THAT(Run({"index", "status"}).out, HasSubstr("ready; each command checks the tree first"));
  EXPECT_THAT(Run({"index", "status", "--json"}).out, HasSubstr("OPEN_REQUIRES_VALIDATION"));
  EXPECT_EQ(Run({"index", "verify"}).exit_code, 0);
}

TEST_F(IndexCommand, OneIndexServesEveryBackend) {
  ASSERT_EQ(Run({"index", "build"}).exit_code, 0);
  for (const char* backend : {"native", "ugrep", "rg"}) {
    Command command = CommandOf({"call", "Search", R"({"pattern":"needle"})", "--set", "tools.search.emit_stats=true"});
    *std::find(command.argv.begin(), command.argv.end(), "native") = backend;
    EXPECT_THAT(RunProgram(command).out, HasSubstr("\"index_exclusion_used\":true")) << backend;
  }
}

// The writer is this process.
TEST_F(IndexCommand, BesideAnotherWriterItSaysWhoThatIs) {
  ASSERT_EQ(Run({"index", "build"}).exit_code, 0);
  const fs::path lock = Stored(".lock");
  const auto held = os::FileLock::Take(lock.string(), os::LockMode::kExclusive, Deadline::After(0));
  ASSERT_TRUE(held.ok());
  held->Sign();
  const std::string who = "process " + std::to_string(getpid());
  for (const std::vector<std::string>& args :
       {std::vector<std::string>{"index", "build"}, {"index", "build", "--anew"}, {"index", "clear"}}) {
    const Ended ended = Run(args);
    EXPECT_EQ(ended.exit_code, 2) << args.back() << ended.out;
    EXPECT_THAT(ended.err, HasSubstr(who)) << args.back();
    EXPECT_THAT(ended.out, Not(HasSubstr("ready"))) << args.back();
  }
  EXPECT_THAT(Run({"index", "status"}).out, HasSubstr("ready;")) << "it can be read";
  ExpectRightAnswer("another writer");
}

TEST_F(IndexCommand, ItWaitsForAWriterThatEndsInTime) {
  ASSERT_EQ(Run({"index", "build"}).exit_code, 0);
  more_["FORGE_SEARCH_INDEX_LOCK_TIMEOUT_MS"] = "20000";
  std::optional<os::FileLock> held =
      std::move(*os::FileLock::Take(Stored(".lock").string(), os::LockMode::kExclusive, Deadline::After(0)));
  RunningProgram build(CommandOf({"index", "build"}));
  while (!build.AllThreadsSleep()) std::this_thread::yield();
  EXPECT_FALSE(build.EndsWithin({}));
  held.reset();
  EXPECT_EQ(build.Wait(), 0);
}

TEST_F(IndexCommand, ADamagedDatabase) {
  ASSERT_EQ(Run({"index", "build"}).exit_code, 0);
  std::ofstream(Stored(".db"), std::ios::binary) << std::string(50'000, 'x');
  EXPECT_THAT(Run({"index", "status", "--json"}).out, HasSubstr("CORRUPT"));
  EXPECT_EQ(Run({"index", "verify"}).exit_code, 2);
  ExpectRightAnswer("damaged");
  EXPECT_EQ(Run({"index", "build"}).exit_code, 0);
  EXPECT_EQ(Run({"index", "verify"}).exit_code, 0);
}

// A schema of another version is no damage; it is built anew.
TEST_F(IndexCommand, ADatabaseOfAnotherVersion) {
  ASSERT_EQ(Run({"index", "build"}).exit_code, 0);
  std::fstream file(Stored(".db"), std::ios::binary | std::ios::in | std::ios::out);
  file.seekp(63);  // the last byte of user_version
  file.put(1);
  file.close();
  const Ended status = Run({"index", "status", "--json"});
  EXPECT_THAT(status.out, HasSubstr("ABSENT"));
  EXPECT_THAT(status.out, Not(HasSubstr("CORRUPT")));
  ExpectRightAnswer("another version");
  EXPECT_EQ(Run({"index", "build"}).exit_code, 0);
  EXPECT_EQ(Run({"index", "verify"}).exit_code, 0);
}

// It belongs to the user, and may not be written to.
TEST_F(IndexCommand, AFolderThatMayNotBeUsed) {
  constexpr unsigned kNobody = 65534;
  cache_.MakeFolder("index");
  for (const std::string& path : {tree_.root(), cache_.root()}) chmod(path.c_str(), 0755);
  ASSERT_EQ(chown(Cache().c_str(), kNobody, kNobody), 0);
  chmod(Cache().c_str(), 0500);
  Command command = CommandOf({"index", "build"});
  command.uid = kNobody;
  const Ended built = RunProgram(command);
  EXPECT_EQ(built.exit_code, 2);
  EXPECT_THAT(built.err, HasSubstr("PERMISSION_DENIED"));
  command = CommandOf({"index", "status"});
  command.uid = kNobody;
  const Ended status = RunProgram(command);
  EXPECT_EQ(status.exit_code, 0);
  EXPECT_THAT(status.out, HasSubstr("memory (PERMISSION_DENIED)"));
}

TEST_F(IndexCommand, AFolderThatCannotBeMade) {
  cache_.Write("file", "");
  more_["FORGE_SEARCH_INDEX_PATH"] = cache_.Path("file/index");
  const Ended built = Run({"index", "build"});
  EXPECT_EQ(built.exit_code, 2);
  EXPECT_THAT(built.err, HasSubstr("NOT_CREATABLE"));
  const Ended status = Run({"index", "status"});
  EXPECT_EQ(status.exit_code, 0);
  EXPECT_THAT(status.out, HasSubstr("memory (NOT_CREATABLE)"));
}

TEST_F(IndexCommand, ABuildThatStopsAtALimit) {
  more_["FORGE_SEARCH_INDEX_BUILD_MAX_FILES"] = "10";
  const Ended built = Run({"index", "build"});
  EXPECT_EQ(built.exit_code, 2);
  EXPECT_THAT(built.err, HasSubstr("index_build_max_files"));
  EXPECT_THAT(Run({"index", "status"}).out, HasSubstr("the build stopped at a limit"));
  ExpectRightAnswer("partial");
  more_.clear();
  EXPECT_EQ(Run({"index", "build"}).exit_code, 0);
}

TEST_F(IndexCommand, AnIndexThatIsTooLarge) {
  more_["FORGE_SEARCH_INDEX_MAX_DB_BYTES"] = "1000";
  const Ended built = Run({"index", "build"});
  EXPECT_EQ(built.exit_code, 2);
  EXPECT_THAT(built.err, HasSubstr("index_max_db_bytes"));
  EXPECT_EQ(Stored(".seg"), fs::path()) << "nothing is left";
  EXPECT_EQ(Stored(".db"), fs::path());
  ExpectRightAnswer("too large");
}

// ulimit -f: the kernel sends SIGXFSZ, which ends a program that does not ask to survive.
TEST_F(IndexCommand, FilesMayNotBecomeSoLarge) {
  if (kThreadSanitizer) GTEST_SKIP() << "the sanitizer writes a file when it starts";
  for (const rlim_t most : {0U, 4096U, 30'000U}) {
    const Child child([&](int out) {
      std::signal(SIGXFSZ, SIG_DFL);
      rlimit limit{most, most};
      if (setrlimit(RLIMIT_FSIZE, &limit) != 0) return Child::Say(out, "not permitted");
      const Ended built = Run({"index", "build"});
      const Ended called = Run({"call", "Search", R"({"pattern":"needle"})"});
      const bool told =
          built.err.find("no space left") != std::string::npos || built.err.find("DISK_FULL") != std::string::npos;
      Child::Say(out, std::to_string(built.exit_code) + (told ? " told " : " " + built.err) +
                          std::to_string(called.exit_code));
    });
    EXPECT_EQ(child.Rest(), "2 told 0") << most;
  }
}

// A process holds the database, as a backup does.
TEST_F(IndexCommand, ADatabaseThatIsHeld) {
  ASSERT_EQ(Run({"index", "build"}).exit_code, 0);
  tree_.Write("d1/new.txt", "needle\n");
  auto other = index::SqliteDatabase::Open(Stored(".db").string(), index::SqliteDatabase::Mode::kWrite, Deadline());
  ASSERT_TRUE(other.ok());
  {
    const auto held = index::SqliteTransaction::Begin(*other, index::SqliteDatabase::Mode::kWrite);
    const Ended built = Run({"index", "build"});
    EXPECT_EQ(built.exit_code, 2);
    EXPECT_THAT(built.err, HasSubstr("could not be stored"));
    ExpectRightAnswer("held");
  }
  EXPECT_EQ(Run({"index", "build"}).exit_code, 0);
}

}  // namespace
}  // namespace forge::testing
