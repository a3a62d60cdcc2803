// What the fingers of ripgrep's users type. Both programs get it, and must print
// the same bytes and end with the same status.
//
// Where the two differ on purpose, a habit is not in the list: `$` before CRLF
// (ours matches), back-references (ours has them), -m with -A (ours stops before
// the next match), --sort modified across folders (ours sorts all files), and the
// others in docs/guide.md.
#include "tests/acceptance/habit.h"

namespace forge::testing {
namespace {

const std::vector<Words>& Habits() {
  static const std::vector<Words> habits = {
      {"foo"},
      {"-n", "foo"},
      {"-N", "foo"},
      {"-i", "FOO"},
      {"-s", "Foo"},
      {"-S", "foo"},
      {"-S", "Foo"},
      {"-w", "foo"},
      {"-F", "a.b"},
      {"-F", "a[i]++"},
      {"-e", "foo", "-e", "bar"},
      {"-e", "foo", "-e", "bar", "-o"},
      {"-f", "../pats.txt"},
      {"-F", "-f", "../pats.txt"},
      {"-v", "foo"},
      {"-v", "-n", "foo", "sub"},
      {"-v", "-c", "foo"},
      {"-c", "foo"},
      {"-c", "foo", "sub/one.txt"},
      {"-H", "-c", "foo", "sub/one.txt"},
      {"-c", "-i", "foo"},
      {"--count-matches", "foo"},
      {"--count-matches", "-i", "foo"},
      {"-c", "-o", "foo"},
      {"-l", "foo"},
      {"-l", "-v", "foo"},
      {"--files-without-match", "foo"},
      {"-q", "foo"},
      {"-q", "nothing"},
      {"nothing"},
      {"-o", "foo"},
      {"-on", "foo"},
      {"-o", "-b", "foo"},
      {"-ob", "o+"},
      {"-n", "-o", "\\w+", "sub/one.txt"},
      {"--column", "foo"},
      {"--column", "-n", "foo", "sub/one.txt"},
      {"--vimgrep", "foo"},
      {"--vimgrep", "foo", "sub/one.txt"},
      {"-A", "1", "foo"},
      {"-B", "1", "foo"},
      {"-C", "1", "foo"},
      {"-A1", "-B2", "foo"},
      {"-C2", "-n", "foo"},
      {"-A1", "--heading", "foo"},
      {"-C1", "--heading", "-n", "foo"},
      {"--heading", "foo"},
      {"--no-heading", "foo"},
      {"--heading", "-n", "--column", "foo"},
      {"-n", "foo", "sub"},
      {"-n", "foo", "sub/"},
      {"-n", "foo", "./sub"},
      {"-n", "foo", "."},
      {"-n", "foo", "./"},
      {"-n", "foo", "sub/one.txt"},
      {"-n", "foo", "sub/one.txt", "sub/two.txt"},
      {"-n", "foo", "sub", "a.txt"},
      {"-n", "foo", "../tree"},
      {"-H", "foo", "sub/one.txt"},
      {"-I", "foo"},
      {"-I", "-n", "foo"},
      {"-m", "1", "foo"},
      {"-m1", "-n", "foo"},
      {"-m", "1000", "foo"},
      {"-g", "*.c", "foo"},
      {"-g", "!*.txt", "foo"},
      {"-g", "*.{c,h}", "foo"},
      {"-g", "sub/**", "foo"},
      {"--iglob", "*.TXT", "foo"},
      {"--iglob", "!*.TXT", "foo"},
      {"-t", "c", "foo"},
      {"-tc", "-tpy", "foo"},
      {"-T", "c", "foo"},
      {"-Tc", "-Ttxt", "foo"},
      {"--type-add", "zig2:*.zz", "-t", "zig2", "foo"},
      {"--type-add", "mine:include:c,py", "-t", "mine", "foo"},
      {"--files"},
      {"--files", "sub"},
      {"--files", "-g", "*.c"},
      {"--files", "-t", "c"},
      {"--files", "--hidden"},
      {"-u", "foo"},
      {"-uu", "foo"},
      {"--hidden", "foo"},
      {"--no-ignore", "foo"},
      {"-.", "foo"},
      {"--max-depth", "1", "foo"},
      {"--max-depth", "2", "foo"},
      {"--max-filesize", "20", "foo"},
      {"--max-filesize", "1K", "foo"},
      {"-M", "10", "foo"},
      {"-M", "10", "--max-columns-preview", "foo"},
      {"-M", "10", "--column", "foo"},
      {"-M", "10", "-A1", "foo"},
      {"-M", "10", "--max-columns-preview", "--color", "always", "foo"},
      {"-r", "bar", "foo"},
      {"-r", "<$0>", "foo"},
      {"-r", "$1-$2", "(f)(o+)"},
      {"-r", "${n}!", "(?P<n>fo)o"},
      {"-o", "-r", "x$0", "foo"},
      {"-on", "-r", "$$1", "foo"},
      {"--passthru", "foo", "sub/one.txt"},
      {"--passthru", "-n", "foo"},
      {"--trim", "foo"},
      {"--trim", "-n", "-A1", "foo"},
      {"-0", "-l", "foo"},
      {"-0", "foo"},
      {"--null", "-c", "foo"},
      {"--null", "--files"},
      {"-a", "NUL"},
      {"--text", "NUL"},
      {"--color", "always", "foo"},
      {"--color", "always", "-n", "foo"},
      {"--color", "always", "--heading", "foo"},
      {"--color", "always", "-o", "foo"},
      {"--color", "always", "-l", "foo"},
      {"--color", "always", "-c", "foo"},
      {"--color", "always", "-C1", "-n", "foo"},
      {"--color", "always", "--column", "foo"},
      {"--color", "always", "-r", "bar", "foo"},
      {"--color", "never", "foo"},
      {"--color", "always", "--colors", "match:fg:blue", "--colors", "path:style:bold", "foo"},
      {"--color", "always", "--colors", "match:none", "foo"},
      {"--color", "always", "--colors", "line:bg:0,0,128", "-n", "foo"},
      {"-p", "foo"},
      {"--pretty", "foo"},
      {"--sort", "path", "foo"},
      {"--sortr", "path", "foo"},
      {"-P", "foo(?=bar)"},
      {"-i", "-w", "FOO"},
      {"fo{2}"},
      {"^foo"},
      {"^$"},
      {"-c", ""},
      {"-n", ""},
      {"-e", "-foo"},
      {"--", "-foo"},
      {"\\bfoo\\b"},
      {"[[:upper:]]+"},
      {"-o", "[^ ]+oo"},
      {"-in", "FOO"},
      {"-lin", "FOO"},
      {"-inH", "foo", "sub/one.txt"},
      {"-iwn", "foo"},
      {"-c", "foo", "a.txt", "sub"},
      {"-l", "foo", "nothere"},
      {"foo", "nothere"},
      {"-n", "foo", "crlf.txt"},
      {"-o", "o.", "crlf.txt"},
      {"-n", "x", "noeol.txt"},
      {"-C1", "x", "noeol.txt"},
      {"-b", "foo"},
      {"-b", "-n", "foo", "sub/one.txt"},
      {"--no-line-number", "foo"},
      {"--no-filename", "-c", "foo"},
      {"--with-filename", "foo", "sub/one.txt"},
      {"-L", "foo"},
      {"--follow", "foo"},
      {"--line-number", "--ignore-case", "FOO"},
      {"--count", "--ignore-case", "FOO"},
      {"--files-with-matches", "foo"},
      {"--include-zero", "-c", "foo"},
      {"-j", "2", "foo"},
      {"--no-mmap", "foo"},
      {"--line-buffered", "foo"},
      {"--max-count=1", "foo"},
      {"--after-context=1", "foo"},
      {"-A=1", "foo"},
      {"-n", "latin", "sub"},
      {"-vc", "foo", "sub/one.txt"},
      {"-vo", "foo", "sub/one.txt"},
      {"-vn", "--column", "foo", "sub/one.txt"},
      {"--no-column", "--column", "foo"},
      {"-x", "foo", "sub"},
      {"-x", "-i", "foo", "sub"},
      {"-o", "o*", "sub"},
      {"foo$", "sub", "a.txt"},
      {"--color", "always", "--vimgrep", "o"},
      {"--vimgrep", "-o", "foo"},
      {"--vimgrep", "-M", "10", "o"},
      {"-or", "$1", "(f)oo"},
      {"--context-separator", "==", "-C1", "foo"},
      {"--context-separator", "\\x2b\\t", "-C1", "foo"},
      {"--no-context-separator", "-C1", "foo"},
      {"--field-match-separator", "|", "-n", "foo"},
      {"--field-context-separator", "~", "-C1", "-n", "foo"},
      {"--field-match-separator", "|", "-c", "foo"},
      {"--crlf", "foo", "sub"},
      {"--dfa-size-limit", "1G", "foo"},
      {"--regex-size-limit=1G", "foo"},
      {"--engine", "auto", "foo"},
      {"--auto-hybrid-regex", "foo"},
      {"--no-require-git", "foo"},
      {"--glob-case-insensitive", "-g", "*.TXT", "foo"},
      {"--hidden", "--no-hidden", "foo"},
      {"--no-hidden", "--hidden", "foo"},
      {"--no-ignore", "--ignore", "foo"},
      {"-F", "--no-fixed-strings", "fo+"},
      {"-L", "--no-follow", "foo"},
      {"--trim", "--no-trim", "foo"},
      {"-a", "--no-text", "foo", "sub"},
      {"--stats", "--no-stats", "foo"},
      {"--json", "--no-json", "foo"},
      {"-M", "10", "--max-columns-preview", "--no-max-columns-preview", "foo"},
      {"--no-block-buffered", "--no-line-buffered", "foo"},
      {"--no-messages", "--messages", "foo", "nothere"},
      {"-e", "foo", "--", "sub"},
      {"-efoo", "sub"},
      {"--regexp=foo", "sub"},
      {"--type=c", "foo"},
      {"--sort", "modified", "foo", "sub/one.txt", "sub/two.txt"}};
  return habits;
}

struct Habit : HabitTest {
  Habit() {
    tree.Write("tree/a.txt", "one foo\ntwo\nfoo three foo\nfour\nfive\nsix foo\n\nlast Foo foobar\n");
    tree.Write("tree/b.c", "int foo(void) { a[i]++; }\n\t  foo a.b\nbar baz foof\n");
    tree.Write("tree/crlf.txt", "foo\r\nbar\r\nend foo\r\n");
    tree.Write("tree/noeol.txt", "y\nx foo");
    tree.Write("tree/sub/one.txt", "foo\nbar\nBAZ\nfoo foo\nx\ny\nz\nfoo\n");
    tree.Write("tree/sub/two.txt", "nothing here\n");
    tree.Write("tree/sub/c.h", "#define FOO foo\n");
    tree.Write("tree/sub/deep/d.py", "def foo():\n    return \"foo bar\"\n");
    tree.Write("tree/sub/deep/x.zz", "-foo\n--bar\n");
    tree.Write("tree/sub/lat.txt", "caf\xE9 latin foo\n");
    tree.Write("tree/.hid/h.txt", "hidden foo\n");
    tree.Write("tree/ign.log", "ignored foo\n");
    tree.Write("tree/.gitignore", "*.log\n");
    tree.Write("tree/long.txt", Repeat(20, "foo ") + "\nshort foo\n");
    tree.Write("tree/up.TXT", "FOO foo\n");
    tree.Write("tree/.git/HEAD", "ref: refs/heads/main\n");
    tree.Write("tree/.git/objects/keep", "");
    tree.Write("tree/.git/refs/keep", "");
    tree.Write("pats.txt", "foo\nBAZ\n");
  }
};

TEST_F(Habit, ThereAreAHundred) { EXPECT_GE(Habits().size(), 100U); }

TEST_F(Habit, IsAnsweredAsRipgrepDoes) {
  for (const Words& habit : Habits()) ExpectTheSame(habit);
}

// Promise 1 holds for what the tool's JSON cannot ask as well.
TEST_F(Habit, IsAnsweredAlikeByEveryBackendAndWithAnIndex) {
  Command build = ForgeSearch({"index", "build"});
  build.cwd = tree.Path("tree");
  build.env["XDG_CACHE_HOME"] = cache.root();
  ASSERT_EQ(RunProgram(build).exit_code, 0) << RunProgram(build).err;
  const std::vector<Words> habits = {{"foo"},
                                     {"-v", "foo"},
                                     {"-x", "foo"},
                                     {"-c", "foo"},
                                     {"--count-matches", "o"},
                                     {"-l", "foo"},
                                     {"-l", "-v", "foo"},
                                     {"-o", "o."},
                                     {"--files"},
                                     {"--files-without-match", "foo"},
                                     {"-C1", "bar"},
                                     {"-e", "bar", "-e", "BAZ"},
                                     {"-r", "<$0>", "fo+"},
                                     {"--passthru", "bar"},
                                     {"-m1", "foo"},
                                     {"-tc", "foo"},
                                     {"-A1", "-B2", "three"},
                                     {"-c", "--include-zero", "foo"},
                                     {"-w", "-o", "foo"}};
  for (const Words& habit : habits) {
    const Ended native = Ours(habit);
    for (const Words& global : std::vector<Words>{{"--backend", "ugrep"}, {"--backend", "rg"}, {"--index", "off"}}) {
      const Ended other = Ours(habit, global);
      EXPECT_EQ(other.out, native.out) << ::testing::PrintToString(habit) << global.back();
      EXPECT_EQ(other.exit_code, native.exit_code) << ::testing::PrintToString(habit) << global.back();
    }
  }
}

}  // namespace
}  // namespace forge::testing
