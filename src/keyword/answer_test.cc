#include "keyword/answer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/testing/seed.h"

namespace forge::keyword {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

const Paths kHits = {"src/a.c", "src/a.c.in", "b.py", "with space: odd.txt", "Makefile"};

// Files of the folder by any name that leads to them.
std::optional<std::string> FindFile(std::string_view name) {
  if (name.starts_with("/r/")) name.remove_prefix(3);
  if (name == "src/../b.py") return "b.py";
  if (name == "docs/x.md" || name == "nohit.c" || name == "LICENSE") return std::string(name);
  return std::nullopt;
}

CheckedAnswer CheckWith(std::string_view text, const Paths& hits, const Secrets& secrets = Secrets()) {
  const std::string root = "/r";
  return CheckAnswer(text, {.root = root, .hits = hits, .find_file = FindFile, .secrets = secrets});
}

// "path|reason;" of each file, "?path|reason;" of each without a hit, "-path;" of
// each dropped one, then the text: "list: ..." or "prose: ...".
std::string Check(std::string_view text) {
  const CheckedAnswer answer = CheckWith(text, kHits);
  std::string out;
  for (const RelevantFile& file : answer.files) out += file.path + "|" + file.reason + ";";
  for (const RelevantFile& file : answer.without_hits) out += "?" + file.path + "|" + file.reason + ";";
  for (const std::string& path : answer.dropped) out += "-" + path + ";";
  if (answer.repeated > 0) out += "again " + std::to_string(answer.repeated) + ";";
  if (!answer.text.empty()) out += (answer.is_prose ? "prose: " : "list: ") + answer.text;
  return out;
}

struct Row {
  const char* text;
  const char* taken;
};

TEST(Answer, FilesAreTakenInWhateverFormTheyAreWritten) {
  const Row rows[] = {
      {"/r/src/a.c: the parser\n/r/b.py: the tests\n", "/r/src/a.c|the parser;/r/b.py|the tests;"},
      {"src/a.c: x", "/r/src/a.c|x;"},
      {"./src/a.c: x", "/r/src/a.c|x;"},
      {"- src/a.c: x", "/r/src/a.c|x;"},
      {"- src/a.c does x", "/r/src/a.c|does x;"},
      {"1. `src/a.c`: x", "/r/src/a.c|x;"},
      {"2) **/r/src/a.c** - x", "/r/src/a.c|x;"},
      {"### 3. `src/a.c`\nx", "/r/src/a.c|x;"},
      {"• src/a.c — x", "/r/src/a.c|x;"},
      {"src/a.c：x", "/r/src/a.c|x;"},
      {"src/a.c (x)", "/r/src/a.c|(x);"},
      {"| src/a.c | x |", "/r/src/a.c|x;"},
      {"src/a.c:12: x", "/r/src/a.c|x;"},
      {"src/a.c:12:7: x", "/r/src/a.c|x;"},
      {"`src/a.c:12-40` – x", "/r/src/a.c|x;"},
      {"src/a.c:", "/r/src/a.c|;"},
      {"src/a.c\r\n", "/r/src/a.c|;"},
      {"src/a.c.", "/r/src/a.c|.;"},
      {"src/a.c.in: x", "/r/src/a.c.in|x;"},
      {"**`src/a.c`**\n   - x\n", "/r/src/a.c|x;"},
      {"```\nsrc/a.c: x\n```", "/r/src/a.c|x;"},
      {"with space: odd.txt: x", "/r/with space: odd.txt|x;"},
      {"Makefile: x", "/r/Makefile|x;"},
      {"src/a.c, b.py: x", "/r/src/a.c|x;/r/b.py|x;"},
      {"[src/a.c](/r/src/a.c): x", "/r/src/a.c|x;"},
      {"[\n  \"src/a.c\",\n  \"b.py\"\n]", "/r/src/a.c|;/r/b.py|;"},
      {"[\"src/a.c\", \"b.py\"]", "/r/src/a.c|;/r/b.py|;"},
      {"src/../b.py: x", "/r/b.py|x;"},
      {"src/a.c: x\n/r/src/a.c: again", "/r/src/a.c|x;again 1;"},
      {"src/a.c: see http://x/y: z", "/r/src/a.c|see http://x/y: z;"},
      {"src/a.c: b.py calls it", "/r/src/a.c|b.py calls it;"},
      {"src/a.c: \x1B[2Jx", "/r/src/a.c|[2Jx;"},
  };
  for (const Row& row : rows) EXPECT_EQ(Check(row.text), row.taken) << row.text;
}

// REQ-KWS-003: a file without a hit is not among the files, and not lost.
TEST(Answer, AFileWithoutAHitGoesIntoAListOfItsOwn) {
  const Row rows[] = {
      {"src/a.c: x\ndocs/x.md: y", "/r/src/a.c|x;?/r/docs/x.md|y;"},
      {"- `/r/nohit.c:7` - y", "?/r/nohit.c|y;"},
      {"nohit.c\n  y", "?/r/nohit.c|y;"},
      {"nohit.c: y\nnohit.c: z", "?/r/nohit.c|y;again 1;"},
      {"LICENSE: y\nNote: z", "?/r/LICENSE|y;list: Note: z"},
  };
  for (const Row& row : rows) EXPECT_EQ(Check(row.text), row.taken) << row.text;
}

TEST(Answer, PathsThatLeadToNoFileAreDroppedAndNamed) {
  const Row rows[] = {
      {"/r/nope.c: x", "-/r/nope.c;"},
      {"/etc/passwd: x\nsrc/a.c: y", "/r/src/a.c|y;-/etc/passwd;"},
      {"../outside.c: x", "-../outside.c;"},
      {"/r/../etc/passwd: x", "-/r/../etc/passwd;"},
      {"/rest/src/a.c: x", "-/rest/src/a.c;"},
      {"src/a.cc: x", "-src/a.cc;"},
      {"- `nope.py` - x", "-nope.py;"},
      {"nope.py:7: x\nnope.py: y", "-nope.py;"},
      {"x.c: a\ny.c: b\nWell.", "-x.c;-y.c;list: Well."},
  };
  for (const Row& row : rows) EXPECT_EQ(Check(row.text), row.taken) << row.text;
}

TEST(Answer, LinesBesideAListComeBackAsText) {
  EXPECT_EQ(Check("Here are the files:\n\nsrc/a.c: x\nHope this helps!"),
            "/r/src/a.c|x;list: Here are the files:\n\nHope this helps!");
  EXPECT_EQ(Check("src/a.c: x\n\nI left out b.py, which only tests it."),
            "/r/src/a.c|x;list: I left out b.py, which only tests it.");
  EXPECT_EQ(Check("No relevant files found"), "");
  EXPECT_EQ(Check("**no relevant files found.**"), "");
  EXPECT_EQ(Check("No relevant files found.\n\nOnly b.py mentions it."), "list: Only b.py mentions it.");
  EXPECT_EQ(Check(""), "");
}

// REQ-KWS-003: the paths in a text are checked like those of a list.
TEST(Answer, ATextInsteadOfAListIsAnAnswer) {
  const Row rows[] = {
      {"I cannot help with that.", "prose: I cannot help with that."},
      {"It is in src/a.c. See b.py, too", "/r/src/a.c|;/r/b.py|;prose: It is in src/a.c. See b.py, too"},
      {"It is in (`/r/src/a.c:12`)", "/r/src/a.c|;prose: It is in (`/r/src/a.c:12`)"},
      {"The file with space: odd.txt has it", "/r/with space: odd.txt|;prose: The file with space: odd.txt has it"},
      {"Not xsrc/a.c, src/a.cc, src/a.c.bak or /x/b.py",
       "-xsrc/a.c;-src/a.cc;-src/a.c.bak;-/x/b.py;prose: Not xsrc/a.c, src/a.cc, src/a.c.bak or /x/b.py"},
      {"See docs/x.md and/or nohit.c, not /etc/passwd",
       "?/r/docs/x.md|;?/r/nohit.c|;-/etc/passwd;prose: See docs/x.md and/or nohit.c, not /etc/passwd"},
      {"Sessions end\n\n\nin src/a.c", "/r/src/a.c|;prose: Sessions end\n\nin src/a.c"},
      {"src/a.c closes it and b.py opens it", "/r/src/a.c|closes it and b.py opens it;/r/b.py|;"},
      {"`src/a.c` closes it.\nThe rest is in b.py.",
       "/r/src/a.c|;/r/b.py|;prose: `src/a.c` closes it.\nThe rest is in b.py."},
      {R"({"files":[{"path":"src/a.c","reason":"x"},{"path":"nohit.c"}]})",
       R"(/r/src/a.c|;?/r/nohit.c|;prose: {"files":[{"path":"src/a.c","reason":"x"},{"path":"nohit.c"}]})"},
      {R"({"files":[{"path":"src/a.c","rea)", R"(/r/src/a.c|;prose: {"files":[{"path":"src/a.c","rea)"},
      {"No relevant files found, I fear.", "prose: No relevant files found, I fear."},
  };
  for (const Row& row : rows) EXPECT_EQ(Check(row.text), row.taken) << row.text;
}

TEST(Answer, IsBoundedHoweverLongItIsAndSaysSo) {
  Paths many;
  std::string text;
  for (int i = 0; i < 300; ++i) {
    many.insert("f" + std::to_string(i));
    text += "f" + std::to_string(i) + ": " + std::string(600, 'x') + "\n";
  }
  const CheckedAnswer list = CheckWith(text, many);
  EXPECT_EQ(list.files.size(), kMaxListedFiles);
  EXPECT_EQ(list.beyond, 100U);
  EXPECT_EQ(list.clipped_reasons, kMaxListedFiles);
  EXPECT_EQ(list.files[0].reason.size(), kMaxReasonBytes + 3);
  EXPECT_EQ(list.answer_bytes_cut, 0U);

  const CheckedAnswer prose = CheckWith(std::string(kMaxAnswerBytes + 7, 'x'), many);
  EXPECT_TRUE(prose.is_prose);
  EXPECT_EQ(prose.text.size(), kMaxTextBytes);
  EXPECT_EQ(prose.text_bytes_cut, kMaxAnswerBytes - kMaxTextBytes);
  EXPECT_EQ(prose.answer_bytes_cut, 7U);

  // The line that is cut is left out whole.
  const CheckedAnswer cut = CheckWith("f1: x\n" + std::string(kMaxAnswerBytes - 8, 'x') + "\nf22: y", many);
  ASSERT_EQ(cut.files.size(), 1U);
  EXPECT_EQ(cut.answer_bytes_cut, 7U);
}

TEST(Answer, NoMoreThanSoManyNamesAreLookedUp) {
  std::size_t asked = 0;
  const std::string root = "/r";
  std::string text;
  for (int i = 0; i < 10000; ++i) text += "x" + std::to_string(i) + ".c: y\n";
  const Secrets secrets;
  const CheckedAnswer answer = CheckAnswer(text, {.root = root,
                                                  .hits = kHits,
                                                  .find_file =
                                                      [&](std::string_view) {
                                                        ++asked;
                                                        return std::nullopt;
                                                      },
                                                  .secrets = secrets});
  EXPECT_EQ(asked, kMaxLookups);
  EXPECT_EQ(answer.dropped_count, 10000U);
  EXPECT_EQ(answer.dropped.size(), kMaxDroppedNames);
  EXPECT_EQ(answer.not_looked_up, 10000U - kMaxLookups);
}

TEST(Answer, AKeyIsInNoPartOfIt) {
  const std::string key = "sk-0123456789abcdefghij";
  const std::string text = "src/a.c: it is " + key + "\n" + std::string(490, 'y') + key + " is the key\n/" + key +
                           ": x\nb.py: " + std::string(kMaxReasonBytes - 15, 'z') + key + "\n";
  const CheckedAnswer answer = CheckWith(text, kHits, Secrets(key));
  ASSERT_EQ(answer.files.size(), 2U);
  EXPECT_EQ(answer.files[0].reason, "it is (key)");
  EXPECT_THAT(answer.files[1].reason, Not(HasSubstr("sk-")));
  EXPECT_THAT(answer.text, AllOf(HasSubstr("y(key) is the key"), Not(HasSubstr("sk-"))));
  EXPECT_THAT(answer.dropped, ElementsAre("/(key)"));
  // A placeholder that is a word must not spoil paths.
  EXPECT_EQ(CheckWith("src/a.c: in src", kHits, Secrets("src")).files[0].path, "/r/src/a.c");
}

TEST(Answer, NothingInItIsInvisibleOrMovesOtherText) {
  const Secrets none;
  EXPECT_EQ(Readable("a\xE2\x80\xAE"
                     "b\xE2\x80\x8B"
                     "c\xF3\xA0\x81\x81"
                     "d\xEF\xBB\xBF",
                     none),
            "abcd");
  EXPECT_EQ(Readable("a\xE2\x80\xA8Note: b", none), "a Note: b");
  EXPECT_EQ(Readable("\x1B]0;x\x07\xC2\x9B"
                     "1m\r",
                     none),
            "]0;x1m");
  EXPECT_EQ(Readable("a\xFFz", none), "a\xEF\xBF\xBDz");
  EXPECT_EQ(Readable("\xE0\xA4\x95\xE2\x80\x8D\xE0\xA4\xB7", none), "\xE0\xA4\x95\xE2\x80\x8D\xE0\xA4\xB7");
  // A key does not come together when what stood between its halves is gone.
  EXPECT_EQ(Readable("sk-01234\xE2\x80\x8B"
                     "56789abcdef",
                     Secrets("sk-0123456789abcdef")),
            "(key)");
}

TEST(Answer, ARootOfEverythingIsARootToo) {
  const std::string root = "/";
  const Paths hits = {"etc/a.c"};
  const Secrets secrets;
  const CheckedAnswer answer =
      CheckAnswer("/etc/a.c: x", {.root = root, .hits = hits, .find_file = FindFile, .secrets = secrets});
  ASSERT_EQ(answer.files.size(), 1U);
  EXPECT_EQ(answer.files[0].path, "/etc/a.c");
}

// Whatever the text is: only files of the world are listed, each once, and
// every list and text is printable.
TEST(Answer, GeneratedAnswersAreHarmless) {
  const std::string_view pieces[] = {"src/a.c",
                                     "b.py",
                                     "/r/",
                                     "nohit.c",
                                     "/etc/passwd",
                                     "../",
                                     ": ",
                                     " - ",
                                     "\n",
                                     "`",
                                     "**",
                                     "[",
                                     "](",
                                     "1. ",
                                     "{\"",
                                     "\x1B[2J",
                                     "\xFF",
                                     "\xE2\x80",
                                     "with space: odd.txt",
                                     "Makefile",
                                     ".",
                                     ",",
                                     " ",
                                     "x",
                                     "No relevant files found",
                                     "|"};
  const std::uint64_t first = testing::FirstSeed();
  for (std::uint64_t seed = first; seed < first + testing::CaseCount(2000); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    testing::Random random(seed);
    std::string text;
    for (std::size_t n = random.Below(40); n > 0; --n) text += random.Pick(pieces);
    const CheckedAnswer answer = CheckWith(text, kHits);
    Paths seen;
    for (const RelevantFile& file : answer.files) {
      EXPECT_TRUE(kHits.contains(file.path.substr(3)) && seen.insert(file.path).second) << text;
      EXPECT_EQ(file.reason.find_first_of("\n\x1B"), std::string::npos) << text;
    }
    for (const RelevantFile& file : answer.without_hits) {
      EXPECT_TRUE(FindFile(file.path).has_value() && seen.insert(file.path).second) << text;
    }
    EXPECT_EQ(answer.text.find('\x1B'), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace forge::keyword
