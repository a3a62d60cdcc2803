#include "setup/hosts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace forge::setup {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

const Starter kProgram = {"/usr/bin/forge-search"};

TEST(Setup, WhatIsWrittenIsFoundAgainAndWritingTwiceChangesNothing) {
  for (const std::string& host : HostNames()) {
    const auto fresh = Edit(host, "", kProgram);
    ASSERT_TRUE(fresh) << host;
    EXPECT_EQ(*fresh, Snippet(host, kProgram)) << host;
    EXPECT_EQ(ProgramIn(host, *fresh), kProgram.program) << host;
    EXPECT_EQ(*Edit(host, *fresh, kProgram), *fresh) << host;
    EXPECT_EQ(ProgramIn(host, ""), std::nullopt) << host;
    EXPECT_EQ(ProgramIn(host, "{{{"), std::nullopt) << host;
  }
}

TEST(Setup, FilesAreWhereHostsLookForThem) {
  const Environment plain(Environment::Variables{{"HOME", "/h"}});
  const Environment moved(Environment::Variables{{"HOME", "/h"}, {"XDG_CONFIG_HOME", "/x"}, {"CODEX_HOME", "/c"}});
  struct Case {
    const char* host;
    const char* user;
    const char* moved;
    const char* project;
  };
  const Case cases[] = {
      {"claude-code", "/h/.claude.json", "/h/.claude.json", "/p/.mcp.json"},
      {"cline", "/h/.cline/data/settings/cline_mcp_settings.json", "/h/.cline/data/settings/cline_mcp_settings.json",
       ""},
      {"codex", "/h/.codex/config.toml", "/c/config.toml", ""},
      {"continue", "/h/.continue/config.yaml", "/h/.continue/config.yaml", ""},
      {"copilot", "/h/.copilot/mcp-config.json", "/h/.copilot/mcp-config.json", "/p/.github/mcp.json"},
      {"cursor", "/h/.cursor/mcp.json", "/h/.cursor/mcp.json", "/p/.cursor/mcp.json"},
      {"gemini", "/h/.gemini/settings.json", "/h/.gemini/settings.json", "/p/.gemini/settings.json"},
      {"kilo", "/h/.config/kilo/kilo.json", "/x/kilo/kilo.json", "/p/kilo.json"},
      {"opencode", "/h/.config/opencode/opencode.json", "/x/opencode/opencode.json", "/p/opencode.json"},
      {"qwen", "/h/.qwen/settings.json", "/h/.qwen/settings.json", "/p/.qwen/settings.json"},
      {"vscode", "/h/.config/Code/User/mcp.json", "/x/Code/User/mcp.json", "/p/.vscode/mcp.json"},
      {"zed", "/h/.config/zed/settings.json", "/x/zed/settings.json", "/p/.zed/settings.json"},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(FileOf(c.host, Scope::kUser, plain, "/p", os::System::kLinux), c.user);
    EXPECT_EQ(FileOf(c.host, Scope::kUser, moved, "/p", os::System::kLinux), c.moved);
    EXPECT_EQ(FileOf(c.host, Scope::kProject, plain, "/p", os::System::kLinux).value_or(""), c.project);
    EXPECT_EQ(FileOf(c.host, Scope::kUser, Environment(), "/p", os::System::kLinux), std::nullopt);
  }
}

TEST(Setup, SomeHostsLookElsewhereOnOtherSystems) {
  const auto file = [](const std::string& host, os::System system, Environment::Variables variables) {
    return FileOf(host, Scope::kUser, Environment(std::move(variables)), "/p", system).value_or("");
  };
  const Environment::Variables mac = {{"HOME", "/h"}, {"XDG_CONFIG_HOME", "/x"}, {"APPDATA", "/a"}};
  EXPECT_EQ(file("vscode", os::System::kMac, mac), "/h/Library/Application Support/Code/User/mcp.json");
  EXPECT_EQ(file("zed", os::System::kMac, mac), "/h/.config/zed/settings.json");
  // A HOME of one's own does not move what hosts of Windows read.
  const Environment::Variables windows = {{"HOME", "/h"}, {"USERPROFILE", "/u"}};
  EXPECT_EQ(file("vscode", os::System::kWindows, windows), "/u/AppData/Roaming/Code/User/mcp.json");
  EXPECT_EQ(file("zed", os::System::kWindows, windows), "/u/AppData/Roaming/Zed/settings.json");
  EXPECT_EQ(file("claude-code", os::System::kWindows, windows), "/u/.claude.json");
  EXPECT_EQ(file("claude-code", os::System::kWindows, {{"HOME", "/h"}}), "/h/.claude.json");
  const Environment::Variables roaming = {{"USERPROFILE", "/u"}, {"APPDATA", "/a"}, {"XDG_CONFIG_HOME", "/x"}};
  EXPECT_EQ(file("vscode", os::System::kWindows, roaming), "/a/Code/User/mcp.json");
  EXPECT_EQ(file("zed", os::System::kWindows, roaming), "/a/Zed/settings.json");
  // The others have one place, and XDG_CONFIG_HOME moves it everywhere.
  for (const std::string& host : HostNames()) {
    const std::string linux = file(host, os::System::kLinux, {{"HOME", "/h"}});
    for (const auto system : {os::System::kMac, os::System::kWindows}) {
      const bool elsewhere = host == "vscode" || (host == "zed" && system == os::System::kWindows);
      EXPECT_EQ(file(host, system, {{"HOME", "/h"}}) != linux, elsewhere) << host;
      EXPECT_EQ(FileOf(host, Scope::kProject, Environment(), "/p", system),
                FileOf(host, Scope::kProject, Environment(), "/p", os::System::kLinux));
    }
  }
  EXPECT_EQ(file("opencode", os::System::kWindows, roaming), "/x/opencode/opencode.json");
}

