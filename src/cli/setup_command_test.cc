#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "setup/hosts.h"
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

// What doctor says about a host, when its advice is followed.
TEST_F(SetupCommand, DoctorsAdviceHelpsForEveryHost) {
  const testing::TempTree home;
  const testing::TempTree folder;
  variables_["HOME"] = home.root();
  variables_["PATH"] = folder.root();
  folder.Write("forge-search", "");
  folder.Write("forge-search.exe", "");  // its name on Windows
  std::filesystem::permissions(folder.Path("forge-search"), std::filesystem::perms::owner_all);
  for (const std::string& host : setup::HostNames()) {
    for (const setup::Scope scope : {setup::Scope::kUser, setup::Scope::kProject}) {
      const auto file = setup::FileOf(host, scope, Environment(variables_), folder.root(), os::ThisSystem());
      if (!file) continue;
      const std::string comment = host == "codex" ? "# mine\n" : host == "vscode" || host == "zed" ? "// mine\n" : "";
      std::filesystem::create_directories(std::filesystem::path(*file).parent_path());
      std::ofstream(*file) << comment << setup::Snippet(host, {"/gone/forge-search", {}});
      Run({"doctor", "--cwd", folder.root(), "--root", folder.root()});
      const std::string advice = "forge-search setup " + host + (scope == setup::Scope::kProject ? " --project" : "");
      EXPECT_THAT(out(), HasSubstr(advice + " --write` corrects it"));
      std::vector<std::string> words = {"setup", host, "--write", "--cwd", folder.root()};
      if (scope == setup::Scope::kProject) words.emplace_back("--project");
      EXPECT_EQ(Run(words), 0) << host << err();
      Run({"doctor", "--cwd", folder.root(), "--root", folder.root()});
      EXPECT_THAT(out(), HasSubstr(host + " starts forge-search (" + *file + ")"));
    }
  }
}

}  // namespace
}  // namespace forge::cli
