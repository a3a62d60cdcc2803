#include "keyword/scope_files.h"

#include <gtest/gtest.h>

#include "tests/testing/temp_tree.h"

namespace forge::keyword {
namespace {

// The tree: scope/ is searched, from scope/src; other/ is allowed but not in the
// scope; secret.txt lies in the scope and is denied.
class ScopeFilesTest : public ::testing::Test {
 protected:
  ScopeFilesTest() {
    tree_.Write("scope/src/a.c", "x");
    tree_.Write("scope/b.c", "x");
    tree_.Write("scope/secret.txt", "x");
    tree_.Write("scope/.ssh/id_rsa", "x");
    tree_.Write("other/c.c", "x");
    tree_.Write("outside.c", "x");
    tree_.Link("../other/c.c", "scope/to_other.c");
    tree_.Link("../outside.c", "scope/to_outside.c");
    tree_.Link("../nothing.c", "scope/to_nothing.c");
    tree_.Link("secret.txt", "scope/to_secret.c");
    tree_.Link("src/a.c", "scope/to_a.c");
    config_.denied_patterns = {"secret.txt"};
  }

  // The path, or "no".
  std::string Find(const std::string& name) {
    const auto sandbox = Sandbox::Create({tree_.Path("scope"), tree_.Path("other")}, tree_.Path("scope/src"), config_);
    if (!sandbox) return sandbox.error().message;
    const std::string root = tree_.Path("scope");
    return ScopeFiles(*sandbox, root).Find(name).value_or("no");
  }

  testing::TempTree tree_;
  SandboxConfig config_;
};

TEST_F(ScopeFilesTest, AreFoundByAbsoluteAndRelativeNames) {
  for (const bool allow_absolute : {true, false}) {
    config_.allow_absolute = allow_absolute;
    EXPECT_EQ(Find("src/a.c"), "src/a.c");
    EXPECT_EQ(Find(tree_.Path("scope/src/a.c")), "src/a.c");
    EXPECT_EQ(Find("src/../b.c"), "b.c");
    EXPECT_EQ(Find("to_a.c"), "src/a.c");
  }
}

// Nothing tells what is there and what is not.
TEST_F(ScopeFilesTest, EverythingElseGetsTheSameNo) {
  for (const std::string& name : {std::string("nothing.c"),
                                  std::string("secret.txt"),
                                  std::string(".ssh/id_rsa"),
                                  std::string(".ssh/nothing"),
                                  std::string("to_other.c"),
                                  std::string("to_outside.c"),
                                  std::string("to_nothing.c"),
                                  std::string("to_secret.c"),
                                  std::string("../outside.c"),
                                  std::string("../nothing.c"),
                                  std::string("../scope/b.c"),
                                  std::string("/etc/passwd"),
                                  std::string("/etc/nothing"),
                                  tree_.Path("outside.c"),
                                  tree_.Path("other/c.c"),
                                  tree_.Path("scope/../outside.c"),
                                  tree_.Path("scope"),
                                  std::string("src"),
                                  std::string("src/"),
                                  std::string("."),
                                  std::string(""),
                                  std::string("/"),
                                  std::string("//b.c"),
                                  tree_.Path("scope") + "//b.c",
                                  std::string("b.c/"),
                                  std::string("b\0.c", 4),
                                  std::string(5000, 'x')}) {
    const std::string found = Find(name);
    if (name == "../scope/b.c") {
      EXPECT_TRUE(found == "no" || found == "b.c") << found;  // it leads back inside; the sandbox decides
    } else {
      EXPECT_EQ(found, "no") << name;
    }
  }
}

}  // namespace
}  // namespace forge::keyword
