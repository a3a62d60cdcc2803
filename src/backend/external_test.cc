#include "backend/external.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>

#include "tests/testing/backend_world.h"
#include "tests/testing/sanitizers.h"
#include "tests/testing/unprivileged.h"

namespace forge {
namespace {

// A searcher that is a shell script, so that it can do what no real searcher
// does on demand. It gets the files after "--" as "$@", or with `whole` all
// arguments.
class Fake {
 public:
  Fake(const SearcherKind& kind, const std::string& script, bool whole = false) : kind_(kind) {
    const std::string files = whole ? "" : "while [ \"$1\" != -- ]; do shift; done; shift\n";
    tree_.Write("fake", "#!/bin/sh\n" + files + script);
    chmod(tree_.root().c_str(), 0755);
    chmod(tree_.Path("fake").c_str(), 0755);
  }

  RunReport Run(const World& world, std::optional<int> fuzzy = std::nullopt) {
    ListSource source(world.paths);
    return RunOn(world, source, fuzzy);
  }

  RunReport RunOn(const World& world, FileSource& source, std::optional<int> fuzzy = std::nullopt) {
    Query query = world.query();
    query.fuzzy = fuzzy;
    query.text = "foo";
    sink.outcomes.clear();
    const ExternalBackend backend(kind_, {kind_.name(), {13, 0, 0}, true, {}, ""}, tree_.Path("fake"),
                                  ChildEnvironment("/usr/bin:/bin"));
    return backend.Run(query, *world.root, source, sink, Deadline::After(60'000));
  }

  std::string program() const { return tree_.Path("fake"); }
  ListSink sink;

 private:
  const SearcherKind& kind_;
  testing::TempTree tree_;
};

int LowestFree() {
  const int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
  close(fd);
  return fd;
}

std::ptrdiff_t FilesWithEvents(const ListSink& sink) {
  return std::count_if(sink.outcomes.begin(), sink.outcomes.end(), [](const auto& o) { return !o.events.empty(); });
}

TEST(External, WhatIsSeenIsReadHere) {
  const World world("foo", 3, "bar\na foo\n");
  Fake fake(Ripgrep(), "for f; do printf '%s\\0002:x\\n' \"$f\"; done");
  EXPECT_EQ(fake.Run(world).end, SearchEnd::kComplete);
  EXPECT_EQ(FilesWithEvents(fake.sink), 3);
}

// The searcher fails on every file and complains about each, so much that the
// last complaints are lost. All files must be searched nevertheless.
TEST(External, ComplaintsThatAreCutOffMayHaveBeenAboutAnyFile) {
  const World world("foo", 3, "a foo\n");
  Fake fake(
      Ripgrep(),
      "i=0; while [ $i -lt 4000 ]; do echo \"$1: Permission denied (os error 13)\" >&2; i=$((i+1)); done; exit 2");
  const RunReport report = fake.Run(world);
  EXPECT_EQ(report.end, SearchEnd::kComplete) << report.message;
  EXPECT_EQ(FilesWithEvents(fake.sink), 3);
}

TEST(External, ACutThatIsNotAboutFilesIsStillAnError) {
  const World world("foo", 3, "a foo\n");
  Fake fake(Ripgrep(), "head -c 100000 /dev/zero | tr '\\0' '\\n' | sed 's/^/no/' >&2; exit 2");
  EXPECT_EQ(fake.Run(world).end, SearchEnd::kBackendFailed);
}

// The searcher did not report line 1. The answer has it, because there were so
// many reported lines that we scanned the file here instead.
TEST(External, SeenLinesAreBounded) {
  const World world("foo", 1, "a foo\n");
  Fake fake(Ripgrep(), "yes '' | head -n 1000001 | awk -v f=\"$1\" '{printf \"%s%c%d:x\\n\", f, 0, NR + 1}'");
  const RunReport report = fake.Run(world);
  EXPECT_EQ(report.end, SearchEnd::kComplete) << report.message;
  EXPECT_EQ(FilesWithEvents(fake.sink), 1);
}

// The answer shows 50 lines, and the 51st tells that there are more: always the
// first ones of the file, in whatever order they arrive.
TEST(External, OfFuzzyLinesNoMoreAreHeldThanAreUsed) {
  std::string content;
  for (int i = 0; i < 200; ++i) content += "foo\n";
  const World world("foo", 1, content);
  for (const char* order : {"$(seq 51) 200 52", "$(seq 200 -1 1)", "$(seq 1 2 199) $(seq 2 2 200)"}) {
    Fake fake(Ugrep(), std::string("for n in ") + order + "; do echo \"\\\"$1\\\":$n:$((n*4-4)):3\"; done");
    const RunReport report = fake.Run(world, 1);
    EXPECT_EQ(report.end, SearchEnd::kComplete) << report.message;
    ASSERT_EQ(fake.sink.outcomes.size(), 1U);
    ASSERT_EQ(fake.sink.outcomes[0].events.size(), 50U);
    EXPECT_EQ(fake.sink.outcomes[0].events[49].line_number, 50U) << order;
    EXPECT_TRUE(fake.sink.outcomes[0].capped);
  }
}

// FR-LS-ORD-04, T-LSI-DET-02
TEST(External, LinesAreSortedHoweverTheyArrive) {
  const World world("foo", 3, "foo 1\nfoo 2\nno\nfoo 4\nfoo 5\n");
  const std::vector<std::string> orders = {"5 4 2 1", "1 5 2 4 1 5", "4 4 4 1 2 5 1", "2 1 4 5"};
  for (const std::string& order : orders) {
    // All lines of one file after those of another, and mixed with them.
    for (const std::string& loops : {"for f; do for n in " + order + "; do", "for n in " + order + "; do for f; do"}) {
      Fake fake(Ripgrep(), loops + " printf '%s\\000%s:x\\n' \"$f\" $n; done; done");
      const RunReport report = fake.Run(world);
      ASSERT_EQ(report.end, SearchEnd::kComplete) << report.message << order;
      ASSERT_EQ(fake.sink.outcomes.size(), 3U);
      for (const FileOutcome& outcome : fake.sink.outcomes) {
        std::vector<std::uint64_t> lines;
        for (const Event& event : outcome.events) lines.push_back(event.line_number);
        EXPECT_EQ(lines, (std::vector<std::uint64_t>{1, 2, 4, 5})) << order;
      }
    }
  }
}

TEST(External, AProgramThatVanishesInTheMiddleIsSaid) {
  if (testing::kThreadSanitizer) GTEST_SKIP() << testing::kNoVfork;
  const World world("foo", 100, "a foo\n");
  for (const SearcherKind* kind : {&Ripgrep(), &Ugrep()}) {
    Fake fake(*kind, "rm \"$0\"; exit 1");
    const RunReport report = fake.Run(world);
    EXPECT_EQ(report.end, SearchEnd::kBackendNotStarted);
    EXPECT_EQ(report.message, fake.program() + " could not be started: No such file or directory");
    EXPECT_EQ(report.exit_code, 127);
    EXPECT_EQ(fake.sink.outcomes.size(), 32U) << "the first chunk";
  }
}

TEST(External, AProgramThatMayNoLongerRunIsSaid) {
  if (testing::kThreadSanitizer) GTEST_SKIP() << testing::kNoVfork;
  const World world("foo", 100, "a foo\n");
  Fake fake(Ripgrep(), "chmod 000 \"$0\"; exit 1");
  const RunReport report = fake.Run(world);
  EXPECT_EQ(report.end, SearchEnd::kBackendNotStarted);
  EXPECT_EQ(report.exit_code, 126);
}

TEST(External, NoDescriptorsInTheMiddleAreSaid) {
  const World world("foo", 100, "a foo\n");
  chmod(world.tree.root().c_str(), 0755);
  Fake fake(Ripgrep(), "exit 1");
  const std::string said = testing::AsNobody([&] {
    // So many that there is room to open a file, and not for two pipes.
    const rlimit few = {static_cast<rlim_t>(LowestFree()) + 3, static_cast<rlim_t>(LowestFree()) + 3};
    setrlimit(RLIMIT_NOFILE, &few);
    const RunReport report = fake.Run(world);
    return (report.end == SearchEnd::kBackendNotStarted ? "not started: " : "another end: ") + report.message;
  });
  EXPECT_EQ(said, "not started: " + fake.program() + " could not be started: Too many open files");
}

TEST(External, MemoryThatEndsInTheMiddleIsSaid) {
  const World world("foo", 100, "a foo\n");
  Fake fake(Ripgrep(), "exit 1");
  GreedySource source(world.paths, 50);
  const RunReport report = fake.RunOn(world, source);
  EXPECT_EQ(report.end, SearchEnd::kOutOfMemory);
  EXPECT_EQ(fake.sink.outcomes.size(), 32U);
}

TEST(External, AFailureInTheMiddleHasItsCodeAndItsWords) {
  const World world("foo", 100, "a foo\n");
  Fake fake(
      Ripgrep(),
      "if [ -e \"$0.second\" ]; then printf 'br\\377oken\\033[1m\\n' >&2; exit 3; fi; touch \"$0.second\"; exit 1");
  const RunReport report = fake.Run(world);
  EXPECT_EQ(report.end, SearchEnd::kBackendFailed);
  EXPECT_EQ(report.exit_code, 3);
  EXPECT_EQ(report.stderr_text, "br\uFFFDoken[1m\n") << "FR-LS-ENC-01, I4: not UTF-8, and a control character";
  EXPECT_EQ(fake.sink.outcomes.size(), 32U);
}

// Another program replaces a file after we have looked at it.
class SwappedIn : public ::testing::TestWithParam<const char*> {};

TEST_P(SwappedIn, IsAnErrorOfThatFileOnly) {
  if (std::string(GetParam()).starts_with("mknod") && geteuid() != 0) GTEST_SKIP() << "needs root";
  for (const bool real : {false, true}) {
    for (const SearcherKind* kind : {&Ripgrep(), &Ugrep()}) {
      for (const std::optional<int> fuzzy : {std::optional<int>(), std::optional<int>(1)}) {
        if (fuzzy && !kind->supports_fuzzy()) continue;
        const World world("foo", 3, "a foo\n");
        const std::string program = std::string("/usr/bin/") + kind->name();
        // A searcher that passes over it without a word, and the real one.
        Fake fake(*kind,
                  "rm f1/1 2>/dev/null && { " + std::string(GetParam()) + "; }; " +
                      (real ? "exec " + program + " \"$@\"" : "exit 1"),
                  real);
        const RunReport report = fake.Run(world, fuzzy);
        EXPECT_EQ(report.end, SearchEnd::kComplete) << report.message << report.stderr_text;
        ASSERT_EQ(fake.sink.outcomes.size(), 3U);
        EXPECT_NE(fake.sink.outcomes[1].error, "") << kind->name() << real << fuzzy.value_or(0);
        EXPECT_TRUE(fake.sink.outcomes[1].events.empty());
        EXPECT_EQ(fake.sink.outcomes[0].error, "");
        EXPECT_EQ(fake.sink.outcomes[2].error, "");
        if (real) {
          EXPECT_EQ(FilesWithEvents(fake.sink), 2);
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(External, SwappedIn,
                         ::testing::Values("mkfifo f1/1", "mkdir f1/1; echo foo > f1/1/inside", "ln -s /dev/zero f1/1",
                                           "ln -s /nowhere f1/1", "ln -s ../f0/0 f1/1", "mknod f1/1 c 1 5",
                                           "mknod f1/1 p", "true"));

// It is searched as it is now.
TEST(External, AFileThatIsReplacedUnseenIsScannedHere) {
  const World world("foo", 3, "a foo\n");
  Fake fake(Ripgrep(), "echo 'new foo' > f1/new; mv f1/new f1/1; exit 1");
  EXPECT_EQ(fake.Run(world).end, SearchEnd::kComplete);
  EXPECT_EQ(FilesWithEvents(fake.sink), 1);
  ASSERT_EQ(fake.sink.outcomes[1].events.size(), 1U);
  EXPECT_EQ(fake.sink.outcomes[1].events[0].line, "new foo");
}

// An empty file has nothing to be seen, and is no error.
TEST(External, AnEmptyFileIsSearchedFuzzilyWithoutAnError) {
  const World world("foo", 1, "");
  Fake fake(Ugrep(), "exit 1");
  EXPECT_EQ(fake.Run(world, 1).end, SearchEnd::kComplete);
  ASSERT_EQ(fake.sink.outcomes.size(), 1U);
  EXPECT_EQ(fake.sink.outcomes[0].error, "");
}

TEST(External, AFileThatAFuzzySearcherCannotReadIsSaid) {
  const World world("foo", 1, "foo\n");
  Fake fake(Ugrep(), "echo \"ugrep: warning: cannot read $1: Permission denied\" >&2; exit 2");
  const RunReport report = fake.Run(world, 1);
  EXPECT_EQ(report.end, SearchEnd::kComplete) << report.message;
  ASSERT_EQ(fake.sink.outcomes.size(), 1U);
  EXPECT_EQ(fake.sink.outcomes[0].error, "could not be read by ugrep");
}

TEST(External, ALostStatusIsNotCalledAFailureToStart) {
  const World world("foo", 1, "foo\n");
  Fake fake(Ripgrep(), "exit 1");
  const auto before = std::signal(SIGCHLD, SIG_IGN);
  const RunReport report = fake.Run(world);
  std::signal(SIGCHLD, before);
  EXPECT_EQ(report.message, fake.program() + " was run, but its exit status is lost, because SIGCHLD is ignored");
}

}  // namespace
}  // namespace forge
