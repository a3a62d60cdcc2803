#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/testing/cli_fixture.h"
#include "tests/testing/temp_tree.h"

namespace forge::cli {
namespace {

using ::testing::HasSubstr;

class ConfigCommand : public testing::CliFixture {};

TEST_F(ConfigCommand, PrintShowsOriginsOnRequest) {
  EXPECT_EQ(Run({"config", "print", "--origin", "--set", "tools.search.max_files=5"}), 0);
  EXPECT_THAT(out(), HasSubstr("max_files = 5  # --set\n"));
  EXPECT_EQ(Run({"config", "print"}), 0);
  EXPECT_THAT(out(), HasSubstr("max_files = 10000\n"));
}

TEST_F(ConfigCommand, InitWritesAFileOnceAndForTheOwnerOnly) {
  testing::TempTree home;
  variables_["HOME"] = home.root();
  EXPECT_EQ(Run({"config", "init"}), 0) << err();
  const std::string path = home.Path(".forge/config.toml");
  EXPECT_EQ(out(), "wrote " + path + "\n");
  EXPECT_EQ(std::filesystem::status(path).permissions(),
            std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(home.Path(".forge")), {}), 1);
  EXPECT_EQ(Run({"config", "check"}), 0);
  EXPECT_EQ(out(), path + ": ok\n");
  home.Write(".forge/config.toml", "mine = 1");
  EXPECT_EQ(Run({"config", "init"}), 2);
  EXPECT_EQ(home.Read(".forge/config.toml"), "mine = 1");
  EXPECT_EQ(Run({"config", "check"}), 0);
  EXPECT_EQ(out(), path + ": 1 warning\n");
  EXPECT_EQ(Run({"config", "init", "--path", home.Path("other.toml")}), 0);
}

}  // namespace
}  // namespace forge::cli
