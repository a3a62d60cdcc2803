// `search --json` against `rg --json`: both outputs are parsed, and compared line by
// line and field by field.
//
// Not compared, because they differ on purpose (docs/guide.md): times; how many files
// and bytes the summary counts, which are those of all files here and those with a
// match there; bytes_searched of a file, which is its size here. Not in the list:
// habits that differ without --json as well (docs/guide.md), and empty matches, which
// ripgrep also finds within a character of several bytes.
#include <sstream>

#include "tests/acceptance/habit.h"

namespace forge::testing {
namespace {

// One habit a line, words separated by blanks.
constexpr const char* kHabits = R"habits(
foo
nothing
-i FOO
-S foo
-w foo
-x -F BAZ
-F -e foo -e bar
-e foo -e bar -e o
fo+|ba.
. multi.txt
\w+ multi.txt
[^o] sub
o
-n foo
-o foo
-o o
-v foo
-v foo sub
-v -C1 foo
-v -A1 o sub
-v -B2 foo noeol.txt
-v -o -C1 foo sub
-C1 foo
-A2 foo
-B1 bar
-A1 -B2 three
-C100 foo
-m1 foo
-m 1 -B1 foo
--max-count 2 o
--max-count=1 -o foo
--passthru foo multi.txt
--passthru nothing multi.txt
--passthru nothing sub
--passthru -v foo multi.txt
-r X foo
-M 10 foo
-M 10 --max-columns-preview foo
--trim foo
--column foo
--vimgrep foo
--heading -n foo
--color always foo
-0 foo
-b foo
-a foo nul.bin
-a bin|after nul.bin
-uu foo
--hidden foo
--max-depth 1 foo
--max-filesize 20 foo
-g *.txt foo
-t txt foo
--sortr path foo
--sort path o
foo empty.txt
-v foo empty.txt
foo noeol.txt
-v x noeol.txt
foo crlf.txt
-C1 end crlf.txt
-o o.* noeol.txt
foo bad.txt
-v bar bad.txt
-C1 next bad.txt
o.*o bad.txt
foo utf16.txt
foo bom.txt
foo a.txt multi.txt
foo sub
foo ./sub
foo sub a.txt
foo nothere
foo a.txt nothere
foo manyparts.txt
)habits";

struct JsonLinesTest : HabitTest {
  JsonLinesTest() {
    using std::string_literals::operator""s;
    tree.Write("tree/a.txt", "one foo\ntwo\nfoo three foo\nfour\nfive\nsix foo\n\nlast Foo foobar\n");
    tree.Write("tree/bad.txt", "foo \xFF foo\nbar\nnext \xC3( foo\n\xE9\n");
    tree.Write("tree/bom.txt",
               "\xEF\xBB\xBF"
               "foo bom\nbar\n");
    tree.Write("tree/crlf.txt", "foo\r\nbar\r\nend foo\r\n");
    tree.Write("tree/empty.txt", "");
    tree.Write("tree/manyparts.txt", Repeat(20'000, "foo,"));
    tree.Write("tree/multi.txt", "äöü foo ß foo\nümlaut \"q\" \\ \x07\t\x7F\n日本語 foo 日本\n");
    tree.Write("tree/noeol.txt", "y\nx foo");
    tree.Write("tree/nul.bin", "foo before\n\0bin\nfoo after\n"s);
    tree.Write("tree/sub/.hid/h.txt", "hidden foo\n");
    tree.Write("tree/sub/n\xE9.txt", "foo name\n");
    tree.Write("tree/sub/nl\nname.txt", "foo line feed\n");
    tree.Write("tree/sub/one.txt", "foo\nbar\nBAZ\nfoo foo\nx\n");
    tree.Write("tree/sub/q\"u\\.txt", "foo quote\n");
    tree.Write("tree/utf16.txt",
               "\xFF\xFE"
               "f\0o\0o\0 \0s\0i\0x\0\n\0b\0a\0r\0\n\0"s);
  }
};

std::vector<std::string> Fields(const std::string& type) {
  std::vector<std::string> fields = {"/type"};
  const auto add = [&](const std::string& in, const std::vector<std::string>& names) {
    for (const std::string& name : names) fields.push_back(in + name);
  };
  if (type != "summary") add("/data/", {"path"});
  if (type == "match" || type == "context") {
    add("/data/", {"lines", "line_number", "absolute_offset", "submatches"});
  }
  if (type == "end") add("/data/", {"binary_offset", "stats/searches"});
  if (type == "end" || type == "summary") {
    add("/data/stats/", {"searches_with_match", "bytes_printed", "matched_lines", "matches"});
  }
  return fields;
}

std::vector<JsonView> Parse(const std::string& text) {
  std::vector<JsonView> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    EXPECT_TRUE(lines.emplace_back(line).valid()) << line;
  }
  return lines;
}

// How many fields were equal.
std::size_t Compare(const std::vector<JsonView>& ours, const std::vector<JsonView>& theirs, const std::string& habit) {
  std::size_t equal = 0;
  EXPECT_EQ(ours.size(), theirs.size()) << habit;
  for (std::size_t i = 0; i < std::min(ours.size(), theirs.size()); ++i) {
    EXPECT_EQ(ours[i].Keys("/data"), theirs[i].Keys("/data")) << habit << ", line " << i;
    EXPECT_EQ(ours[i].Size("/data/stats"), theirs[i].Size("/data/stats")) << habit << ", line " << i;
    for (const std::string& field : Fields(theirs[i].Text("/type"))) {
      EXPECT_EQ(ours[i].At(field), theirs[i].At(field)) << habit << ", line " << i << ", " << field;
      equal += ours[i].At(field) == theirs[i].At(field) ? 1U : 0U;
    }
  }
  return equal;
}

TEST_F(JsonLinesTest, EachFieldIsThatOfRipgrep) {
  std::istringstream lines(kHabits);
  std::size_t habits = 0;
  std::size_t equal = 0;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream text(line);
    Words words;
    for (std::string word; text >> word;) words.push_back(word);
    if (words.empty()) continue;
    words = WithCase(words);
    words.insert(words.begin(), "--json");
    const Ended theirs = Theirs(words);
    const Ended ours = Ours(words);
    EXPECT_EQ(ours.exit_code, theirs.exit_code) << line << ours.err;
    equal += Compare(Parse(ours.out), Parse(theirs.out), line);
    ++habits;
  }
  EXPECT_GE(habits, 60U);
  EXPECT_GE(equal, 5000U);
}

// The lines are the same whichever backend finds them.
TEST_F(JsonLinesTest, EveryBackendPrintsTheSame) {
  for (const Words& habit : std::vector<Words>{{"foo"}, {"-v", "-C1", "foo"}, {"-A1", "bar"}, {"-o", "-i", "FOO"}}) {
    Words words = WithCase(habit);
    words.insert(words.begin(), "--json");
    const std::vector<JsonView> native = Parse(Ours(words).out);
    for (const char* backend : {"ugrep", "rg"}) {
      Compare(Parse(Ours(words, {"--backend", backend}).out), native, habit.back() + " with " + backend);
    }
  }
}

}  // namespace
}  // namespace forge::testing
