// Where a search may go (FR-VAL-04/06, B5 to B8, B14, C25, I1 to I3).
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>

#include "tests/acceptance/answer.h"

namespace forge::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

std::string Path(const std::string& path, const std::string& more = "") {
  return Ask("foo", "\"path\":" + Quoted(path) + more);
}

struct Sandbox : ::testing::Test {
  Sandbox() {
    tree.Write("root/a", "foo\n");
    tree.Write("root/sub/b", "foo\n");
    tree.Write("root2/c", "foo\n");
    tree.Write("outside/secret", "foo\n");
    root = tree.Path("root");
  }
  std::string KindOf(const std::string& path) { return Search(root, Path(path)).kind(); }

  TempTree tree;
  std::string root;
};

TEST_F(Sandbox, RelativePathsStartAtTheWorkingFolder) {
  const Answer answer = Search(root, Path("sub"));
  EXPECT_THAT(answer.files(), ElementsAre("sub/b"));
  EXPECT_EQ(answer.json().Text("/path"), root + "/sub");
}

TEST_F(Sandbox, RedundantPartsOfAPathAreDropped) {  // FR-LS-05b, D3
  for (const char* path : {"sub", "./sub", "sub/", "sub/.", ".//sub//", "sub/../sub", "./sub/../sub/./"}) {
    const Answer answer = Search(root, Path(path));
    EXPECT_EQ(answer.json().Text("/path"), root + "/sub") << path;
    EXPECT_THAT(answer.files(), ElementsAre("sub/b")) << path;
  }
}

TEST_F(Sandbox, AFileAsPathIsSearchedAlone) {
  const Answer answer = Search(root, Path("sub/b"));
  EXPECT_EQ(answer.json().Text("/path"), root + "/sub/b");
  EXPECT_THAT(answer.events(), ElementsAre("sub/b:1:1:foo|foo"));
  EXPECT_EQ(answer.files_scanned(), 1);
}

TEST_F(Sandbox, AnAbsolutePathInsideIsFine) {  // B6
  EXPECT_THAT(Search(root, Path(root + "/sub")).files(), ElementsAre("sub/b"));
  EXPECT_EQ(Search(root, Path(root + "/sub"), {"--set", "tools.sandbox.allow_absolute=false"}).kind(),
            "SandboxViolation");
}

TEST_F(Sandbox, OutsideIsAViolationWhetherItExistsOrNot) {  // B5, B7: no existence oracle
  for (const std::string& path :
       {std::string(".."), std::string("../outside"), std::string("../outside/secret"), std::string("../no-such-thing"),
        std::string("sub/../../outside"), std::string("/"), std::string("/etc/passwd"), std::string("/no/such"),
        tree.Path("outside"), std::string("nothere/../../outside")}) {
    EXPECT_EQ(KindOf(path), "SandboxViolation") << path;
  }
}

TEST_F(Sandbox, TheMessageForOutsideDoesNotTellWhetherItExists) {
  const std::string existing = Search(root, Path("../outside/secret")).message();
  std::string missing = Search(root, Path("../outside/nowhere")).message();
  const std::size_t at = missing.find("nowhere");
  ASSERT_NE(at, std::string::npos);
  EXPECT_EQ(existing, missing.replace(at, 7, "secret"));
}

TEST_F(Sandbox, ASiblingWithTheSamePrefixIsOutside) {  // I3
  EXPECT_EQ(KindOf("../root2"), "SandboxViolation");
  EXPECT_EQ(KindOf(tree.Path("root2/c")), "SandboxViolation");
}

TEST_F(Sandbox, InsideAndMissingIsExecutionFailed) {  // FR-LS-VAL-05
  const Answer answer = Search(root, Path("sub/nothere"));
  EXPECT_EQ(answer.kind(), "ExecutionFailed");
  EXPECT_THAT(answer.message(), HasSubstr("nothere"));
  EXPECT_EQ(KindOf("a/b"), "ExecutionFailed") << "a file is not a folder";
}

TEST_F(Sandbox, DotDotIsPhysicalNotLexical) {  // B5: component-wise
  tree.MakeFolder("root/deep/er");
  tree.Link("deep/er", "root/link");
  tree.Write("root/deep/x", "foo\n");
  EXPECT_THAT(Search(root, Path("link/..")).files(), ElementsAre("deep/x"));
}

TEST_F(Sandbox, ALinkToTheOutsideIsAViolationAsPath) {
  tree.Link("../outside", "root/link");
  tree.Link("../outside/secret", "root/file");
  EXPECT_EQ(KindOf("link"), "SandboxViolation");
  EXPECT_EQ(KindOf("link/secret"), "SandboxViolation");
  EXPECT_EQ(KindOf("link/nothere"), "SandboxViolation");
  EXPECT_EQ(KindOf("file"), "SandboxViolation");
}

TEST_F(Sandbox, ADanglingLinkToTheOutsideIsAViolationAsPath) {
  tree.Link("../outside/nothere", "root/dangling");
  EXPECT_EQ(KindOf("dangling"), "SandboxViolation");
}

