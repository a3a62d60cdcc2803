#include "cli/short_name.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace forge::cli {
namespace {

using ::testing::ElementsAre;

TEST(ShortName, Searches) {
  EXPECT_THAT(Unabbreviated("/usr/bin/frg", {"index", "src"}, true), ElementsAre("search", "index", "src"));
  EXPECT_THAT(Unabbreviated("frg", {"--help"}, false), ElementsAre("search", "--help"));
}

TEST(ShortName, AloneOnATerminalItIsLive) {
  EXPECT_THAT(Unabbreviated("frg", {}, true), ElementsAre("live"));
  EXPECT_THAT(Unabbreviated("frg", {}, false), ElementsAre("search"));
}

TEST(ShortName, TheWholeNameTakesCommands) {
  EXPECT_THAT(Unabbreviated("build/forge-search", {"index", "status"}, true), ElementsAre("index", "status"));
  EXPECT_THAT(Unabbreviated("", {"x"}, true), ElementsAre("x"));
}

}  // namespace
}  // namespace forge::cli
