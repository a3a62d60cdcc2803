// Containment without a race: links, replaced roots and git's files, each of which
// tries to lead a search out of its root. A test that tells of an oracle runs
// twice, with another secret outside, and compares bytes.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <functional>

#include "tests/acceptance/answer.h"
#include "tests/testing/open_watch.h"
#include "tests/testing/running_program.h"

namespace forge::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr auto kFollow = R"("follow":true,"hidden":true)";

class Containment : public ::testing::Test {
 protected:
  Containment() {
    tree_.Write("root/a", "inside needle\n");
    tree_.Write("root/b", "inside needle\n");
    tree_.Write("root/sub/f.txt", "inside needle\n");
    tree_.Write("outside/f.txt", "OUTSIDE needle\n");
    tree_.Write("outside/a", "OUTSIDE needle\n");
    tree_.Write("outside/sub/f.txt", "OUTSIDE needle\n");
  }

  // The bytes of the answer, which never hold a byte of the outside.
  std::string Bytes(const std::string& fields = kFollow) const {
    const Answer answer = Search(root_, Ask("needle", fields));
    EXPECT_THAT(answer.ended().out, Not(HasSubstr("OUTSIDE")));
    return answer.ended().out;
  }

  TempTree tree_;
  std::string root_ = tree_.Path("root");
};

// --- Links that lead out.

TEST_F(Containment, ALinkToTheOutsideIsSkippedWhetherItsTargetExistsOrNot) {
  const std::string without = Bytes();
  tree_.Link("../outside/f.txt", "root/file");
  tree_.Link(tree_.Path("outside/f.txt"), "root/absolute");
  tree_.Link("../outside/sub", "root/folder");
  tree_.Link("../outside/link", "root/chain");
  tree_.Link("f.txt", "outside/link");
  EXPECT_EQ(Bytes(), without);
  fs::remove_all(tree_.Path("outside"));
  EXPECT_EQ(Bytes(), without) << "the targets are gone";
}

// Out and back in again: the way must not tell what exists outside.
TEST_F(Containment, ALinkThatComesBackDoesNotTellWhatExistsOutside) {
  tree_.Link("../outside/sub/../../root/a", "root/around");
  tree_.Link(tree_.Path("outside/sub/../../root/sub"), "root/folder");
  const std::string with = Bytes();
  const std::string named = Bytes(R"("path":"around")");
  fs::remove_all(tree_.Path("outside/sub"));
  EXPECT_EQ(Bytes(), with);
  EXPECT_EQ(Bytes(R"("path":"around")"), named);
}

TEST_F(Containment, ADeniedTargetIsSkippedWhetherItExistsOrNot) {
  tree_.Link(".ssh/config", "root/innocent");
  tree_.Link(".ssh/../a", "root/around");
  const std::string without = Search(root_, Ask("needle", kFollow)).ended().out;
  tree_.Write("root/.ssh/config", "OUTSIDE needle\n");
  const Answer with = Search(root_, Ask("needle", kFollow));
  EXPECT_THAT(with.files(), ElementsAre("a", "b", "sub/f.txt"));
  EXPECT_THAT(with.errors(), IsEmpty());
  EXPECT_THAT(without, HasSubstr("\"errors\":[]"));
}

