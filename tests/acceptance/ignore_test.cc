// Which files a search sees (R0, FR-LS-SRC-06, B12, B13, C25, C26): ignore
// files, hidden files, globs. A row is a tree, a request, and the files that
// are found.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/acceptance/answer.h"

namespace forge::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::IsEmpty;

struct Row {
  const char* name;
  std::vector<std::pair<std::string, std::string>> ignore_files;  // name, content
  std::vector<std::string> files;                                 // each holds "foo"
  std::vector<std::string> found;
};
void PrintTo(const Row& row, std::ostream* out) { *out << row.name; }

class Ignore : public ::testing::TestWithParam<Row> {};

TEST_P(Ignore, LeavesOutWhatGitWould) {
  TempTree tree;
  for (const auto& [name, content] : GetParam().ignore_files) tree.Write(name, content);
  for (const std::string& name : GetParam().files) tree.Write(name, "foo\n");
  const Answer answer = Search(tree, Ask("foo"));
  EXPECT_THAT(answer.files(), ElementsAreArray(GetParam().found));
  EXPECT_EQ(answer.files_scanned(), static_cast<int>(GetParam().found.size()));
  EXPECT_EQ(Search(tree, Ask("foo", R"("no_ignore":true)")).files().size(), GetParam().files.size());
}

