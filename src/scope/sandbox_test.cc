#include "scope/sandbox.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

#include "tests/testing/temp_tree.h"
#include "tests/testing/unprivileged.h"

namespace forge {
namespace {

using ::testing::HasSubstr;
using testing::TempTree;

// root/          the allowed root, and the working folder
// rooted/secret  a neighbour whose name starts the same
class SandboxTest : public ::testing::Test {
 protected:
  SandboxTest() {
    tree_.Write("root/src/a.c", "");
    tree_.Write("root/sub/b.c", "");
    tree_.Write("rooted/secret", "");
    tree_.Link("src", "root/link");
    tree_.Link("../rooted", "root/out");
    tree_.Link("../rooted/missing", "root/out-missing");
    tree_.Link("../root/src", "root/through");
    tree_.Link("../rooted/../root/src", "root/around");
    tree_.Link("../missing/../root/src", "root/around-missing");
    tree_.Link("../rooted/back/a.c", "root/through-link");
    tree_.Link("../rooted/../root/src", "rooted/back");
    tree_.Link("nowhere", "root/broken");
    tree_.Link("loop", "root/loop");
    Make({});
  }

  void Make(const SandboxConfig& config, const std::string& working_dir = "") {
    Result<Sandbox> made = Sandbox::Create({tree_.Path("root")}, working_dir, config);
    ASSERT_TRUE(made.ok()) << made.error().message;
    sandbox_ = std::move(*made);
  }

  // "root/src", or the kind of error.
  std::string Resolved(std::string_view path) const {
    const Result<Target> target = sandbox_->Resolve(path);
    if (target) return target->path().substr(tree_.root().size() + 1);
    if (target.error().kind == ErrorKind::kSandboxViolation) return std::string(ReasonName(target.error().code));
    return std::string(Name(target.error().kind));
  }

  std::string Message(std::string_view path) const { return sandbox_->Resolve(path).error().message; }

