#include "backend/external.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <csignal>

#include "tests/testing/backend_world.h"

namespace forge {
namespace {

// A searcher that is a shell script, so that it can do what no real searcher
// does on demand. It gets the files after "--" as "$@".
class Fake {
 public:
  Fake(const SearcherKind& kind, const std::string& script) : kind_(kind) {
    tree_.Write("fake", "#!/bin/sh\nwhile [ \"$1\" != -- ]; do shift; done; shift\n" + script);
    chmod(tree_.Path("fake").c_str(), 0755);
  }

  RunReport Run(const World& world, std::optional<int> fuzzy = std::nullopt) {
    Query query = world.query();
    query.fuzzy = fuzzy;
    ListSource source(world.paths);
    sink.outcomes.clear();
    const ExternalBackend backend(kind_, {kind_.name(), {13, 0, 0}, true, {}, ""}, tree_.Path("fake"));
    return backend.Run(query, *world.root, source, sink, Deadline::After(60'000));
  }

  std::string program() const { return tree_.Path("fake"); }
  ListSink sink;

 private:
  const SearcherKind& kind_;
  testing::TempTree tree_;
};

std::ptrdiff_t FilesWithEvents(const ListSink& sink) {
  return std::count_if(sink.outcomes.begin(), sink.outcomes.end(), [](const auto& o) { return !o.events.empty(); });
}

TEST(External, WhatIsSeenIsReadHere) {
  const World world("foo", 3, "bar\na foo\n");
  Fake fake(Ripgrep(), "for f; do printf '%s\\0002:x\\n' \"$f\"; done");
  EXPECT_EQ(fake.Run(world).end, RunReport::End::kComplete);
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
  EXPECT_EQ(report.end, RunReport::End::kComplete) << report.message;
  EXPECT_EQ(FilesWithEvents(fake.sink), 3);
}

TEST(External, ACutThatIsNotAboutFilesIsStillAnError) {
  const World world("foo", 3, "a foo\n");
  Fake fake(Ripgrep(), "head -c 100000 /dev/zero | tr '\\0' '\\n' | sed 's/^/no/' >&2; exit 2");
  EXPECT_EQ(fake.Run(world).end, RunReport::End::kBackendError);
}

// The searcher did not report line 1. The answer has it, because there were so
// many reported lines that we scanned the file here instead.
TEST(External, SeenLinesAreBounded) {
  const World world("foo", 1, "a foo\n");
  Fake fake(Ripgrep(), "yes '' | head -n 1000001 | awk -v f=\"$1\" '{printf \"%s%c%d:x\\n\", f, 0, NR + 1}'");
  const RunReport report = fake.Run(world);
  EXPECT_EQ(report.end, RunReport::End::kComplete) << report.message;
  EXPECT_EQ(FilesWithEvents(fake.sink), 1);
}

// The answer shows 50 lines, and the 51st tells that there are more. Each
// record must come after the last one that we hold. So we must not hold line
// 200, or line 52 after it would count as garbage.
TEST(External, OfFuzzyLinesNoMoreAreHeldThanAreUsed) {
  std::string content;
  for (int i = 0; i < 200; ++i) content += "foo\n";
  const World world("foo", 1, content);
  Fake fake(Ugrep(), "for n in $(seq 51) 200 52; do echo \"\\\"$1\\\":$n:$((n*4-4)):3\"; done");
  const RunReport report = fake.Run(world, 1);
  EXPECT_EQ(report.end, RunReport::End::kComplete) << report.message;
  ASSERT_EQ(fake.sink.outcomes.size(), 1U);
  EXPECT_EQ(fake.sink.outcomes[0].events.size(), 50U);
  EXPECT_TRUE(fake.sink.outcomes[0].capped);
}

TEST(External, AFileThatAFuzzySearcherCannotReadIsSaid) {
  const World world("foo", 1, "foo\n");
  Fake fake(Ugrep(), "echo \"ugrep: warning: cannot read $1: Permission denied\" >&2; exit 2");
  const RunReport report = fake.Run(world, 1);
  EXPECT_EQ(report.end, RunReport::End::kComplete) << report.message;
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
