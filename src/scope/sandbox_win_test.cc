#include <gtest/gtest.h>

#include "base/path.h"
#include "scope/sandbox.h"
#include "tests/testing/temp_tree.h"

namespace forge {
namespace {

class SandboxWin : public ::testing::Test {
 protected:
  SandboxWin() {
    tree_.Write("root/Src/a.c", "");
    tree_.Write("secret", "");
  }
  // "Src/a.c", or the reason why not.
  std::string Resolved(const std::string& path, const SandboxConfig& config = {}) const {
    const std::string root = tree_.Path("root");
    const Result<Target> target = Sandbox::Create({root}, "", config)->Resolve(path);
    return target ? std::string(RelativeTo(target->path(), root)) : std::string(ReasonName(target.error().code));
  }

  testing::TempTree tree_;
};

TEST_F(SandboxWin, APathMayLackItsDrive) {
  const std::string root = "/" + std::string(BelowRoot(tree_.Path("root")));
  EXPECT_EQ(Resolved(root + "/src/A.C"), "Src/a.c");
  EXPECT_EQ(Resolved("\\" + root.substr(1) + "\\Src"), "Src");
  EXPECT_EQ(Resolved("\\Src"), "PathOutsideSandbox") << "the top of the drive, not of the root";
  SandboxConfig config;
  config.allow_absolute = false;
  EXPECT_EQ(Resolved(root + "/Src", config), "PathOutsideSandbox");
  EXPECT_EQ(Resolved("Src\\a.c", config), "Src/a.c");
}

// Nor is it opened: Windows would sign the user in on that server.
TEST_F(SandboxWin, OtherDrivesAndMachinesAreOutside) {
  for (const char* path : {"//server.invalid/share/x", "\\\\server.invalid\\share", "//server.invalid/share/../x",
                           "\\\\?\\UNC\\server.invalid\\share\\x", "\\\\.\\pipe\\x", "Q:/x", "q:\\", "../secret"}) {
    EXPECT_EQ(Resolved(path), "PathOutsideSandbox") << path;
  }
}

}  // namespace
}  // namespace forge
