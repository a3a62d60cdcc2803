#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/testing/cli_fixture.h"
#include "tests/testing/temp_tree.h"

namespace forge::cli {
namespace {

using ::testing::ElementsAre;

constexpr auto kNoRoots =
    R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{}}})"
    "\n";
constexpr auto kWithRoots = R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25",)"
                            R"("capabilities":{"roots":{}}}})"
                            "\n"
                            R"({"jsonrpc":"2.0","method":"notifications/initialized"})"
                            "\n";

// FR-LSI-BG-02: the index starts when the folders are known, not with the first
// call. The conversations here have no call.
class McpStart : public testing::CliFixture {
 protected:
  McpStart() { tree_.MakeFolder(".git"); }

  void Converse(const std::string& lines, std::vector<std::string> more = {}) {
    engines_ = 0;
    in_.clear();
    in_.str(lines);
    std::vector<std::string> arguments = {"--cwd", tree_.root(), "--index=auto"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    arguments.emplace_back("mcp");
    EXPECT_EQ(Run(arguments), 0) << err();
  }
  std::string RootsAnswer() const {
    // A path of Windows begins with a drive, and its URI with one slash more.
    const std::string path = (client_.root().starts_with('/') ? "" : "/") + client_.root();
    return R"({"jsonrpc":"2.0","id":"forge-roots-1","result":{"roots":[{"uri":"file://)" + path + "\"}]}}\n";
  }

  testing::TempTree tree_;
  testing::TempTree client_;
};

TEST_F(McpStart, WithAConfiguredRootAtOnce) {
  Converse("", {"--root", tree_.root()});
  EXPECT_EQ(engines_, 1);
}

TEST_F(McpStart, WithAClientThatHasNoRootsAfterTheHandshake) {
  Converse("");
  EXPECT_EQ(engines_, 0) << "the client has not said whether it has roots";
  Converse(kNoRoots);
  EXPECT_EQ(engines_, 1);
  EXPECT_THAT(options_.roots, ElementsAre(tree_.root()));
}

TEST_F(McpStart, WithAClientThatHasRootsWhenItHasSentThem) {
  Converse(kWithRoots);
  EXPECT_EQ(engines_, 0) << "they are not known yet";
  Converse(kWithRoots + RootsAnswer());
  EXPECT_EQ(engines_, 1);
  EXPECT_THAT(options_.roots, ElementsAre(client_.root()));
}

TEST_F(McpStart, AModernClientWithoutRootsSaysSoInEachRequest) {
  const std::string list = R"({"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":)"
                           R"({"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
                           R"("io.modelcontextprotocol/clientCapabilities":{}}}})"
                           "\n";
  Converse(list + list);
  EXPECT_EQ(engines_, 1);
}

TEST_F(McpStart, WithoutAnIndexNothingStartsEarly) {
  in_.str(kNoRoots);
  EXPECT_EQ(Run({"--cwd", tree_.root(), "--index=off", "mcp"}), 0);
  EXPECT_EQ(engines_, 0);
}

}  // namespace
}  // namespace forge::cli
