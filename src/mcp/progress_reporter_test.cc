#include "mcp/progress_reporter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "mcp/protocol.h"
#include "mcp/reply.h"

namespace forge::mcp {
namespace {

using ::testing::ElementsAre;
using namespace std::chrono_literals;

class ProgressReporterTest : public ::testing::Test {
 protected:
  std::vector<std::string> lines_;
  Outlet outlet_{[this](std::string_view line) {
    lines_.emplace_back(line);
    return true;
  }};
  ProgressReporter::Clock::time_point now_{};
  CancelSource cancel_;
  ProgressReporter reporter_{[this](const Progress& p) { outlet_.Write(ProgressMessage("t", p)); }, cancel_.token(),
                             [this] { return now_; }};
};

TEST_F(ProgressReporterTest, TenASecondAtMostAndEachFurtherThanTheLast) {
  std::uint64_t done = 0;
  for (int ms = 0; ms < 1000; ++ms) {
    reporter_.Report({.done = ++done});
    now_ += 1ms;
  }
  EXPECT_EQ(lines_.size(), 9U);
  now_ += 1s;
  reporter_.Report({.done = 3});  // cannot fall
  EXPECT_EQ(lines_.size(), 9U);
}

TEST_F(ProgressReporterTest, SaysHowMuchAndOfWhat) {
  now_ += 100ms;
  reporter_.Report({.done = 5, .total = 9, .what = "files searched"});
  now_ += 100ms;
  reporter_.Report({.done = 6});
  EXPECT_THAT(lines_, ElementsAre(R"({"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"t",)"
                                  R"("progress":5,"total":9,"message":"5 files searched"}})"
                                  "\n",
                                  R"({"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"t",)"
                                  R"("progress":6}})"
                                  "\n"));
}

TEST_F(ProgressReporterTest, NothingAfterACancel) {
  now_ += 1s;
  cancel_.Cancel();
  reporter_.Report({.done = 5});
  EXPECT_TRUE(lines_.empty());
}

}  // namespace
}  // namespace forge::mcp
