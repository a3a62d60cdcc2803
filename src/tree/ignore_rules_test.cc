#include "tree/ignore_rules.h"

#include <gtest/gtest.h>

#include <map>

#include "tests/testing/git.h"
#include "tests/testing/seed.h"
#include "tests/testing/temp_tree.h"

namespace forge {
namespace {

using testing::Random;

// Whether rules ignore a file, by itself or with one of its parents.
bool IgnoresFile(const IgnoreRules& rules, std::string_view path) {
  for (std::size_t end = path.find('/');; end = path.find('/', end + 1)) {
    const bool is_file = end == std::string_view::npos;
    const std::string_view part = path.substr(0, end);
    const std::string_view name = part.substr(part.rfind('/') + 1);
    const Verdict verdict = rules.Decide(part, name, !is_file);
    if (is_file || verdict == Verdict::kIgnore) return verdict == Verdict::kIgnore;
  }
}

TEST(IgnoreRules, FollowGit) {
  const struct {
    std::string_view rules;
    std::string_view path;
    bool ignored;
  } cases[] = {
      {"# x\n", "# x", false},
      {"\\#x\n", "#x", true},
      {"\\!x\n", "!x", true},
      {"*.o\n!keep.o\n", "a.o", true},
      {"*.o\n!keep.o\n", "keep.o", false},
      {"!keep.o\n*.o\n", "keep.o", true},
      {"*.o\n", "x/y/a.o", true},
      {"/a\n", "a", true},
      {"/a\n", "x/a", false},
      {"x/a\n", "x/a", true},
      {"x/a\n", "y/x/a", false},
      {"build/\n", "build", false},
      {"build/\n", "x/build/f", true},
      {"x/\n!x/keep\n", "x/keep", true},  // nothing below an excluded folder can come back
      {"x/*\n!x/keep\n", "x/keep", false},
      {"a  \n", "a", true},
      {"a\\ \n", "a ", true},
      {"a\\ \n", "a", false},
      {"a\t\n", "a", false},
      {"a\t\n", "a\t", true},
      {"a\r\nb\r\n", "a", true},
      {"a\r", "a", true},  // git adds the missing line end first
      {"\r\n", "\r", false},
      {"a\\\r\n", "a\r", false},
      {"\xEF\xBB\xBF"
       "a\n",
       "a", true},
      {"b\n\xEF\xBB\xBF"
       "a\n",
       "a", false},
      {"/\n", "a", false},
      {"!\n", "a", false},
      {"//a\n", "a", false},
      {"a//\n", "a/b", false},
      {"**/a\n", "x/a", true},
      {"a/**\n", "a/b/c", true},
      {"a/**/b\n", "a/b", true},
      {"foo**/bar\n", "foobar", false},  // a ** that is not a component is a *, as in git since 2.52
      {"foo**/bar\n", "foox/y/bar", false},
      {"foo**/bar\n", "foox/bar", true},
      {"foo/bar**\n", "foo/barx", true},
      {"[z-a]\n", "y", false},
      {"[ab]\n", "b", true},
      {"[ab\n", "[ab", false},
      {"a\\\n", "a\\", false},
      {"*~\n", "x~", true},
      {".*\n!.keep\n", ".keep", false},
      {"*.tar.gz\n", "a.tar.gz", true},
      {"*.tar.gz\n", "a.gz", false},
  };
  for (const auto& c : cases) {
    const IgnoreRules rules(c.rules);
    EXPECT_EQ(IgnoresFile(rules, c.path), c.ignored) << ::testing::PrintToString(c.rules) << " on " << c.path;
  }
}

constexpr std::string_view kPieces[] = {
    "a",           "b",      "ab", "*",    "**", "?",  "[ab]", "[!a]", "/",     "/",           "/",      "a",    "*",
    "\\a",         " ",      "\\", "[a-b", "#",  "!",  ".",    "b",    "c",     "**/",         "/**",    "\\ ",  "[]",
    "[[:alpha:]]", "[\\]b]", "\t", "[b-",  "A",  "AB", "\\A",  "[A]",  "[A-B]", "[[:upper:]]", "[!A-C]", "[Z-b]"};
constexpr std::string_view kNames[] = {"a",   "b",        "ab",   "aa", "ba", "abc", ".a",  "a.b", "b.b",
                                       "a b", "a ",       " a",   "#a", "!a", "[a",  "a\\", "\\",  "c",
                                       "a]",  "\xC3\xA9", "a\tb", "A",  "aB", "AB",  "Ab"};

std::string RandomPattern(Random& random) {
  std::string out;
  for (std::size_t n = 1 + random.Below(6); n > 0; --n) out += random.Pick(kPieces);
  return out;
}

std::string RandomRules(Random& random) {
  std::string out = random.OneIn(20) ? "\xEF\xBB\xBF" : "";
  for (std::size_t n = 1 + random.Below(4); n > 0; --n) {
    if (random.OneIn(4)) out += "!";
    out += RandomPattern(random);
    out += random.OneIn(6) ? "/\n" : random.OneIn(10) ? "  \r\n" : "\n";
  }
  if (random.OneIn(10)) out.pop_back();
  return out;
}

std::string RandomPath(Random& random) {
  std::string out(random.Pick(kNames));
  while (random.OneIn(2)) out.append("/").append(random.Pick(kNames));
  return out;
}

// Each ignore file gets a folder of its own, so that one git answers for all.
void CompareWithGit(LetterCase letters) {
  const std::uint64_t seed = testing::FirstSeed();
  Random random(seed);
  const testing::TempTree tree;
  testing::RunGit(tree.root(), {"init", "-q"});
  struct Case {
    std::string rules;
    std::string path;
  };
  std::map<std::string, Case> cases;
  std::string input;
  for (std::uint64_t i = 0; i < testing::CaseCount(400); ++i) {
    const std::string folder = std::to_string(i);
    const std::string rules = RandomRules(random);
    tree.Write(folder + "/.gitignore", testing::RulesForThisGit(rules));
    for (int j = 0; j < 30; ++j) {
      const std::string path = RandomPath(random);
      if (!cases.insert({folder + "/" + path, {rules, path}}).second) continue;
      input.append(folder).append("/").append(path).push_back('\0');
    }
  }
  const std::string setting = letters == LetterCase::kFold ? "core.ignoreCase=true" : "core.ignoreCase=false";
  const std::vector<std::string> answer = testing::SplitNul(
      testing::RunGit(tree.root(), {"-c", setting, "check-ignore", "--no-index", "-v", "-n", "-z", "--stdin"}, input));
  ASSERT_EQ(answer.size(), cases.size() * 4);  // file, line, pattern, path
  std::size_t ignored_count = 0;
  for (std::size_t i = 0; i < answer.size(); i += 4) {
    const Case& c = cases.at(answer[i + 3]);
    const bool ignored = !answer[i].empty() && !answer[i + 2].starts_with('!');
    ignored_count += ignored ? 1 : 0;
    EXPECT_EQ(IgnoresFile(IgnoreRules(c.rules, letters), c.path), ignored)
        << ::testing::PrintToString(c.rules) << " on " << c.path << ", git: " << answer[i + 2] << ", seed " << seed;
  }
  EXPECT_GT(ignored_count, cases.size() / 20);  // otherwise the test shows nothing
}

TEST(IgnoreRules, AgreeWithGitOnRandomFiles) { CompareWithGit(LetterCase::kExact); }

TEST(IgnoreRules, AgreeWithGitWhereItIgnoresCase) { CompareWithGit(LetterCase::kFold); }

}  // namespace
}  // namespace forge
