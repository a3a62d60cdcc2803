// Misbehaving backends, in tests that take seconds.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/acceptance/answer.h"

namespace forge::testing {
namespace {

using ::testing::ElementsAre;

TEST(FakeBackendSlow, AHangingVersionDoesNotHangTheSearch) {
  TempTree tree;
  TempTree tools;
  tree.Write("a", "foo\n");
  const std::string marker = "9" + std::to_string(getpid()) + "78";
  tools.Write("fake", "#!/bin/sh\nexec sleep " + marker + "\n");
  chmod(tools.Path("fake").c_str(), 0755);
  const Answer answer = SearchWith("", tree, Ask("foo"),
                                   {"--set", "tools.search.binary=" + Quoted(tools.Path("fake")), "--set",
                                    "tools.search.fallback_binary=\"ugrep\""});
  EXPECT_THAT(answer.files(), ElementsAre("a")) << answer.message();
  EXPECT_FALSE(SomeProcessHas(marker));
}

}  // namespace
}  // namespace forge::testing
