#include "cli/progress_line.h"

#include <gtest/gtest.h>

#include <sstream>

namespace forge::cli {
namespace {

using std::chrono::seconds;

TEST(ProgressLine, SaysWhatAPersonKnows) {
  EXPECT_EQ(ProgressText({12'000, 80'000, "files searched"}, seconds(3), 80), "12,000 of 80,000 files searched, 3 s");
  EXPECT_EQ(ProgressText({1, {}, "files searched"}, seconds(0), 80), "1 file searched, 0 s");
  EXPECT_EQ(ProgressText({}, seconds(2), 80), "0 files searched, 2 s");
}

TEST(ProgressLine, FitsIntoFewColumns) {
  const Progress progress{12, {}, "files searched; the index is being built: 10 of 200 files"};
  EXPECT_EQ(ProgressText(progress, seconds(3), 80),
            "12 files searched, 3 s; the index is being built: 10 of 200 files");
  EXPECT_EQ(ProgressText(progress, seconds(3), 40), "12 files searched, 3 s");
  EXPECT_EQ(ProgressText(progress, seconds(3), 10), "12 files s");
}

TEST(ProgressLine, AShortSearchShowsNone) {
  std::ostringstream out;
  {
    ProgressLine line(out, [] { return 80; });
    line.Report({1, {}, "files searched"});
    line.Around([&] { out << "result\n"; });
  }
  EXPECT_EQ(out.str(), "result\n");
}

}  // namespace
}  // namespace forge::cli