const Row kRows[] = {
    {"Name", {{".gitignore", "x\n"}}, {"x", "d/x", "xy"}, {"xy"}},
    {"WithoutARepository", {{".gitignore", "*.o\n"}}, {"a.o", "a.c"}, {"a.c"}},
    {"FolderName", {{".gitignore", "node_modules\n"}}, {"node_modules/a/b", "d/node_modules/c", "e"}, {"e"}},
    {"FolderOnly", {{".gitignore", "x/\n"}}, {"d/x", "x/a"}, {"d/x"}},
    {"Anchored", {{".gitignore", "/x\n"}}, {"x", "d/x"}, {"d/x"}},
    {"AnchoredByASlashInside", {{".gitignore", "d/x\n"}}, {"d/x", "e/d/x"}, {"e/d/x"}},
    {"Negation", {{".gitignore", "*.o\n!keep.o\n"}}, {"a.o", "keep.o"}, {"keep.o"}},
    {"LastRuleWins", {{".gitignore", "!a\na\n"}}, {"a", "b"}, {"b"}},
    {"NoReinclusionBelowAnExcludedFolder", {{".gitignore", "d/\n!d/x\n"}}, {"d/x", "y"}, {"y"}},
    {"ReinclusionBelowAStar", {{".gitignore", "d/*\n!d/x\n"}}, {"d/x", "d/y"}, {"d/x"}},
    {"DoubleStarBefore", {{".gitignore", "**/x\n"}}, {"x", "a/x", "a/b/x", "y"}, {"y"}},
    {"DoubleStarBehind", {{".gitignore", "a/**\n"}}, {"a/x", "a/b/x", "b/a/x"}, {"b/a/x"}},
    {"DoubleStarBetween", {{".gitignore", "a/**/x\n"}}, {"a/x", "a/b/x", "a/b/c/x", "a/y"}, {"a/y"}},
    {"StarStopsAtASlash", {{".gitignore", "a/*x\n"}}, {"a/bx", "a/b/x"}, {"a/b/x"}},
    {"QuestionMarkAndClass",
     {{".gitignore", "a?\nb[0-9]\nc[!x]\nd[^x]\n"}},
     {"a1", "a", "b5", "bx", "cx", "cy", "dx", "dy"},
     {"a", "bx", "cx", "dx"}},
    {"PosixClass", {{".gitignore", "a[[:digit:]]\n"}}, {"a1", "ab"}, {"ab"}},
    {"ClassWithBracket", {{".gitignore", "a[]x]\n"}}, {"a]", "ax", "ay"}, {"ay"}},
    {"UnclosedClassMatchesNothing", {{".gitignore", "a[x\nb\n"}}, {"a[x", "b"}, {"a[x"}},
    {"Comment", {{".gitignore", "#a\n\\#b\n"}}, {"#a", "#b"}, {"#a"}},
    {"EscapedBang", {{".gitignore", "\\!a\n"}}, {"!a", "a"}, {"a"}},
    {"TrailingSpaces", {{".gitignore", "a  \nb\\ \n"}}, {"a", "a  ", "b", "b "}, {"a  ", "b"}},
    {"LeadingSpaceCounts", {{".gitignore", " a\n"}}, {" a", "a"}, {"a"}},
    {"TrailingTabCounts", {{".gitignore", "a\t\n"}}, {"a\t", "a"}, {"a"}},
    {"CrlfEndsARule", {{".gitignore", "a\r\nb\n"}}, {"a", "b", "c"}, {"c"}},
    {"NoFinalNewline", {{".gitignore", "a"}}, {"a", "b"}, {"b"}},
    {"BomInIgnoreFile",
     {{".gitignore",
       "\xef\xbb\xbf"
       "a\n"}},
     {"a", "b"},
     {"b"}},
    {"BlankLines", {{".gitignore", "\n\n   \n/\na\n"}}, {"a", "b"}, {"b"}},
    {"EscapedLetter", {{".gitignore", "\\a\n"}}, {"a", "b"}, {"b"}},
    {"TrailingBackslashMatchesNothing", {{".gitignore", "a\\\n"}}, {"a", "a\\"}, {"a", "a\\"}},
    {"CaseCounts", {{".gitignore", "A\n"}}, {"a", "A"}, {"a"}},
    {"BracesAreText", {{".gitignore", "{a,b}\n"}}, {"a", "{a,b}"}, {"a"}},
    {"NestedFileIsStronger", {{".gitignore", "*.o\n"}, {"d/.gitignore", "!a.o\n"}}, {"a.o", "d/a.o"}, {"d/a.o"}},
    {"NestedFileIsAnchoredThere", {{"d/.gitignore", "/x\n"}}, {"x", "d/x", "d/e/x"}, {"d/e/x", "x"}},
    {"DotIgnoreIsStronger", {{".gitignore", "a\n!b\n"}, {".ignore", "!a\nb\n"}}, {"a", "b", "c"}, {"a", "c"}},
    {"DotIgnoreOfAParentIsStrongerThanGitignoreBelow",
     {{".ignore", "a\n"}, {"d/.gitignore", "!a\n"}},
     {"a", "d/a", "b"},
     {"b"}},
    {"InfoExclude", {{".git/HEAD", "x"}, {".git/info/exclude", "a\n"}}, {"a", "b"}, {"b"}},
    {"GitignoreIsStrongerThanInfoExclude",
     {{".git/HEAD", "x"}, {".git/info/exclude", "a\n"}, {".gitignore", "!a\n"}},
     {"a", "b"},
     {"a", "b"}},
    {"NonUtf8Rule", {{".gitignore", "\xe9\n"}}, {"\xe9", "b"}, {"b"}},
    {"StarMatchesNonUtf8", {{".gitignore", "x*\n"}}, {"x\xe9", "b"}, {"b"}},
    {"QuestionMarkIsOneByteAsInGit", {{".gitignore", "a??\n"}}, {"a\u00e9", "b"}, {"b"}},
};

INSTANTIATE_TEST_SUITE_P(Table, Ignore, ::testing::ValuesIn(kRows),
                         [](const auto& row) { return std::string(row.param.name); });

TEST(IgnoreParents, CountUpToTheRepositoryRoot) {  // C26
  TempTree tree;
  tree.Write(".gitignore", "above\n");
  tree.Write("repo/.git/HEAD", "x");
  tree.Write("repo/.gitignore", "inside\n/d/anchored\n");
  for (const char* name : {"above", "inside", "anchored", "x"}) tree.Write(std::string("repo/d/") + name, "foo\n");
  EXPECT_THAT(Search(tree.Path("repo/d"), Ask("foo")).files(), ElementsAre("above", "x"));
  EXPECT_THAT(Search(tree.Path("repo"), Ask("foo", R"("path":"d")")).files(), ElementsAre("d/above", "d/x"));
}

