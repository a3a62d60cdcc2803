#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/testing/cli_fixture.h"

namespace forge::cli {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class SchemaCommand : public testing::CliFixture {};

TEST_F(SchemaCommand, PrintsOneToolOrAll) {
  EXPECT_EQ(Run({"schema", "rg", "--format", "anthropic"}), 0);
  EXPECT_THAT(out(), AllOf(StartsWith("{\n  \"name\": \"Search\""), HasSubstr("\"input_schema\"")));
  EXPECT_EQ(Run({"schema"}), 0);
  EXPECT_THAT(out(), AllOf(StartsWith("[\n"), HasSubstr("\"inputSchema\"")));
  EXPECT_EQ(Run({"schema", "--set", "tools.search.enabled=false"}), 0);
  EXPECT_EQ(out(), "[]\n");
  EXPECT_EQ(Run({"schema", "nope"}), 2);
  EXPECT_EQ(engines_, 0);
}

}  // namespace
}  // namespace forge::cli
