#include "forge/result.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace forge {
namespace {

Result<std::string> Failed() { return BadArgs("wrong"); }
Result<std::string> Succeeded() { return std::string("fine"); }

// There is no assert() in these ways, so release builds stop as well.
TEST(ResultDeathTest, AskingAFailedOneForItsValueStopsTheProgram) {
  Result<std::string> failed = Failed();
  const Result<std::string>& constant = failed;
  EXPECT_DEATH((void)failed.value(), "");
  EXPECT_DEATH((void)constant.value(), "");
  EXPECT_DEATH((void)*failed, "");
  EXPECT_DEATH((void)*constant, "");
  EXPECT_DEATH((void)*Failed(), "");
  EXPECT_DEATH((void)failed->size(), "");
  EXPECT_DEATH((void)constant->size(), "");
}

TEST(ResultDeathTest, AskingASuccessfulOneForItsErrorStopsTheProgram) {
  EXPECT_DEATH((void)Succeeded().error(), "");
  const Result<std::string> succeeded = Succeeded();
  EXPECT_DEATH((void)succeeded.error(), "");
}

TEST(ResultDeathTest, AskingASuccessfulStatusForItsErrorStopsTheProgram) {
  const Status succeeded;
  EXPECT_DEATH((void)succeeded.error(), "");
  EXPECT_DEATH((void)Status().error(), "");
}

TEST(Result, HoldsAValueOrAnError) {
  EXPECT_EQ(*Succeeded(), "fine");
  EXPECT_EQ(Succeeded()->size(), 4U);
  EXPECT_EQ(Failed().error().message, "wrong");
  EXPECT_EQ(Failed().error().kind, ErrorKind::kBadArgs);
  Result<std::unique_ptr<int>> moved = std::make_unique<int>(3);
  EXPECT_EQ(*std::move(moved).value(), 3);
  EXPECT_TRUE(Status().ok());
  EXPECT_FALSE(Status(BadArgs("wrong")).ok());
  EXPECT_EQ(Status(BadArgs("wrong")).error().message, "wrong");
}

}  // namespace
}  // namespace forge