TEST(IgnoreParents, DoNotCountWithoutARepository) {
  TempTree tree;
  tree.Write(".gitignore", "x\n");
  tree.Write(".ignore", "y\n");
  for (const char* name : {"d/x", "d/y", "d/z"}) tree.Write(name, "foo\n");
  EXPECT_THAT(Search(tree.Path("d"), Ask("foo")).files(), ElementsAre("x", "y", "z"));
}

TEST(IgnoreParents, AnExcludedParentDoesNotEmptyAnExplicitRoot) {  // B12
  TempTree tree;
  tree.Write(".git/HEAD", "x");
  tree.Write(".gitignore", "build\n*.log\n");
  tree.Write("build/a", "foo\n");
  tree.Write("build/b.log", "foo\n");
  tree.Write("c.log", "foo\n");
  EXPECT_THAT(Search(tree, Ask("foo")).files(), IsEmpty());
  EXPECT_THAT(Search(tree, Ask("foo", R"("path":"build")")).files(), ElementsAre("build/a"));
  EXPECT_THAT(Search(tree, Ask("foo", R"("path":"c.log")")).files(), ElementsAre("c.log"));
}

TEST(IgnoreGlobal, ExcludesFileAndXdg) {
  TempTree home;
  TempTree tree;
  tree.Write(".git/HEAD", "x");
  for (const char* name : {"a", "b", "c"}) tree.Write(name, "foo\n");
  home.Write("git/ignore", "a\n");
  Command command = ForgeSearch({"call", "Search", Ask("foo"), "--root", tree.root()});
  command.env["XDG_CONFIG_HOME"] = home.root();
  command.env["HOME"] = home.root();
  EXPECT_THAT(Answer(RunProgram(command)).files(), ElementsAre("b", "c"));
  home.Write("excludes", "b\n");
  home.Write(".gitconfig", "[core]\n\texcludesFile = ~/excludes\n");
  EXPECT_THAT(Answer(RunProgram(command)).files(), ElementsAre("a", "c")) << "core.excludesFile replaces git/ignore";
}

TEST(Hidden, FilesAndFoldersNeedTheFlag) {
  TempTree tree;
  for (const char* name : {".h", ".d/x", "a/.h", "a/b"}) tree.Write(name, "foo\n");
  EXPECT_THAT(Search(tree, Ask("foo")).files(), ElementsAre("a/b"));
  EXPECT_THAT(Search(tree, Ask("foo", R"("hidden":true)")).files(), ElementsAre(".d/x", ".h", "a/.h", "a/b"));
  EXPECT_THAT(Search(tree, Ask("foo", R"("no_ignore":true)")).files(), ElementsAre("a/b"));
}

TEST(Hidden, AnExplicitHiddenRootIsSearched) {  // B12
  TempTree tree;
  for (const char* name : {".h", ".d/x", ".d/.y"}) tree.Write(name, "foo\n");
  EXPECT_THAT(Search(tree, Ask("foo", R"("path":".h")")).files(), ElementsAre(".h"));
  EXPECT_THAT(Search(tree, Ask("foo", R"("path":".d")")).files(), ElementsAre(".d/x"));
}

TEST(Hidden, IgnoreRulesStillHoldForHiddenFiles) {
  TempTree tree;
  tree.Write(".gitignore", ".h\n");
  for (const char* name : {".h", ".i"}) tree.Write(name, "foo\n");
  EXPECT_THAT(Search(tree, Ask("foo", R"("hidden":true)")).files(), ElementsAre(".i"));
}

struct GlobRow {
  const char* name;
  const char* fields;
  std::vector<std::string> found;
};
void PrintTo(const GlobRow& row, std::ostream* out) { *out << row.fields; }

class Glob : public ::testing::TestWithParam<GlobRow> {};

