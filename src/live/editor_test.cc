#include "live/editor.h"

#include <gtest/gtest.h>

namespace forge::live {
namespace {

using Words = std::vector<std::string>;

Words CommandFor(const Environment::Variables& variables, const std::string& path = "a.c") {
  return EditorCommand(Environment(variables), {path, 12, 3});
}

TEST(LiveEditor, StartsAtTheLine) {
  EXPECT_EQ(CommandFor({}), (Words{"/bin/sh", "-c", "vi \"$@\"", "vi", "+12", "a.c"}));
  EXPECT_EQ(CommandFor({{"EDITOR", "emacs -nw"}}),
            (Words{"/bin/sh", "-c", "emacs -nw \"$@\"", "emacs -nw", "+12", "a.c"}));
  EXPECT_EQ(CommandFor({{"EDITOR", "ed"}, {"VISUAL", "/usr/bin/code --wait"}}),
            (Words{"/bin/sh", "-c", "/usr/bin/code --wait \"$@\"", "/usr/bin/code --wait", "--goto", "a.c:12:3"}));
  EXPECT_EQ(CommandFor({{"EDITOR", "hx"}}).back(), "a.c:12:3");
}

TEST(LiveEditor, ANameIsNeverAnOption) { EXPECT_EQ(CommandFor({}, "-c q").back(), "./-c q"); }

}  // namespace
}  // namespace forge::live