TEST_F(Sandbox, ALinkInsideIsFineAsPath) {
  tree.Link("sub", "root/link");
  const Answer answer = Search(root, Path("link"));
  EXPECT_EQ(answer.json().Text("/path"), root + "/sub");
  EXPECT_THAT(answer.files(), ElementsAre("sub/b"));
}

TEST_F(Sandbox, LinksAreNotFollowedUnlessAsked) {  // C25
  tree.Link("sub", "root/link");
  tree.Link("a", "root/zfile");
  EXPECT_THAT(Search(root, Ask("foo")).files(), ElementsAre("a", "sub/b"));
  const Answer answer = Search(root, Ask("foo", R"("follow":true)"));
  EXPECT_THAT(answer.files(), ElementsAre("a", "link/b", "sub/b", "zfile"));  // D2: lexical below the root
  EXPECT_THAT(answer.errors(), IsEmpty());
}

TEST_F(Sandbox, FollowedLinksNeverLeaveTheSandbox) {
  tree.Link("../outside", "root/link");
  tree.Link("../outside/secret", "root/file");
  tree.Link(tree.Path("outside"), "root/abs");
  tree.Link("/etc", "root/etc");
  const Answer answer = Search(root, Ask("foo|root", R"("follow":true)"));
  EXPECT_THAT(answer.files(), ElementsAre("a", "sub/b"));
  EXPECT_THAT(answer.errors(), IsEmpty()) << "C25: escapes are skipped silently";
}

TEST_F(Sandbox, ABrokenLinkIsAnErrorWhenFollowed) {
  tree.Link("nothere", "root/broken");
  EXPECT_THAT(Search(root, Ask("foo", R"("follow":true)")).errors(), ElementsAre(StartsWith("broken: ")));
  EXPECT_THAT(Search(root, Ask("foo")).errors(), IsEmpty());
}

TEST_F(Sandbox, LoopsOfLinksEnd) {
  tree.Link(".", "root/self");
  tree.Link("..", "root/sub/up");
  tree.Link("loop2", "root/loop1");
  tree.Link("loop1", "root/loop2");
  const Answer answer = Search(root, Ask("foo", R"("follow":true)"));
  EXPECT_TRUE(answer.ok());
  EXPECT_THAT(answer.files(), ::testing::Contains("a"));
  EXPECT_THAT(answer.files(), ::testing::Contains("sub/b"));
  EXPECT_LT(answer.files().size(), 10U);
}

TEST_F(Sandbox, SeveralRootsAreAllAllowed) {
  const std::vector<std::string> both = {"--root", tree.Path("root2")};
  EXPECT_THAT(Search(root, Ask("foo"), both).files(), ElementsAre("a", "sub/b"));
  const std::string c = tree.Path("root2/c");
  EXPECT_THAT(Search(root, Path(tree.Path("root2")), both).files(), ElementsAre(c)) << "D3: absolute outside the cwd";
  EXPECT_EQ(Search(root, Path(tree.Path("outside")), both).kind(), "SandboxViolation");
}

TEST_F(Sandbox, CwdMovesWhereRelativePathsStart) {
  const Answer answer = Search(root, Ask("foo"), {"--cwd", root + "/sub"});
  EXPECT_THAT(answer.files(), ElementsAre("b"));
  EXPECT_THAT(Search(root, Path(".."), {"--cwd", root + "/sub"}).files(), ElementsAre(root + "/a", "b"));
  EXPECT_EQ(SearchWith("native", root, Ask("foo"), {"--cwd", tree.Path("outside")}).ended().exit_code, 2);
}

TEST_F(Sandbox, ARootThatIsALinkIsTakenAsItsTarget) {
  tree.Link("root", "link");
  const Answer answer = Search(tree.Path("link"), Ask("foo"));
  EXPECT_EQ(answer.json().Text("/path"), root);
  EXPECT_THAT(answer.files(), ElementsAre("a", "sub/b"));
  EXPECT_THAT(Search(tree.Path("link"), Path(tree.Path("link/sub"))).files(), ElementsAre("sub/b"));
}

TEST_F(Sandbox, DeniedFilesAreNeverSearched) {  // I2
  for (const char* name : {".ssh/config", "x/.ssh/y/z", ".gnupg/k", "id_rsa", "d/id_rsa.pub", "cert.pem", "d/my.key"}) {
    tree.Write(std::string("root/") + name, "foo\n");
  }
  const Answer answer = Search(root, Ask("foo", R"("hidden":true,"no_ignore":true)"));
  EXPECT_THAT(answer.files(), ElementsAre("a", "sub/b"));
  EXPECT_EQ(answer.files_scanned(), 2);
  EXPECT_THAT(answer.content(), HasSubstr("denied")) << "R7: what a deny left out is said";
}

