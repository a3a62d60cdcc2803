#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/testing/cli_fixture.h"
#include "tests/testing/temp_tree.h"

namespace forge::cli {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class SetupCommand : public testing::CliFixture {};

TEST_F(SetupCommand, WritesOnceKeepsACopyAndLeavesCommentsAlone) {
  testing::TempTree home;
  variables_["HOME"] = home.root();
  EXPECT_EQ(Run({"setup", "cursor"}), 0);
  EXPECT_THAT(out(), HasSubstr("\"mcpServers\""));
  EXPECT_FALSE(std::filesystem::exists(home.Path(".cursor/mcp.json"))) << "it only prints";
  EXPECT_EQ(Run({"setup", "cursor", "--write"}), 0);
  EXPECT_EQ(out(), "wrote " + home.Path(".cursor/mcp.json") + "\n");
  EXPECT_EQ(Run({"setup", "cursor", "--write"}), 0);
  EXPECT_EQ(out(), home.Path(".cursor/mcp.json") + " has it already\n");
  home.Write(".codex/config.toml", "model = \"x\"\n");
  EXPECT_EQ(Run({"setup", "codex", "--write"}), 0);
  EXPECT_EQ(home.Read(".codex/config.toml.before-forge-search"), "model = \"x\"\n");
  EXPECT_THAT(home.Read(".codex/config.toml"), StartsWith("model = \"x\"\n\n[mcp_servers.forge-search]\n"));
  home.Write(".gemini/settings.json", "{} // mine\n");
  EXPECT_EQ(Run({"setup", "gemini", "--write"}), 2);
  EXPECT_THAT(err(), HasSubstr("was not changed"));
  EXPECT_EQ(home.Read(".gemini/settings.json"), "{} // mine\n");
  EXPECT_EQ(Run({"setup", "codex", "--project"}), 2);
  EXPECT_EQ(Run({"doctor"}), 1) << out();
  EXPECT_THAT(out(), AllOf(HasSubstr("cursor would start forge-search, which does not exist"), HasSubstr("codex")));
}

TEST_F(SetupCommand, SaysThatABuildFolderDoesNotLast) {
  testing::TempTree tree;
  variables_["HOME"] = tree.root();
  program_ = tree.Path("build/forge-search");
  tree.Write("build/forge-search", "");
  EXPECT_EQ(Run({"setup", "cursor"}), 0);
  EXPECT_EQ(err(), "");
  tree.Write("build/CMakeCache.txt", "");
  EXPECT_EQ(Run({"setup", "cursor"}), 0);
  EXPECT_THAT(err(), HasSubstr("is in a build folder"));
  EXPECT_THAT(out(), HasSubstr(program_));
}

}  // namespace
}  // namespace forge::cli
