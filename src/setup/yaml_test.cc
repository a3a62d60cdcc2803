#include "setup/yaml.h"

#include <gtest/gtest.h>

namespace forge::setup {
namespace {

const YamlEntry kEntry = {"mcpServers", "forge-search", "/bin/f s", {"mcp", "--x"}};

TEST(Yaml, TheEntryIsAddedWhereTheFileHasSuchEntries) {
  const std::string item = "- name: forge-search\n  command: \"/bin/f s\"\n  args: [\"mcp\", \"--x\"]\n";
  const std::string indented = "  - name: forge-search\n    command: \"/bin/f s\"\n    args: [\"mcp\", \"--x\"]\n";
  const struct {
    std::string before;
    std::string after;
  } cases[] = {
      {"", "name: Local\nversion: 1.0.0\nschema: v1\nmcpServers:\n" + indented},
      {"name: a\nmodels:\n  - name: m", "name: a\nmodels:\n  - name: m\nmcpServers:\n" + indented},
      {"mcpServers:\n- name: b\n  command: c\nmodels: []\n",
       "mcpServers:\n" + item + "- name: b\n  command: c\nmodels: []\n"},
      {"mcpServers:\n  # mine\n  - name: b\n", "mcpServers:\n" + indented + "  # mine\n  - name: b\n"},
      {"mcpServers:\n", "mcpServers:\n" + indented},
      {"mcpServers: []\nmodels: []\n", "mcpServers:\n" + indented + "models: []\n"},
      {"mcpServers:   # mine\n  - name: b\n", "mcpServers:   # mine\n" + indented + "  - name: b\n"},
      {"# nothing yet\n", "# nothing yet\nmcpServers:\n" + indented},
      {"mcpServers:\n    - name: b\n      args:\n        - name: forge-search\n",
       "mcpServers:\n    - name: forge-search\n      command: \"/bin/f s\"\n      args: [\"mcp\", \"--x\"]\n    - "
       "name: b\n"
       "      args:\n        - name: forge-search\n"},
  };
  for (const auto& c : cases) {
    const auto edited = EditYaml(c.before, kEntry);
    ASSERT_TRUE(edited) << c.before;
    EXPECT_EQ(*edited, c.after) << c.before;
    EXPECT_EQ(*EditYaml(*edited, kEntry), *edited) << "twice changes nothing";
    EXPECT_EQ(YamlProgram(*edited, "mcpServers", "forge-search"), "/bin/f s");
  }
}

TEST(Yaml, WhatIsNotUnderstoodIsLeftAlone) {
  for (const char* text : {"{\"mcpServers\": []}\n", "mcpServers: &x\n  - name: b\n"}) {
    EXPECT_FALSE(EditYaml(text, kEntry)) << text;
  }
}

TEST(Yaml, AnotherProgramBecomesOurs) {
  EXPECT_EQ(*EditYaml("mcpServers:\n  - name: forge-search\n    env: {}\n    command: '/other'\n# end\n", kEntry),
            "mcpServers:\n  - name: forge-search\n    env: {}\n    command: \"/bin/f s\"\n# end\n");
  YamlEntry by_npx = kEntry;
  by_npx.arguments = {"-y", "forge-search", "mcp"};
  EXPECT_FALSE(EditYaml("mcpServers:\n  - name: forge-search\n    command: /other\n", by_npx))
      << "the arguments would have to change, too";
}

// Such an entry would leave our tool hidden behind one of the same name.
TEST(Yaml, ArgumentsThatOnlyStartTheServerBecomeOurs) {
  EXPECT_EQ(*EditYaml("mcpServers:\n  - args: ['mcp']\n    name: forge-search\n    command: /bin/f s\n", kEntry),
            "mcpServers:\n  - args: ['mcp']\n    name: forge-search\n    command: /bin/f s\n")
      << "a list that we cannot read stays";
  EXPECT_EQ(*EditYaml("mcpServers:\n  - args: [\"mcp\"]\n    name: forge-search\n    command: /other # old\n", kEntry),
            "mcpServers:\n  - args: [\"mcp\", \"--x\"]\n    name: forge-search\n    command: \"/bin/f s\" # old\n");
  const std::string own =
      "mcpServers:\n  - name: forge-search\n    command: /bin/f s\n    args: [\"mcp\", \"--root\", \"/r\"]\n";
  EXPECT_EQ(*EditYaml(own, kEntry), own) << "the user's own words stay";
}

TEST(Yaml, AProgramIsThatOfItsEntryAndOfNoOther) {
  EXPECT_EQ(YamlProgram("models:\n  - name: forge-search\n    command: x\n", "mcpServers", "forge-search"),
            std::nullopt);
  EXPECT_EQ(YamlProgram("mcpServers:\n  - name: a\n    command: x\n  - command: y\n    name: forge-search\n",
                        "mcpServers", "forge-search"),
            "y")
      << "in any order";
  EXPECT_EQ(YamlProgram("mcpServers:\n  - name: 'forge-search' \n    args:\n      - mcp\n    command: 'it''s' # x\n",
                        "mcpServers", "forge-search"),
            "it's");
  EXPECT_EQ(YamlProgram("mcpServers:\n  - name: 'a'\n    command: x\n  - name: \"forge-search\"\n    command: y\n",
                        "mcpServers", "forge-search"),
            "y");
}

}  // namespace
}  // namespace forge::setup