// A person reads the names, whatever the backend and the index; a model does not.
TEST_F(Sandbox, OnlyTheCommandLineNamesWhatIsDenied) {
  for (const char* name : {"cert.pem", "d/my.key", "id_rsa", "sub/.ssh/config"}) {
    tree.Write(std::string("root/") + name, "foo\n");
  }
  EXPECT_THAT(Search(root, Ask("foo", R"("hidden":true)")).ended().out, Not(HasSubstr("cert")));
  TempTree cache;
  const auto run = [&](std::vector<std::string> words) {
    Command command = ForgeSearch(std::move(words));
    command.cwd = root;
    command.env["XDG_CACHE_HOME"] = cache.root();
    return RunProgram(command);
  };
  ASSERT_EQ(run({"index", "build"}).exit_code, 0);  // before a server holds it
  const auto note = HasSubstr(": cert.pem, d/my.key, id_rsa and 1 more\n");
  for (const std::string& backend : kBackends) {
    EXPECT_THAT(run({"--backend", backend, "--index=off", "search", "--hidden", "foo"}).err, note) << backend;
  }
  EXPECT_THAT(run({"--index=on", "search", "--hidden", "foo"}).err, note);
  EXPECT_THAT(run({"search", "foo", "."}).err, HasSubstr(": ./cert.pem, ./d/my.key, ./id_rsa\n"));
}

TEST_F(Sandbox, ADeniedPathIsAViolationWhetherItExistsOrNot) {
  tree.Write("root/.ssh/config", "foo\n");
  tree.Write("root/id_rsa", "foo\n");
  for (const char* path : {".ssh/config", ".ssh/nothere", "id_rsa", "id_rsa_nothere", "x/y.pem", "nothere.key"}) {
    EXPECT_EQ(KindOf(path), "SandboxViolation") << path;
  }
}

TEST_F(Sandbox, ADenyHoldsForTheCanonicalPathToo) {
  tree.Write("root/.ssh/config", "foo\n");
  tree.Link(".ssh/config", "root/harmless");
  tree.Link(".ssh", "root/folder");
  tree.Link("a", "root/x.pem");
  EXPECT_EQ(KindOf("harmless"), "SandboxViolation");
  EXPECT_EQ(KindOf("folder/config"), "SandboxViolation");
  EXPECT_EQ(KindOf("x.pem"), "SandboxViolation") << "the lexical path is denied";
  EXPECT_THAT(Search(root, Ask("foo", R"("follow":true)")).files(), ElementsAre("a", "sub/b"));
}

TEST_F(Sandbox, DenyPatternsOfTheConfigurationAreAdded) {
  tree.Write("root/secrets/x", "foo\n");
  tree.Write("root/k.pem", "foo\n");
  const std::vector<std::string> deny = {"--set", R"(tools.sandbox.denied_patterns=["**/secrets/**"])"};
  EXPECT_THAT(Search(root, Ask("foo"), deny).files(), ElementsAre("a", "sub/b"));
  EXPECT_EQ(Search(root, Path("secrets/x"), deny).kind(), "SandboxViolation");
  EXPECT_THAT(Search(root, Ask("foo"), {"--set", "tools.sandbox.include_default_denies=false"}).files(),
              ElementsAre("a", "k.pem", "secrets/x", "sub/b"));
}

TEST_F(Sandbox, SpecialFilesAreNeverOpened) {  // B14
  ASSERT_EQ(mkfifo((root + "/fifo").c_str(), 0666), 0);
  const int fd = socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{AF_UNIX, {}};
  (root + "/sock").copy(address.sun_path, sizeof(address.sun_path) - 1);
  ASSERT_EQ(bind(fd, reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
  tree.Link("fifo", "root/tofifo");
  const Answer answer = Search(root, Ask("foo", R"("follow":true)"));
  close(fd);
  EXPECT_THAT(answer.files(), ElementsAre("a", "sub/b"));
  EXPECT_EQ(answer.files_scanned(), 2);
  EXPECT_EQ(KindOf("fifo"), "ExecutionFailed");
  EXPECT_EQ(KindOf("sock"), "ExecutionFailed");
  EXPECT_EQ(KindOf("tofifo"), "ExecutionFailed");
}

TEST_F(Sandbox, ConfigurationIsNeverReadFromTheTree) {  // R9
  tree.Write("root/.forge/config.toml", "[tools.search]\ndefault_max_results = 1\nbinary = \"/bin/false\"\n");
  tree.Write("root/config.toml", "garbage");
  Command command = ForgeSearch({"call", "Search", Ask("foo")});
  command.cwd = root;
  const Answer answer(RunProgram(command));
  EXPECT_THAT(answer.files(), ElementsAre("a", "sub/b"));
}

TEST_F(Sandbox, BackendsAreNotTakenFromTheTree) {
  tree.Write("root/ugrep", "#!/bin/sh\necho pwned >&2; exit 3\n");
  chmod((root + "/ugrep").c_str(), 0755);
  Command command = ForgeSearch({"call", "Search", Ask("foo")});
  command.cwd = root;
  command.env["PATH"] = ":.:/usr/bin:/bin";
  const Answer answer(RunProgram(command));
  EXPECT_TRUE(answer.ok()) << answer.message();
  EXPECT_THAT(answer.ended().err, Not(HasSubstr("pwned")));
}

}  // namespace
}  // namespace forge::testing