TEST_P(Glob, Selects) {
  TempTree tree;
  for (const char* name : {"a.c", "a.h", "b.c", "src/a.c", "src/x/a.c", "src/x/y.h", "test/src/a.c", "A.C", "[x]",
                           "a{b", "caf\u00e9", "sp ace"}) {
    tree.Write(name, "foo\n");
  }
  tree.Write(".hidden.c", "foo\n");
  tree.Write("ignored.c", "foo\n");
  tree.Write(".gitignore", "ignored.c\n");
  const Answer answer = Search(tree, Ask("foo", GetParam().fields));
  EXPECT_THAT(answer.files(), ElementsAreArray(GetParam().found));
  EXPECT_EQ(answer.files_scanned(), static_cast<int>(GetParam().found.size()));
}

const GlobRow kGlobs[] = {
    {"NameAtAnyDepth", R"("include_glob":["a.c"])", {"a.c", "src/a.c", "src/x/a.c", "test/src/a.c"}},
    {"DoesNotUnhideOrUnignore", R"("include_glob":["*.c"])", {"a.c", "b.c", "src/a.c", "src/x/a.c", "test/src/a.c"}},
    {"SlashAnchors", R"("include_glob":["src/*.c"])", {"src/a.c"}},
    {"LeadingSlashAnchors", R"("include_glob":["/a.c"])", {"a.c"}},
    {"DoubleStar", R"("include_glob":["src/**"])", {"src/a.c", "src/x/a.c", "src/x/y.h"}},
    {"DoubleStarInside", R"("include_glob":["src/**/*.c"])", {"src/a.c", "src/x/a.c"}},
    {"DoubleStarInFront", R"("include_glob":["**/x/*"])", {"src/x/a.c", "src/x/y.h"}},
    {"Braces", R"("include_glob":["b.{c,h}","y.{c,h}"])", {"b.c", "src/x/y.h"}},
    {"Class", R"("include_glob":["[ab].c"],"recursive":false)", {"a.c", "b.c"}},
    {"NegatedClass", R"("include_glob":["[!a].c"])", {"b.c"}},
    {"EscapedBracket", R"("include_glob":["\\[x\\]"])", {"[x]"}},
    {"QuestionMark", R"("include_glob":["?.h"])", {"a.h", "src/x/y.h"}},
    {"CaseCounts", R"("include_glob":["*.C"])", {"A.C"}},
    {"Space", R"("include_glob":["sp ace"])", {"sp ace"}},
    {"ExcludeName", R"("include_glob":["*.c"],"exclude_glob":["a.c"])", {"b.c"}},
    {"ExcludeFolderPrunes", R"("exclude_glob":["src"],"include_glob":["*.c"])", {"a.c", "b.c"}},
    {"ExcludeAnchoredFolder",
     R"("exclude_glob":["src/x"],"include_glob":["*.[ch]"])",
     {"a.c", "a.h", "b.c", "src/a.c", "test/src/a.c"}},
    {"ExcludeDoubleStar", R"("exclude_glob":["**/src/**"],"include_glob":["*.[ch]"])", {"a.c", "a.h", "b.c"}},
    {"AnchoredAtTheSearchRoot", R"("path":"src","include_glob":["x/*.c"])", {"src/x/a.c"}},
    {"NotAnchoredAtTheWorkingFolder", R"("path":"src","include_glob":["src/*.c"])", {}},
    {"AppliesToAnExplicitFile", R"("path":"a.c","include_glob":["*.h"])", {}},
    {"ExcludesAnExplicitFile", R"("path":"a.c","exclude_glob":["a.*"])", {}},
    {"AnExplicitFileThatMatches", R"("path":"src/a.c","include_glob":["*.c"])", {"src/a.c"}},
    {"GlobIsTheOldName", R"("glob":["b.c"])", {"b.c"}},
    {"IncludeGlobBeatsGlob", R"("glob":["b.c"],"include_glob":["a.h"])", {"a.h"}},
};

INSTANTIATE_TEST_SUITE_P(Table, Glob, ::testing::ValuesIn(kGlobs),
                         [](const auto& row) { return std::string(row.param.name); });

}  // namespace
}  // namespace forge::testing
