// Sizes that only a bounded program survives: a line of 200 MB, a hundred
// thousand files, more arguments than a command line can take.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include "tests/acceptance/answer.h"

namespace forge::testing {
namespace {

using ::testing::HasSubstr;

TEST(LargeSlow, ALineOf200MegabytesIsFoundInBoundedMemory) {
  TempTree tree;
  {
    const std::string megabyte = Repeat(1 << 20, "x");
    std::ofstream out(tree.Path("f"), std::ios::binary);
    for (int i = 0; i < 100; ++i) out << megabyte;
    out << "foo";
    for (int i = 0; i < 100; ++i) out << megabyte;
    out << "\nfoo\n";
  }
  for (const std::string& backend : kBackends) {
    SCOPED_TRACE(backend);
    Command command = ForgeSearch({"call", "Search", Ask("foo", R"("timeout_ms":120000)"), "--root", tree.root(),
                                   "--backend", backend, "--set", "tools.search.max_file_size_bytes=1000000000",
                                   "--set", "tools.search.max_answer_bytes=1000000000"});
    command.deadline = std::chrono::seconds(150);
    const Ended ended = RunProgram(command);
    EXPECT_EQ(ended.exit_code, 0) << ended.out.substr(0, 1000);
    EXPECT_LT(ended.max_rss_kb, 1500 * 1024);
    EXPECT_THAT(ended.out.substr(0, 200), HasSubstr(R"("line_number":1,"column":104857601,)"));
    const std::string tail = ended.out.substr(ended.out.size() - std::min<std::size_t>(ended.out.size(), 5000));
    EXPECT_THAT(tail, HasSubstr(R"("line_number":2,"column":1,)"));
    EXPECT_THAT(tail, HasSubstr(R"("content":"f\n1:104857601:)")) << "content is clipped";
  }
}

// ugrep says once which lines are like the pattern, and we keep a million of them.
TEST(LargeSlow, WhatIsLeftOutOfMillionsOfFuzzyLinesIsSaid) {
  TempTree tree;
  tree.Write("f", Repeat(2'100'000, "neadle\n"));
  Command command = ForgeSearch({"search", "--backend", "ugrep", "--fuzzy", "1", "-c", "needle", "f"});
  command.cwd = tree.root();
  command.deadline = std::chrono::seconds(150);
  const Ended ended = RunProgram(command);
  EXPECT_EQ(ended.exit_code, 2) << ended.out;
  EXPECT_THAT(ended.err, HasSubstr("f: more than a million lines are like the pattern")) << ended.out;
}

// What `search` prints is streamed out of one file as well. In a shell that counts
// the bytes: the test would hold them.
TEST(LargeSlow, AHugeFileIsSearchedInLittleMemory) {
  constexpr std::size_t kLines = 400'000;
  TempTree tree;
  {
    std::ofstream out(tree.Path("log"), std::ios::binary);
    const std::string line = Repeat(9, "0123456789") + " foo\n";
    for (std::size_t i = 0; i < kLines; ++i) out << line;
    out << "needle\n";
  }
  tree.Write("empty", Repeat(1'000'000, "\n"));
  const struct {
    const char* words;
    std::size_t bytes;  // of output
  } cases[] = {
      {"-c foo log", 7},
      {"-l foo .", 6},
      {"foo log", kLines * 95},
      {"-o foo log", kLines * 4},
      {"-v foo log", 7},
      {"-B2 needle log", 2 * 95 + 7},
      {"--passthru needle log", kLines * 95 + 7},
      {"foo < log", kLines * 95},
      {"--passthru foo empty", 1'000'000},
      {"-v foo empty", 1'000'000},
      {"--passthru foo < empty", 1'000'000},
  };
  for (const std::string& backend : kBackends) {
    for (const auto& c : cases) {
      SCOPED_TRACE(backend + " " + c.words);
      const std::string program = ForgeSearch({}).argv.front();
      Command command;
      command.argv = {"/bin/sh", "-c",
                      program + " --backend " + backend + " --index off --server off search " + c.words + " | wc -c"};
      command.env = ForgeSearch({}).env;
      command.cwd = tree.root();
      command.deadline = std::chrono::seconds(150);
      const Ended ended = RunProgram(command);
      EXPECT_EQ(std::atoll(ended.out.c_str()), static_cast<long long>(c.bytes)) << ended.err;
      EXPECT_LT(ended.max_rss_kb, 48 * 1024);
    }
  }
}

// Each byte of one line is a match. What is held is the line, a few times, and two
// bytes a match: with a struct for each it was 80 bytes.
TEST(LargeSlow, MillionsOfMatchesInOneLineTakeLittleMemory) {
  constexpr std::size_t kMatches = 8'000'000;
  TempTree tree;
  tree.Write("line", std::string(kMatches, 'a'));
  const std::string program = ForgeSearch({}).argv.front();
  const struct {
    const char* words;
    std::size_t bytes;  // of output
  } cases[] = {
      {"-o a line", 2 * kMatches},
      {"-on a line", 4 * kMatches},
      {"-r b a line", kMatches + 1},
      {"-o -r bb a line", 3 * kMatches},
      {"-c a line", 2},
      {"--count-matches a line", 8},
      {"--color always a line", kMatches + 18},
      {"-o a < line", 2 * kMatches},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.words);
    Command command;
    command.argv = {"/bin/sh", "-c", program + " --index off --server off search " + c.words + " | wc -c"};
    command.env = ForgeSearch({}).env;
    command.cwd = tree.root();
    command.deadline = std::chrono::seconds(150);
    const Ended ended = RunProgram(command);
    EXPECT_EQ(std::atoll(ended.out.c_str()), static_cast<long long>(c.bytes)) << ended.err;
    EXPECT_LT(ended.max_rss_kb, 200 * 1024);  // 640 MB with a struct for each
  }
}

// Context may be asked for in any amount; what an answer holds is bounded.
TEST(LargeSlow, MillionsOfContextLinesEndAtMaxAnswerBytes) {
  TempTree tree;
  for (const char* name : {"f", "g"}) tree.Write(name, Repeat(990'000, "\n") + "b\n" + Repeat(990'000, "\n"));
  for (const std::string& backend : kBackends) {
    SCOPED_TRACE(backend);
    const Answer answer = SearchWith(backend, tree, Ask("b", R"("context":10000000,"max_results":10000000)"));
    EXPECT_TRUE(answer.truncated());
    EXPECT_FALSE(answer.timed_out());
    EXPECT_THAT(answer.ended().out, HasSubstr("truncated at max_answer_bytes"));
    EXPECT_LT(answer.ended().max_rss_kb, 600 * 1024);
  }
}

// One test, because the tree takes longer to make than to search.
TEST(LargeSlow, AHundredThousandFiles) {
  constexpr int kFolders = 200;
  constexpr int kEach = 500;
  if (access("/dev/shm", W_OK) == 0) setenv("TMPDIR", "/dev/shm", 1);  // files are made faster in memory
  TempTree tree;
  for (int d = 0; d < kFolders; ++d) {
    const std::string folder = "d" + std::to_string(1000 + d) + "/";
    tree.MakeFolder(folder);
    for (int i = 0; i < kEach; ++i) {
      std::ofstream(tree.Path(folder + "f" + std::to_string(1000 + i)))
          << ((d * kEach + i) % 9973 == 0 ? "needle\n" : "hay\n");
    }
  }
  const std::vector<std::string> all = {"--set", "tools.search.max_files=1000000"};

  const Answer full = Search(tree, Ask("need.e", R"("timeout_ms":100000)"), all);
  EXPECT_EQ(full.files_scanned(), kFolders * kEach);
  EXPECT_EQ(full.json().At("/count"), "11");
  EXPECT_FALSE(full.timed_out());

  const Answer capped = Search(tree, Ask("needle", R"("timeout_ms":100000)"));
  EXPECT_EQ(capped.files_scanned(), 10000);
  EXPECT_EQ(capped.json().At("/count"), "2");
  EXPECT_THAT(capped.content(), HasSubstr("max_files"));

  const auto events = full.events();
  for (const std::string& backend : kBackends) {  // D5: an answer cut in time is a prefix
    for (const int ms : {1, 30, 100, 300}) {
      const Answer cut = SearchWith(backend, tree, Ask("need.e", "\"timeout_ms\":" + std::to_string(ms)), all);
      const auto some = cut.events();
      SCOPED_TRACE(backend + " after " + std::to_string(ms));
      EXPECT_FALSE(cut.truncated());
      ASSERT_LE(some.size(), events.size());
      EXPECT_TRUE(std::equal(some.begin(), some.end(), events.begin()));
      EXPECT_TRUE(cut.timed_out() || some.size() == events.size());
    }
  }
}

TEST(LargeSlow, LongNamesFillManyCommandLines) {
  TempTree tree;
  for (int i = 0; i < 10000; ++i) tree.Write(std::to_string(100000 + i) + Repeat(240, "n"), "foo\n");
  const Answer answer = Search(tree, Ask("foo", R"("max_results":20000,"timeout_ms":100000)"));
  EXPECT_EQ(answer.json().At("/count"), "10000");
  EXPECT_FALSE(answer.truncated());
}

}  // namespace
}  // namespace forge::testing