  TempTree tree_;
  std::optional<Sandbox> sandbox_;
};

TEST_F(SandboxTest, PathsAreResolvedInsideTheRoots) {
  const std::string outside = "PathOutsideSandbox";
  const std::string missing = "ExecutionFailed";
  const struct {
    std::string path;
    std::string result;
  } cases[] = {
      {"", "root"},
      {".", "root"},
      {"src", "root/src"},
      {"./src//a.c", "root/src/a.c"},
      {"src/", "root/src"},
      {"src/a.c/", "root/src/a.c"},
      {"src/../sub", "root/sub"},
      {"link", "root/src"},
      {"link/a.c", "root/src/a.c"},
      {"link/../sub", "root/sub"},
      {"through/a.c", "root/src/a.c"},   // out and back in again: the end counts
      {"through-link", "root/src/a.c"},  // by a link outside, which is not the tree's
      {tree_.Path("root"), "root"},
      {tree_.Path("root/src"), "root/src"},
      // ".." where one end is outside
      {"..", outside},
      {"../root", outside},
      {"src/../..", outside},
      {"missing/../..", outside},
      {tree_.Path("root/../root/src"), outside},
      {"out/..", outside},
      // outside, whether it is there or not
      {"/", outside},
      {"/etc/passwd", outside},
      {"/no/such/place", outside},
      {tree_.Path("rooted"), outside},  // component-wise (I3)
      {tree_.Path("rooted/secret"), outside},
      {"out", outside},
      {"out/secret", outside},
      {"out/no-such", outside},
      {"out-missing", outside},
      {"around", outside},  // or it would tell that ../rooted exists
      {"around-missing", outside},
      // inside, but not there
      {"nope", missing},
      {"nope/../src", missing},
      {"src/a.c/x", missing},
      {"src/a.c/..", missing},
      {"broken", missing},
      {"loop", missing},
  };
  for (const auto& c : cases) EXPECT_EQ(Resolved(c.path), c.result) << c.path;
}

TEST_F(SandboxTest, ErrorsSayWhatWasWrong) {
  EXPECT_EQ(Message("nope"), "path does not exist: nope");
  EXPECT_EQ(Message(tree_.Path("root/nope")), "path does not exist: " + tree_.Path("root/nope"));
  EXPECT_THAT(Message("loop"), HasSubstr("too many symbolic links"));
  EXPECT_THAT(Message("../x\x1B[31m\xFF"), HasSubstr("outside the allowed folders: ../x\\u001b[31m\uFFFD; "));
  EXPECT_EQ(Resolved(std::string_view("a\0b", 3)), "BadArgs");
}

TEST_F(SandboxTest, AFolderThatIsGoneIsNamedAndFoundAgain) {
  tree_.Remove("root");
  const std::string gone = "the searched folder does not exist any more: " + tree_.Path("root") +
                           "; it is searched again as soon as it has been made again";
  for (const char* path : {"", ".", "src", "src/a.c"}) EXPECT_EQ(Message(path), gone) << path;
  tree_.Write("root/src/a.c", "");
  EXPECT_EQ(Resolved("src"), "root/src");
}

TEST_F(SandboxTest, NothingTellsWhatExistsOutside) {
  const auto without = [&](std::string_view path) {
    std::string message = Message(path);
    const std::size_t at = message.find(": " + std::string(path) + ";");
    return at == std::string::npos ? "path not named" : message.erase(at, path.size() + 3);
  };
  EXPECT_EQ(without("out/secret"), without("out/no-such"));
  EXPECT_EQ(without("/etc/passwd"), without("/etc/no-such"));
  EXPECT_EQ(without("out"), without("out-missing"));
  EXPECT_THAT(Message("out"), ::testing::Not(HasSubstr("rooted")));
}

TEST_F(SandboxTest, TheTypeIsThatOfTheTarget) {
  ASSERT_EQ(mkfifo(tree_.Path("root/fifo").c_str(), 0600), 0);
  EXPECT_EQ(sandbox_->Resolve("link")->type(), os::FileType::kDirectory);
  EXPECT_EQ(sandbox_->Resolve("src/a.c")->type(), os::FileType::kRegular);
  EXPECT_EQ(sandbox_->Resolve("fifo")->type(), os::FileType::kOther);
}

TEST_F(SandboxTest, AbsolutePathsCanBeForbidden) {
  Make({.allowed_roots = {}, .denied_patterns = {}, .allow_absolute = false});
  EXPECT_EQ(Resolved(tree_.Path("root/src")), "PathOutsideSandbox");
  EXPECT_THAT(Message("/x"), HasSubstr("absolute paths are not allowed"));
}

TEST_F(SandboxTest, RelativePathsStartAtTheWorkingFolder) {
  Make({}, tree_.Path("root/src"));
  EXPECT_EQ(Resolved("a.c"), "root/src/a.c");
  EXPECT_EQ(Resolved(""), "root/src");
  EXPECT_EQ(Resolved("../sub"), "root/sub");
  EXPECT_EQ(Resolved("../.."), "PathOutsideSandbox");
  EXPECT_EQ(sandbox_->Display(tree_.Path("root/src/a.c")), "a.c");
  EXPECT_EQ(sandbox_->Display(tree_.Path("root/src")), ".");
  EXPECT_EQ(sandbox_->Display(tree_.Path("root/sub/b.c")), tree_.Path("root/sub/b.c"));
}

TEST_F(SandboxTest, DenyPatternsWinOverEverything) {
  tree_.Write("root/.ssh/config", "");
  tree_.Write("root/deep/id_rsa.pub", "");
  tree_.Write("root/secrets/a.txt", "");
  tree_.Write("root/x/secrets/a.txt", "");
  tree_.Link("../src/a.c", "root/sub/link.pem");
  tree_.Link("../.ssh/config", "root/sub/innocent");
  Make({.allowed_roots = {}, .denied_patterns = {"secrets/*.txt", "/etc-like/**"}});
  const std::string denied = "DeniedPatternMatched";
  const struct {
    std::string path;
    std::string result;
  } cases[] = {
      {".ssh", denied},
      {".ssh/config", denied},
      {".ssh/no-such", denied},  // before existence
      {".ssh/../src", denied},
      {"x/.ssh/y", denied},  // not even its folder is there
      {"deep/id_rsa.pub", denied},
      {"deep/id_rsa_missing", denied},
      {"no-such.pem", denied},
      {"no-such/k.key", denied},
      {"sub/link.pem", denied},  // as named
      {"sub/innocent", denied},  // as resolved
      {"secrets/a.txt", denied},
      {"x/secrets/a.txt", "root/x/secrets/a.txt"},
      {"secrets", "root/secrets"},
      {"etc-like", denied},
      {"src", "root/src"},
  };
  for (const auto& c : cases) EXPECT_EQ(Resolved(c.path), c.result) << c.path;
  EXPECT_FALSE(sandbox_->Admits(tree_.Path("root/.ssh/config"), false));
  EXPECT_FALSE(sandbox_->Admits(tree_.Path("rooted/secret"), false));
  EXPECT_TRUE(sandbox_->Admits(tree_.Path("root/src/a.c"), false));
  EXPECT_TRUE(sandbox_->DeniesEntry(tree_.Path("root/.ssh"), true));
  EXPECT_FALSE(sandbox_->DeniesEntry(tree_.Path("root/.ssh"), false));
}

TEST_F(SandboxTest, DefaultDeniesCanBeTurnedOff) {
  tree_.Write("root/a.pem", "");
  Make({.allowed_roots = {}, .denied_patterns = {"*.c"}, .include_default_denies = false});
  EXPECT_EQ(Resolved("a.pem"), "root/a.pem");
  EXPECT_EQ(Resolved("src/a.c"), "DeniedPatternMatched");
}

TEST_F(SandboxTest, CreateNamesTheSettingAtFault) {
  const auto message = [&](const std::vector<std::string>& roots, const std::string& working,
                           const SandboxConfig& config) {
    return Sandbox::Create(roots, working, config).error().message;
  };
  const std::string root = tree_.Path("root");
  EXPECT_THAT(message({}, "", {}), HasSubstr("tools.sandbox.allowed_roots"));
  EXPECT_THAT(message({tree_.Path("none")}, "", {}), HasSubstr("tools.sandbox.allowed_roots"));
  EXPECT_THAT(message({tree_.Path("root/src/a.c")}, "", {}), HasSubstr("not a folder"));
  EXPECT_THAT(message({root}, tree_.Path("rooted"), {}), HasSubstr("working folder"));
  EXPECT_THAT(message({root}, "", {.allowed_roots = {}, .denied_patterns = {"a[b"}}),
              HasSubstr("tools.sandbox.denied_patterns: the '[' at position 2"));
}

TEST_F(SandboxTest, AFolderWithoutPermissionIsAnError) {
  chmod(tree_.root().c_str(), 0755);
  chmod(tree_.Path("root/src").c_str(), 0);
  const std::string message = testing::AsNobody([&] { return Message("src/a.c"); });
  chmod(tree_.Path("root/src").c_str(), 0755);
  EXPECT_EQ(message, "cannot open path: src/a.c: Permission denied");
}

TEST_F(SandboxTest, AReplacedRootIsNamedAlsoIfNoPathWasGiven) {
  std::filesystem::rename(tree_.Path("root"), tree_.Path("moved"));
  tree_.Link("moved", "root");
  EXPECT_EQ(Message(""), "cannot open path: " + tree_.Path("root") + ": is a symbolic link, or lies behind one");
}

}  // namespace
}  // namespace forge