TEST_F(Containment, WhatIsNoFileIsNeverOpenedThroughALink) {
  const std::string without = Bytes();
  const std::string fifo = tree_.Path("outside/fifo");
  ASSERT_EQ(mkfifo(fifo.c_str(), 0666), 0);
  tree_.Link("../outside/fifo", "root/fifo");
  for (const char* device : {"/dev/zero", "/dev/tty", "/dev/stdin", "/proc/self/fd/0", "/proc/self/root"}) {
    tree_.Link(device, "root/" + std::string(device).substr(1 + std::string(device).rfind('/')));
  }
  const OpenWatch watch(fifo);
  EXPECT_EQ(Bytes(), without);
  EXPECT_EQ(Search(root_, Ask("needle", R"("path":"fifo")")).kind(), "SandboxViolation");
  const bool opened = watch.opened();
  close(open(fifo.c_str(), O_PATH | O_CLOEXEC));
  if (watch.opened()) GTEST_SKIP() << "this kernel tells of descriptors that are only places, too";
  EXPECT_FALSE(opened);
  close(open(fifo.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  EXPECT_TRUE(watch.opened()) << "the watch sees nothing";
}

// --- Links that stay inside.

TEST_F(Containment, LinksBackInsideAreFollowed) {
  tree_.Link(tree_.Path("root/sub"), "root/absolute");
  tree_.Link("../root/a", "root/around");
  tree_.Link("sub", "root/relative");
  tree_.Link("relative/f.txt", "root/through");
  tree_.Link("../../root/relative/../a", "root/sub/up");
  const Answer answer = Search(root_, Ask("needle", kFollow));
  EXPECT_THAT(answer.files(), ElementsAre("a", "absolute/f.txt", "absolute/up", "around", "b", "relative/f.txt",
                                          "relative/up", "sub/f.txt", "sub/up", "through"));
  EXPECT_THAT(answer.errors(), IsEmpty());
}

TEST_F(Containment, ALinkMayLeadThroughAnotherRoot) {
  tree_.Write("second/c", "inside needle\n");
  tree_.Link("../root/a", "second/back");
  tree_.Link("../second", "root/second");
  tree_.Link("../second/back", "root/there-and-back");
  const std::vector<std::string> both = {"--root", tree_.Path("second")};
  EXPECT_THAT(Search(root_, Ask("needle", kFollow), both).files(),
              ElementsAre("a", "b", "second/back", "second/c", "sub/f.txt", "there-and-back"));
  EXPECT_THAT(Search(root_, Ask("needle", R"("path":"second/back")"), both).files(), ElementsAre("a"));
  EXPECT_THAT(Search(root_, Ask("needle", kFollow)).files(), ElementsAre("a", "b", "sub/f.txt", "there-and-back"))
      << "without that root its files are outside; a link there may still lead back";
}

// A link outside that leads back in, as a home folder that was moved has it.
TEST_F(Containment, ALinkThroughALinkOutsideThatLeadsBackIsFollowed) {
  tree_.Link("../root", "outside/moved");
  tree_.Link(tree_.Path("outside/moved/a"), "root/link");
  EXPECT_THAT(Search(root_, Ask("needle", kFollow)).files(), ElementsAre("a", "b", "link", "sub/f.txt"));
}

TEST_F(Containment, DotDotBehindALinkIsTheParentOfItsTarget) {
  tree_.Write("root/deep/er/x", "inside needle\n");
  tree_.Link("deep/er", "root/in");
  tree_.Link("../outside/sub", "root/out");
  const auto ask = [&](const std::string& path) { return Search(root_, Ask("needle", "\"path\":" + Quoted(path))); };
  EXPECT_THAT(ask("in/..").files(), ElementsAre("deep/er/x"));
  EXPECT_THAT(ask("in/../../a").files(), ElementsAre("a"));
  for (const char* path : {"out/..", "out/../f.txt", "in/../../..", "in/../../../outside", "out/../../root/a"}) {
    EXPECT_EQ(ask(path).kind(), "SandboxViolation") << path;
  }
}

// --- git's own files.

// Ways in which the tree may name a file outside.
struct GitTrick {
  const char* name;
  std::function<void(const TempTree&)> play;
};

void PrintTo(const GitTrick& trick, std::ostream* out) { *out << trick.name; }

void Config(const TempTree& tree, const std::string& text) {
  tree.Write("root/.git/HEAD", "ref: refs/heads/main\n");
  tree.Write("root/.git/config", text);
}

const GitTrick kTricks[] = {
    {"GitFile", [](const TempTree& t) { t.Write("root/.git", "gitdir: " + t.Path("secret") + "\n"); }},
    {"RelativeGitFile", [](const TempTree& t) { t.Write("root/.git", "gitdir: ../secret\n"); }},
    {"GitLink", [](const TempTree& t) { t.Link("../secret", "root/.git"); }},
    {"ExcludesFile", [](const TempTree& t) { Config(t, "[core]\nexcludesFile = " + t.Path("secret/rules") + "\n"); }},
    {"RelativeExcludesFile", [](const TempTree& t) { Config(t, "[core]\nexcludesFile = ../secret/rules\n"); }},
    {"Include", [](const TempTree& t) { Config(t, "[include]\npath = " + t.Path("secret/config") + "\n"); }},
    {"RelativeInclude", [](const TempTree& t) { Config(t, "[include]\npath = ../../secret/config\n"); }},
    {"ExcludesFileThroughALink",
     [](const TempTree& t) {
       t.Link("../secret/rules", "root/rules");
       Config(t, "[core]\nexcludesFile = " + t.Path("root/rules") + "\n");
     }},
    {"ConfigLink",
     [](const TempTree& t) {
       Config(t, "");
       t.Remove("root/.git/config");
       t.Link("../../secret/config", "root/.git/config");
     }},
    {"InfoLink",
     [](const TempTree& t) {
       Config(t, "");
       t.Link("../../secret/info", "root/.git/info");
     }},
    {"CommonDir",
     [](const TempTree& t) {
       t.Write("root/.git", "gitdir: meta\n");
       t.Write("root/meta/commondir", "../../secret\n");
       t.Write("root/meta/HEAD", "ref: refs/heads/main\n");
     }},
    {"IgnoreFileLinks",
     [](const TempTree& t) {
       Config(t, "");
       t.Link("../secret/rules", "root/.gitignore");
       t.Link("../secret/rules", "root/.ignore");
     }},
    {"DeniedExcludesFile",
     [](const TempTree& t) { Config(t, "[core]\nexcludesFile = " + t.Path("root/.ssh/rules") + "\n"); }},
    {"ExcludesFileAround",
     [](const TempTree& t) {
       t.Write("root/rules", "a\n");
       Config(t, "[core]\nexcludesFile = " + t.Path("secret/info/../../root/rules") + "\n");
     }},
};

class GitContainment : public Containment, public ::testing::WithParamInterface<GitTrick> {
 protected:
  // A repository outside whose every rule ignores `name`.
  void Secret(const std::string& name) const {
    fs::remove_all(tree_.Path("secret"));
    tree_.Remove("root/.ssh/rules");
    if (name.empty()) return;
    for (const char* path : {"secret/rules", "secret/info/exclude", "root/.ssh/rules"}) tree_.Write(path, name + "\n");
    tree_.Write("secret/HEAD", "ref: refs/heads/main\n");
    tree_.Write("secret/config", "[core]\nexcludesFile = " + tree_.Path("secret/rules") + "\n");
  }
};

INSTANTIATE_TEST_SUITE_P(Tricks, GitContainment, ::testing::ValuesIn(kTricks),
                         [](const auto& param) { return std::string(param.param.name); });

TEST_P(GitContainment, ASecretOutsideChangesNoByte) {
  tree_.Write("root/.ssh/other", "");
  GetParam().play(tree_);
  Secret("a");
  const std::string first = Bytes(R"("path":".")");
  Secret("b");
  EXPECT_EQ(Bytes(R"("path":".")"), first);
  Secret("*");
  EXPECT_EQ(Bytes(R"("path":".")"), first);
  Secret("");
  EXPECT_EQ(Bytes(R"("path":".")"), first) << "nothing is there";
}

// --- A server that was asked before.

struct Warm {
  std::string backend;
  std::string index;
};

void PrintTo(const Warm& warm, std::ostream* out) { *out << warm.backend << ", index " << warm.index; }

class WarmContainment : public Containment, public ::testing::WithParamInterface<Warm> {
 protected:
  void Start() {
    server_.emplace(ForgeSearch({"mcp", "--structured", "--root", root_, "--backend", GetParam().backend, "--set",
                                 "tools.search.emit_stats=true", "--set", "tools.search.index_mode=" + GetParam().index,
                                 "--set", "tools.search.index_storage=memory"}));
    const std::string hello =
        Send(R"("method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{}})");
    ASSERT_THAT(hello, HasSubstr("serverInfo"));
    const auto end = std::chrono::steady_clock::now() + RunningProgram::kPatience;
    while (GetParam().index == "on" && SafetyState() != "COMPLETE") ASSERT_LT(std::chrono::steady_clock::now(), end);
    ASSERT_THAT(Asked("f.txt"), HasSubstr("there is no path f.txt; sub/f.txt was searched"));
    ASSERT_THAT(Asked("a"), HasSubstr("inside needle"));
    ASSERT_THAT(Asked("."), HasSubstr("sub/f.txt"));
  }

  std::string Send(const std::string& message) {
    server_->Write(R"({"jsonrpc":"2.0","id":)" + std::to_string(++id_) + "," + message + "}\n");
    return server_->ReadLine().value_or("");
  }
  std::string SafetyState() { return JsonView(Asked(".")).Text("/result/structuredContent/stats/index_safety_state"); }
  // The answer as it is sent.
  std::string Asked(const std::string& path, const char* more = "") {
    return Send(R"("method":"tools/call","params":{"name":"Search","arguments":)" +
                Ask("needle", "\"path\":" + Quoted(path) + more) + "}");
  }
  // Each an error, with links followed or not; not a byte of the outside.
  void ExpectErrors(const std::vector<std::string>& paths) {
    for (const std::string& path : paths) {
      for (const char* more : {"", R"(,"follow":true)"}) {
        const std::string answer = Asked(path, more);
        EXPECT_THAT(answer, HasSubstr("\"isError\":true")) << path;
        EXPECT_THAT(answer, Not(HasSubstr("OUTSIDE"))) << path;
      }
    }
  }

  int id_ = 0;
  std::optional<RunningProgram> server_;
};

INSTANTIATE_TEST_SUITE_P(Servers, WarmContainment,
                         ::testing::Values(Warm{"native", "off"}, Warm{"native", "on"}, Warm{"rg", "off"},
                                           Warm{"rg", "on"}, Warm{"ugrep", "off"}, Warm{"ugrep", "on"}),
                         [](const auto& param) { return param.param.backend + "_index_" + param.param.index; });

TEST_P(WarmContainment, ARootThatWasReplacedByALinkIsAnError) {
  Start();
  fs::rename(root_, tree_.Path("away"));
  tree_.Link("outside", "root");
  ExpectErrors({"a", "f.txt", "sub/f.txt", "sub", ".", "", root_, root_ + "/a", "sub/.."});
  fs::remove(root_);
  fs::rename(tree_.Path("away"), root_);
  EXPECT_THAT(Asked("a"), HasSubstr("inside needle")) << "it is back";
}

TEST_P(WarmContainment, ALinkAboveTheRootIsAnError) {
  tree_.Write("elsewhere/root/a", "OUTSIDE needle\n");
  fs::create_directories(tree_.Path("above"));
  fs::rename(root_, tree_.Path("above/root"));
  root_ = tree_.Path("above/root");
  Start();
  fs::rename(tree_.Path("above"), tree_.Path("away"));
  tree_.Link("elsewhere", "above");
  ExpectErrors({"a", ".", "", root_ + "/a"});
}

TEST_P(WarmContainment, AFolderThatWasReplacedByALinkIsNotEntered) {
  Start();
  fs::rename(tree_.Path("root/sub"), tree_.Path("away"));
  tree_.Link("../outside/sub", "root/sub");
  ExpectErrors({"sub", "sub/f.txt"});
  for (const char* more : {"", R"(,"follow":true)"}) {
    const std::string answer = Asked(".", more);
    EXPECT_THAT(answer, HasSubstr("inside needle"));
    EXPECT_THAT(answer, Not(HasSubstr("OUTSIDE")));
    EXPECT_THAT(answer, Not(HasSubstr("sub/f.txt")));
  }
}

}  // namespace
}  // namespace forge::testing
