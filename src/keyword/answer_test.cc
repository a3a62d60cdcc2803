#include "keyword/answer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace forge::keyword {
namespace {

const Paths kHits = {"src/a.c", "b.py", "with space: odd.txt", "Makefile"};

// "path: reason" of each file, then "-path" of each dropped one, then "+N" for
// other lines.
std::string Check(std::string_view text) {
  const CheckedAnswer answer = CheckAnswer(text, "/r", kHits);
  std::string out;
  for (const RelevantFile& file : answer.files) out += file.path + "|" + file.reason + ";";
  for (const std::string& path : answer.dropped) out += "-" + path + ";";
  if (answer.other_lines > 0) out += "+" + std::to_string(answer.other_lines);
  return out + (answer.says_none ? "none" : "");
}

TEST(Answer, FilesAreTakenInWhateverFormTheyAreWritten) {
  const struct {
    const char* text;
    const char* taken;
  } rows[] = {
      {"/r/src/a.c: the parser\n/r/b.py: the tests\n", "/r/src/a.c|the parser;/r/b.py|the tests;"},
      {"src/a.c: x", "/r/src/a.c|x;"},
      {"./src/a.c: x", "/r/src/a.c|x;"},
      {"- src/a.c: x", "/r/src/a.c|x;"},
      {"1. `src/a.c`: x", "/r/src/a.c|x;"},
      {"2) **/r/src/a.c** - x", "/r/src/a.c|x;"},
      {"• src/a.c — x", "/r/src/a.c|x;"},
      {"src/a.c:12: x", "/r/src/a.c|x;"},
      {"`src/a.c:12-40` – x", "/r/src/a.c|x;"},
      {"src/a.c:", "/r/src/a.c|;"},
      {"src/a.c\r\n", "/r/src/a.c|;"},
      {"**`src/a.c`**\n   - x\n", "/r/src/a.c|x;"},
      {"```\nsrc/a.c: x\n```", "/r/src/a.c|x;"},
      {"with space: odd.txt: x", "/r/with space: odd.txt|x;"},
      {"Makefile: x", "/r/Makefile|x;"},
      {"src/a.c: x\n/r/src/a.c: again", "/r/src/a.c|x;"},
      {"src/a.c: see http://x/y: z", "/r/src/a.c|see http://x/y: z;"},
      {"src/a.c: \x1B[2Jx", "/r/src/a.c|[2Jx;"},
  };
  for (const auto& row : rows) EXPECT_EQ(Check(row.text), row.taken) << row.text;
}

TEST(Answer, PathsWithoutAHitAreDroppedAndNamed) {
  const struct {
    const char* text;
    const char* taken;
  } rows[] = {
      {"/r/nope.c: x", "-/r/nope.c;"},         {"/etc/passwd: x\nsrc/a.c: y", "/r/src/a.c|y;-/etc/passwd;"},
      {"../outside.c: x", "-../outside.c;"},   {"/r/../etc/passwd: x", "-/r/../etc/passwd;"},
      {"/rest/src/a.c: x", "-/rest/src/a.c;"}, {"src/a.cc: x", "-src/a.cc;"},
      {"- `nope.py` - x", "-nope.py;"},        {"nope.py:7: x\nnope.py: y", "-nope.py;"},
  };
  for (const auto& row : rows) EXPECT_EQ(Check(row.text), row.taken) << row.text;
}

TEST(Answer, OtherLinesAreCounted) {
  EXPECT_EQ(Check("Here are the files:\n\nsrc/a.c: x\nHope this helps!"), "/r/src/a.c|x;+2");
  EXPECT_EQ(Check("No relevant files found"), "none");
  EXPECT_EQ(Check("no relevant files found."), "none");
  EXPECT_EQ(Check("I cannot help with that."), "+1");
  EXPECT_EQ(Check(""), "");
}

TEST(Answer, IsBoundedHoweverLongItIs) {
  Paths many;
  std::string text;
  for (int i = 0; i < 300; ++i) {
    many.insert("f" + std::to_string(i));
    text += "f" + std::to_string(i) + ": " + std::string(10000, 'x') + "\n";
  }
  const CheckedAnswer answer = CheckAnswer(text, "/r", many);
  EXPECT_EQ(answer.files.size(), kMaxListedFiles);
  EXPECT_EQ(answer.beyond, 100U);
  EXPECT_LE(answer.files[0].reason.size(), kMaxReasonBytes + 3);
}

}  // namespace
}  // namespace forge::keyword
