// Promise 1 on one rich tree: the same request gives the same bytes on ugrep, rg
// and native, and again when it is repeated. Search() compares the backends.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <iterator>

#include "tests/acceptance/answer.h"

namespace forge::testing {
namespace {

using namespace std::string_literals;

// Every kind of file that the other tests use, in folders four deep.
void Grow(const TempTree& tree) {
  const std::vector<std::string> texts = {
      "foo bar\nFoo Bar\nFOO\n\nbaz foo\n",
      "foo\r\nbar foo\r\n\r\nfoobar",
      "\xef\xbb\xbf"
      "foo first\nx\ny\nz\nfoo last\n",
      "\xff\xfe"
      "f\0o\0o\0 \0u\0t\0f\0\n\0x\0\n\0"s,
      "caf\xe9 foo\n\xff\xfe foo\n",
      "foo\0bar\n"s,
      "\u00e9t\u00e9 foo\ne\u0301te\u0301\nK\u212ak\n",
      "a\rfoo\rb\nfoo\r\r\n",
      "",
      "\n\n\n",
      Repeat(80, "foo again\nbetween\n"),
      Repeat(400, "x") + " foo " + Repeat(400, "y") + "\n",
      "int main(void) { return foo(bar[1], \"foo\"); } // TODO(foo): fix\n",
  };
  const std::vector<std::string> folders = {"", "a/", "a+/", "a-b/", "src/deep/er/", ".hidden/", "build/", "x y/"};
  const std::vector<std::string> names = {"f", "g.c",   "h.h",  "caf\u00e9", "cafe\u0301",
                                          "-", "q\"\\", ".dot", "n\nl",      "o.o"};
  std::size_t n = 0;
  for (const std::string& folder : folders) {
    for (const std::string& name : names) tree.Write(folder + name, texts[n++ % texts.size()]);
  }
  tree.Write("z\xff", "foo\n");
  tree.Write("id_rsa", "foo\n");
  tree.Write(".gitignore", "build/\n*.o\n!/o.o\n");
  tree.Write("a/.ignore", "g.c\n");
  tree.Link("src/deep", "link");
  tree.Link("f", "linkfile");
  tree.Link("nothere", "broken");
  tree.Link("/etc", "outside");
  tree.Link("..", "src/deep/up");
}

struct Question {
  const char* pattern;
  const char* fields;
};

const Question kQuestions[] = {
    {"foo", ""},
    {"foo", R"("max_results":1)"},
    {"foo", R"("max_results":7,"context":2)"},
    {"foo", R"("max_results":100000,"context":3,"hidden":true,"no_ignore":true,"follow":true)"},
    {"foo", R"("case":"sensitive")"},
    {"foo", R"("case":"insensitive","context":1)"},
    {"Foo", ""},
    {"FOO", R"("case":"insensitive","max_matches_per_file":1)"},
    {"foo", R"("word_regexp":true)"},
    {"foo", R"("word_regexp":true,"fixed_strings":true)"},
    {"foo(", R"("fixed_strings":true)"},
    {"foo(bar[", R"("fixed_strings":true,"context":1)"},
    {"\"foo\"", R"("fixed_strings":true)"},
    {"^foo", ""},
    {"foo$", R"("context":1)"},
    {"^$", R"("max_results":5000)"},
    {"^", R"("max_results":30)"},
    {"$", R"("max_matches_per_file":2)"},
    {".", R"("max_results":50,"hidden":true)"},
    {"x*", R"("max_matches_per_file":3)"},
    {"foo.*bar", ""},
    {"foo|bar", R"("max_matches_per_file":2,"context":4)"},
    {"(?<=bar )foo", ""},
    {"foo(?= last)", ""},
    {"(\\w)\\1", R"("case":"sensitive")"},
    {"\\bfoo\\b.*\\bfix\\b", ""},
    {"[[:upper:]]oo", ""},
    {"\\p{Lu}\\w+", ""},
    {"\u00e9t\u00e9", ""},
    {"\u00c9T\u00c9", R"("case":"insensitive")"},
    {"e\u0301", R"("fixed_strings":true)"},
    {"k+", R"("case":"insensitive")"},
    {"\\d", ""},
    {"\\S+\\s+\\S+", R"("max_results":20)"},
    {"[^a-z\\s]", R"("max_matches_per_file":1)"},
    {"caf.", ""},
    {"TODO\\((\\w+)\\)", ""},
    {"utf", R"("context":1)"},
    {"nothing like this", R"("hidden":true)"},
    {"foo", R"("hidden":true)"},
    {"foo", R"("no_ignore":true)"},
    {"foo", R"("follow":true)"},
    {"foo", R"("recursive":false)"},
    {"foo", R"("recursive":false,"hidden":true,"path":"a")"},
    {"foo", R"("path":"src")"},
    {"foo", R"("path":"src/deep/er/g.c")"},
    {"foo", R"("path":"link/er")"},
    {"foo", R"("path":".hidden")"},
    {"foo", R"("path":"build","context":1)"},
    {"foo", R"("path":"-")"},
    {"foo", R"("path":"n\nl")"},
    {"foo", R"("path":"id_rsa")"},
    {"foo", R"("path":"../..")"},
    {"foo", R"("path":"nothere")"},
    {"foo", R"("include_glob":["*.c"])"},
    {"foo", R"("include_glob":["*.{c,h}","/f"],"exclude_glob":["a/**","src"])"},
    {"foo", R"("exclude_glob":["caf*","**/q*"])"},
    {"foo", R"("glob":["g.*"],"hidden":true)"},
    {"foo", R"("max_files":1)"},
    {"foo", R"("max_files":9,"max_results":5)"},
    {"foo", R"("max_file_size_bytes":40)"},
    {"foo", R"("max_file_size_bytes":40,"max_files":12,"max_matches_per_file":1,"context":1,"max_results":11)"},
    {"(", ""},
    {"foo\\nbar", ""},
    {"foo", R"("context":-1)"},
    {"foo", R"("unknown":1)"},
};

// In quarters, so that they run in parallel.
constexpr std::size_t kParts = 4;
class SameAnswerPart : public ::testing::TestWithParam<std::size_t> {};
INSTANTIATE_TEST_SUITE_P(Quarters, SameAnswerPart, ::testing::Range<std::size_t>(0, kParts));

TEST_P(SameAnswerPart, OnEveryBackendAndEveryTime) {
  TempTree tree;
  Grow(tree);
  int answered = 0;
  for (std::size_t i = GetParam(); i < std::size(kQuestions); i += kParts) {
    const std::string request = Ask(kQuestions[i].pattern, kQuestions[i].fields);
    SCOPED_TRACE(request);
    const Answer first = Search(tree, request);
    const std::string& again = kBackends[i / kParts % kBackends.size()];
    EXPECT_EQ(SearchWith(again, tree, request).ended().out, first.ended().out) << again << ", the second time";
    answered += first.ok() && first.json().Size("/matches") > 0;
  }
  EXPECT_GT(answered, 10) << "most questions should find something, or they prove little";
}

TEST(SameAnswer, CountIsTheNumberOfEventsAndOrderIsTotal) {
  TempTree tree;
  Grow(tree);
  for (const Question& question : kQuestions) {
    const Answer answer = SearchWith("native", tree, Ask(question.pattern, question.fields));
    if (!answer.ok()) continue;
    SCOPED_TRACE(question.fields);
    EXPECT_EQ(answer.json().At("/count"), std::to_string(answer.json().Size("/matches")));
    EXPECT_EQ(answer.json().Text("/pattern"), question.pattern);
    std::string last_path;
    long last_line = 0;
    for (std::size_t i = 0; i < answer.json().Size("/matches"); ++i) {
      const std::string data = "/matches/" + std::to_string(i) + "/data";
      const std::string path = answer.json().Text(data + "/path/text");
      const long line = std::stol(answer.json().At(data + "/line_number"));
      if (path == last_path) {
        EXPECT_GT(line, last_line) << "each line once, ascending";
      }
      last_path = path;
      last_line = line;
    }
  }
}

TEST(SameAnswer, FromAnyCurrentFolderAndLocale) {
  TempTree tree;
  Grow(tree);
  const std::string expected = Search(tree, Ask("foo", R"("context":1)")).ended().out;
  for (const std::string& backend : kBackends) {
    for (const char* locale : {"C", "de_DE.UTF-8", "POSIX", "tr_TR.UTF-8"}) {
      Command command =
          ForgeSearch({"call", "Search", Ask("foo", R"("context":1)"), "--root", tree.root(), "--backend", backend});
      command.cwd = "/";
      command.env["LC_ALL"] = locale;
      command.env["RIPGREP_CONFIG_PATH"] = tree.Path("f");
      command.env["GREP_COLORS"] = "mt=01;31";
      EXPECT_EQ(RunProgram(command).out, expected) << backend << " in " << locale;
    }
  }
}

}  // namespace
}  // namespace forge::testing