TEST(Setup, OnlyWhoDoesNotTellItsRootsIsGivenOne) {
  for (const std::string& host : HostNames()) {
    EXPECT_EQ(Snippet(host, kProgram).find("--root") != std::string::npos, host == "cursor") << host;
  }
}

// Continue has a tool Search of its own, and puts nothing before ours.
TEST(Setup, WhereAnotherToolHasTheNameOursGetsAPrefix) {
  for (const std::string& host : HostNames()) {
    EXPECT_EQ(Snippet(host, kProgram).find("--tool-prefix") != std::string::npos, host == "continue") << host;
  }
}

TEST(Setup, WhatElseIsInAJsonFileStays) {
  const auto edited = Edit("cursor",
                           R"({"z":1,"mcpServers":{"other":{"command":"x"},)"
                           R"("forge-search":{"command":"old","env":{"A":"b"}}},"a":[]})",
                           kProgram);
  ASSERT_TRUE(edited);
  EXPECT_THAT(*edited, StartsWith("{\n  \"z\": 1,\n  \"mcpServers\": {\n    \"other\": {\n      \"command\": \"x\""));
  EXPECT_THAT(*edited, HasSubstr("\"A\": \"b\""));
  EXPECT_THAT(*edited, HasSubstr("\"command\": \"/usr/bin/forge-search\""));
  EXPECT_THAT(*edited, Not(HasSubstr("\"old\"")));
}

TEST(Setup, AFileThatCannotBeEditedSafelyIsLeftAlone) {
  EXPECT_THAT(Edit("zed", "// mine\n{}", kProgram).error().message, HasSubstr("comments"));
  EXPECT_THAT(Edit("zed", "[]", kProgram).error().message, HasSubstr("not plain JSON"));
  EXPECT_THAT(Edit("zed", R"({"context_servers":[]})", kProgram).error().message, HasSubstr("not an object"));
  EXPECT_FALSE(Edit("codex", "= broken", kProgram));
  EXPECT_THAT(Edit("codex", "mcp_servers = {}\n", kProgram).error().message, HasSubstr("cannot be added"));
}

// npx runs programs from a cache that it may empty at any time.
TEST(Setup, WhatNpxRunsIsStartedByNpxAgain) {
  EXPECT_EQ(StarterFor("/usr/bin/forge-search").program, "/usr/bin/forge-search");
  const Starter npx = StarterFor("/h/.npm/_npx/1f/node_modules/@forge-search/linux-x64/bin/forge-search");
  for (const std::string& host : HostNames()) {
    const std::string text = Snippet(host, npx);
    EXPECT_EQ(ProgramIn(host, text), "npx") << host;
    EXPECT_LT(text.find("\"-y\""), text.find("\"forge-search\"", text.find("\"-y\""))) << text;
    EXPECT_EQ(text.find("_npx"), std::string::npos) << text;
  }
  EXPECT_EQ(OwnCommand("codex", npx), "codex mcp add forge-search -- npx -y forge-search mcp");
  const Starter windows = StarterFor("C:/h/AppData/Local/npm-cache/_npx/1f/node_modules/@forge-search/x.exe");
  EXPECT_EQ(OwnCommand("codex", windows), "codex mcp add forge-search -- cmd /c npx -y forge-search mcp");
}

TEST(Setup, TomlIsOnlyAppendedTo) {
  const std::string mine = "# mine\nmodel = \"x\"  # keep\n[mcp_servers.other]\ncommand = \"y\"";
  const auto edited = Edit("codex", mine, kProgram);
  ASSERT_TRUE(edited);
  EXPECT_THAT(*edited, StartsWith(mine + "\n\n[mcp_servers.forge-search]\ncommand = \"/usr/bin/forge-search\"\n"));
}

TEST(Setup, AnotherProgramIsCorrectedAndNothingElseChanges) {
  EXPECT_EQ(*Edit("codex",
                  "# \"/old\"\n[mcp_servers.forge-search]\nargs = [\"mcp\", \"/old\"] # mine\n"
                  "command = '/old'  # keep\n",
                  kProgram),
            "# \"/old\"\n[mcp_servers.forge-search]\nargs = [\"mcp\", \"/old\"] # mine\n"
            "command = \"/usr/bin/forge-search\"  # keep\n");
  EXPECT_EQ(
      *Edit("zed", R"({"x": "/old", /* mine */ "context_servers": {"forge-search": {"command": "/old"}}})", kProgram),
      R"({"x": "/old", /* mine */ "context_servers": {"forge-search": {"command": "/usr/bin/forge-search"}}})");
  EXPECT_EQ(*Edit("opencode", R"({"mcp": {"forge-search": {"command": ["/old", "mcp"]}}} // mine)", kProgram),
            R"({"mcp": {"forge-search": {"command": ["/usr/bin/forge-search", "mcp"]}}} // mine)");
}

}  // namespace
}  // namespace forge::setup
