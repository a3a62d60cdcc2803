#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/testing/cli_fixture.h"
#include "tests/testing/temp_tree.h"

namespace forge::cli {
namespace {

using ::testing::HasSubstr;

class ServeCommand : public testing::CliFixture {
 protected:
  ServeCommand() { variables_["XDG_RUNTIME_DIR"] = runtime_.root(); }

  testing::TempTree runtime_;
};

TEST_F(ServeCommand, WithoutAServerThereIsNothingToShowOrStop) {
  for (const char* what : {"--status", "--stop"}) {
    EXPECT_EQ(Run({"serve", what}), 1);
    EXPECT_THAT(err(), HasSubstr("no server runs"));
  }
}

TEST_F(ServeCommand, TheModeComesFromFlagVariableAndFile) {
  EXPECT_EQ(Run({"search", "x"}), 1);
  EXPECT_EQ(options_.config.server.mode, ServerMode::kAuto);
  variables_["FORGE_SERVER"] = "off";
  EXPECT_EQ(Run({"search", "x"}), 1);
  EXPECT_EQ(options_.config.server.mode, ServerMode::kOff);
  EXPECT_EQ(Run({"search", "x", "--server", "on"}), 1);
  EXPECT_EQ(options_.config.server.mode, ServerMode::kOn);
  variables_["FORGE_SERVER"] = "maybe";
  EXPECT_EQ(Run({"search", "x"}), 2);
  EXPECT_THAT(err(), HasSubstr("server.mode is \"maybe\" (environment FORGE_SERVER), but must be"));
}

// Only `index status` asks a server; the others are about what is stored.
TEST_F(ServeCommand, IndexCommandsWorkHere) {
  statuses_.emplace_back();
  EXPECT_EQ(Run({"index", "status", "--server", "on"}), 0) << err();
  EXPECT_EQ(options_.config.server.mode, ServerMode::kOn);
  EXPECT_EQ(Run({"index", "list", "--server", "on"}), 0) << err();
  EXPECT_EQ(options_.config.server.mode, ServerMode::kOff);
}

}  // namespace
}  // namespace forge::cli
