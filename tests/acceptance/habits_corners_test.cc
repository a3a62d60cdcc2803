// More of what fingers type: options in odd company, and files in odd shapes. As
// in habits_test.cc, both programs must print the same bytes and end with the same
// status.
#include <sstream>

#include "tests/acceptance/habit.h"

namespace forge::testing {
namespace {

// One habit a line, words separated by blanks.
constexpr const char* kHabits = R"habits(
-nC1 foo
-nA1 -B0 foo
-c -v foo
-cv foo sub
-lv foo
-o -v foo
-A1 -v foo
-C1 -o foo
-A1 -o foo sub
-A1 -c foo
-B1 -l foo
-A1 -v -n foo sub
--column -o foo
--column -o -n foo multi.txt
--column foo multi.txt
--column -n -o o multi.txt
-b -o foo multi.txt
-b foo crlf.txt
-o -n -b foo bom.txt
-n foo bom.txt
^foo bom.txt
-c foo bom.txt
-n foo utf16.txt
-o -b foo utf16.txt
foo nl.txt
-c ^$ nl.txt
-n ^ nl.txt
-c ^ empty.txt
--include-zero -c foo empty.txt
-v foo empty.txt
-c -v foo empty.txt
-o . multi.txt
-o -n \w+ multi.txt
-w foo multi.txt
-ow foo
-xF foo sub
-xwF foo sub
-x -v foo sub
-w -F foo
-wi FOO
-F -i A.B
-F -w a.b
-e foo -f ../pats.txt sub
-f ../crlf.pats sub
-f ../pats.txt -e bar -o sub
-f ../empty.pats
-f ../blank.pats sub
-c -e foo -e foo sub
-e foo sub a.txt
sub -e foo
-e foo -e bar -r X sub
-r $0$0 foo sub
-r ${0}x foo sub
-r $1x (f)oo sub
-r ${1}x (f)oo sub
-r $2 (f)oo sub
-r $name (?P<name>f)oo sub
-r $$ foo sub
-r a$ foo sub
-r \n foo sub/one.txt
-o -r $2=$1 (\w)=(\w+) key.txt
-or $1 (\w)=\w+ key.txt
-r $1 -A1 (f)oo sub
--passthru -r X foo sub/one.txt
--passthru -o foo sub/one.txt
--passthru -v foo sub/one.txt
--passthru -c foo sub/one.txt
--passthru -l foo
--passthru nothing sub/one.txt
-C1 --passthru foo sub/one.txt
-m2 -c foo
-m1 -o foo
-m1 -l foo
-m1 -v foo
-m1 -q foo
-m 0 foo
-m1 --count-matches foo
-m1 -B1 foo sub
-M 20 foo long.txt
-M 0 foo long.txt
-M20 -o foo long.txt
-M5 --trim foo
-M 20 --max-columns-preview foo long.txt
-M20 --max-columns-preview -n --column foo long.txt
-M 20 -r barbarbar foo
-M 20 --max-columns-preview -r b foo long.txt
-M 4 -o foo long.txt
-M10 --color always foo long.txt
-M10 -v foo
-v -C1 --color always foo sub
--color never --color always -e foo sub
--color=always --color=never foo sub
-p --color never foo sub
-A1 -A2 foo sub
-C1 -C0 foo sub
-m 5 -m 1 -e foo sub
-M 5 -M 20 -e foo long.txt
--sort path --sort path -e foo sub
--max-depth 1 --max-depth 3 -l -e foo .
--context-separator a --context-separator b -C1 foo
-j 1 -j 2 -e foo sub
-b --vimgrep foo
-b --vimgrep -o foo multi.txt
-v -C1 -o foo sub
-v -C1 -r X foo sub
-v -C1 --column foo sub
-v -A1 --vimgrep foo sub
-v -C1 -M 5 foo sub
-v -C1 -M 5 --max-columns-preview foo
-v -C1 -M 5 --max-columns-preview --column foo
-v -C1 -b -o foo sub
-v -C1 --heading -n --color always foo
-v --passthru --color always foo sub/one.txt
-v -C1 --trim --color always foo tabs.txt
-g src/*.c foo a.txt
-g *.zz foo a.txt
-g !a.txt foo a.txt
-t py foo a.txt
-T txt foo a.txt sub
-l -g sub/[a-z]*.txt foo sub
-l -g sub/**/*.py foo sub
-l -g /sub/c.h foo sub
-l -g !sub/deep foo sub
-l -g !sub/deep/* foo sub
-l -g !/sub/*.txt foo sub
-l -g sub/deep/*.py foo sub/deep
-l -g **/deep/*.py foo sub/deep
-l -g deep/*.py foo sub
-l -g {sub,deep}/*.h foo sub
-l -g s*/[a-z]*.txt foo sub deep
-l --iglob SUB/*.H foo sub
-l -g !/sub foo sub
-l -g sub/[a-z]*.txt foo ./sub
-c foo raw
-l foo raw
--files raw
foo raw
-M10 -c foo
-M10 --vimgrep --max-columns-preview foo long.txt
--trim -o foo tabs.txt
--trim -v nothing tabs.txt
--trim -A1 foo tabs.txt
--trim --column foo tabs.txt
--trim --color always foo tabs.txt
--trim -r X foo tabs.txt
--trim -b foo tabs.txt
--trim --vimgrep foo tabs.txt
-0 -c foo
-0 -o foo
-0 --files-without-match foo
-0 --heading foo sub
-0 -C1 foo sub
-l0 foo
-0 -n foo sub
--files -g !*.txt
--files -g *.{c,h}
--files -tpy -tc
--files -T txt
--files --max-depth 1
--files -uu
--files -uuu
--files sub deep
--files nothere
--files -g nothing
--files --no-ignore
--files -.
--files --sortr path
--files -L
--files a.txt
--files a.txt sub
--files -0 sub
--files -l
--files -c
--files -q
--files -v sub
--files --max-filesize 10
--files .
--files ./sub
--files sub/
-g **/deep/** foo
-g !sub foo
-g !sub/ foo
-g !/sub/deep foo
-g a.txt -g b.c foo
-g [ab].* foo
-g ?.txt foo
-g weird\[1\].txt foo
-g !*.{txt,c} foo
--glob=*.c foo
-g=*.c foo
-g !.hid --hidden foo
-g *.TXT foo
-g *.txt sub foo
-T all foo
-tmd foo
-tmarkdown foo
-tjs foo
-tmake foo
--type-add x:*.zz -tx foo
--type-add x:*.zz -Tx foo sub
-uu -c foo
-uuu -l foo
-uuu -c foo
-uuuu -l foo
--hidden -g !.git foo
--no-ignore -l foo
--no-ignore --hidden -l foo
-. -l foo
-L -l foo
-L foo linkdir
foo link.txt
foo linkdir
foo linkdir/
-l foo linkdir/one.txt
foo broken
-L foo broken
-L -c foo
foo a.txt a.txt
foo sub sub
foo . a.txt
-c foo a.txt nothere sub
-q foo nothere
-q foo a.txt nothere
-q foo nothere a.txt
-q nothing nothere
-l foo nothere a.txt
foo empty.txt
foo nl.txt empty.txt a.txt
foo --
foo -- sub
-- foo sub
-e foo -- -dash.txt
foo -- -dash.txt
foo ./-dash.txt
foo sub/../a.txt
foo ../tree/sub
-l foo ./sub/./deep
-l foo sub//deep
-n foo sub/deep/
--heading foo a.txt sub
--heading -c foo
--heading -l foo
--heading -o foo sub
--heading -C1 foo
--heading -N foo sub
--heading -I foo sub
--heading -H foo a.txt
--heading --null foo sub
--no-heading -n foo sub
--heading --no-heading foo sub
--no-heading --heading foo sub
--vimgrep o sub
--vimgrep -A1 foo sub
--vimgrep -r X foo sub
--vimgrep -c foo sub
--vimgrep -l foo sub
--vimgrep -v foo sub
--vimgrep --no-column foo sub
--vimgrep -N foo sub
--vimgrep -I foo sub
--vimgrep --heading foo sub
--vimgrep --trim foo
--vimgrep foo multi.txt
-n -N foo sub
-N -n foo sub
-nN foo sub
-H -I foo sub
-I -H foo sub/one.txt
-IH foo
-H foo a.txt
-I -c foo
-I -l foo
--count --count-matches foo
--count-matches -c foo
-c -l foo
-l -c foo
-lc foo
-cq foo
-q -l foo
-l --files-without-match foo
--files-without-match -l foo
--files-without-match -v foo
--files-without-match foo a.txt
--files-without-match -c foo
--count-matches -v foo
--count-matches -o foo
--color always -r X foo sub
--color always -A1 foo sub
--color always -o -r X foo sub
--color always -v foo sub
--color always --count-matches foo
--color always -l foo sub
--color always --files sub
--color always --files-without-match foo
--color always --heading -n --column foo sub
--color always -b foo sub
--color always -0 -l foo
--color always --passthru foo sub
--color always -x foo sub
--color always -w foo
--color always o*
--color always o
--color always o|f
--color always -r X o sub
--color always --trim o tabs.txt
--color always -M 10 --max-columns-preview o long.txt
--color always --column -n o sub
--color always ^
--color always $ sub
--color always -e foo -e o sub
--color always --vimgrep foo sub
--color always -H foo a.txt
--color always foo crlf.txt
--color always -i foo sub
--color=always foo sub
--color=ansi foo sub
--colors=match:fg:red --color=always foo sub
--colors match:fg:0xff,0,0 --color always foo sub
--colors match:style:underline --color always foo sub
--colors match:style:nobold --color always foo sub
--colors path:fg:yellow --colors path:style:bold --colors line:none -n --color always foo sub
--sort path --sortr path foo
--sortr path --sort path foo
--sortr path -l foo
--sortr path -c foo
--sortr path --heading foo
--sortr path -C1 foo
--sort path -o foo
--sort-files foo
--maxdepth 1 -l foo
--max-depth=1 -l foo
--max-depth 0 foo a.txt
--max-depth 1 foo sub a.txt
--max-filesize 1M -l foo
--max-filesize 30 foo a.txt
-C 1000000 foo sub/one.txt
-A0 foo
-C0 foo sub
-A1 -C2 foo sub
--context 1 foo sub
--context=1 foo sub
-C=1 foo sub
-A1 foo nothere sub
-A 1 nothing
-C1 foo noeol.txt
-v -C1 foo noeol.txt
-B5 end crlf.txt
-A1 foo crlf.txt
-n $ crlf.txt
-r X foo crlf.txt
-v foo crlf.txt
--crlf foo$ crlf.txt
--encoding auto foo
--engine default foo sub
--no-pre foo sub
--no-multiline foo sub
--no-config foo sub
--no-messages foo nothere
--ignore-vcs foo sub
--ignore-dot foo sub
--ignore-parent foo sub
--ignore-global foo sub
--ignore-exclude foo sub
--no-ignore-file-case-insensitive foo sub
--no-one-file-system foo sub
-j1 foo sub
-j 0 foo sub
--threads=4 foo sub
--mmap foo sub
--max-columns=20 foo sub
--null foo sub
--no-filename foo sub
--with-filename foo a.txt
--smart-case foo sub
--case-sensitive foo sub
-is foo sub
-si FOO sub
-Si foo sub
-iS FOO sub
--word-regexp foo sub
--line-regexp foo sub
--invert-match foo sub
--only-matching foo sub
--replace X foo sub
--byte-offset foo sub
--quiet foo sub
--text foo nul.bin
-a foo nul.bin
-a -c foo nul.bin
-c foo nul.bin
-l foo nul.bin
-a -o bin nul.bin
--count-matches foo nul.bin
-q foo nul.bin
\
foo\
\p{L}+ multi.txt
\p{Greek} multi.txt
-o \d+ key.txt
-o \S+=\S+ key.txt
-o [a-z]=\d+ key.txt
^\s+ tabs.txt
-n \t tabs.txt
foo\s+ tabs.txt
-n foo.*foo
-n \bfoo\b sub
-ow \w+ sub/two.txt
-c .* sub
-o .* sub/one.txt
-o x* sub/one.txt
-n ^foo$ sub
foo\nbar sub
foo\r sub
-F foo\r crlf.txt
-n3 foo sub/one.txt
--line-number --no-line-number foo sub
--no-line-number --line-number foo sub
--no-context-separator -C1 bar
--context-separator=XX -C1 foo
--field-match-separator= -n foo sub
--field-match-separator \t -n foo sub
--field-context-separator \x00 -C1 -n foo sub
-L foo sub/one.txt
--no-ignore-messages foo sub
--crlf -n foo$ sub
--dfa-size-limit 10M foo sub
--block-buffered foo sub
--unrestricted foo -l
)habits";

struct Corner : HabitTest {
  Corner() {
    WriteUsualFiles();
    WriteOddFiles();
  }

  void WriteUsualFiles() {
    tree.Write("tree/a.txt", "one foo\ntwo\nfoo three foo\nfour\nfive\nsix foo\n\nlast Foo foobar\n");
    tree.Write("tree/b.c", "int foo(void) { a[i]++; }\n\t  foo a.b\nbar baz foof\n");
    tree.Write("tree/sub/one.txt", "foo\nbar\nBAZ\nfoo foo\nx\ny\nz\nfoo\n");
    tree.Write("tree/sub/two.txt", "nothing here\n");
    tree.Write("tree/sub/c.h", "#define FOO foo\n");
    tree.Write("tree/sub/deep/d.py", "def foo():\n    return \"foo bar\"\n");
    tree.Write("tree/sub/deep/x.zz", "-foo\n--bar\n");
    tree.Write("tree/deep/a/b/c/d.txt", "foo deep\n");
    tree.Write("tree/Makefile", "foo:\n\tbar foo\n");
    tree.Write("tree/x.md", "# foo\n\nfoo *bar*\n");
    tree.Write("tree/x.js", "function foo() { return \"foo\"; } // foo\n");
    tree.Write("tree/key.txt", "key=value foo\nname: x=1, y=22, z=333\n");
    tree.Write("tree/long.txt", Repeat(20, "foo ") + "\nshort foo\n");
    tree.Write("tree/.git/HEAD", "ref: refs/heads/main\n");
    tree.Write("tree/.git/objects/keep", "");
    tree.Write("tree/.git/refs/keep", "");
    tree.Write("tree/.gitignore", "*.log\n");
    tree.Write("tree/ign.log", "ignored foo\n");
    tree.Write("tree/.hid/h.txt", "hidden foo\n");
    tree.Write("tree/sub/.hidden.txt", "foo sub hidden\n");
    tree.Write("pats.txt", "foo\nBAZ\n");
    tree.Write("crlf.pats", "foo\r\nBAZ\r\n");
    tree.Write("blank.pats", "foo\n\n");
    tree.Write("empty.pats", "");
  }

  void WriteOddFiles() {
    using std::string_literals::operator""s;
    tree.Write("tree/crlf.txt", "foo\r\nbar\r\nend foo\r\n");
    tree.Write("tree/noeol.txt", "y\nx foo");
    tree.Write("tree/empty.txt", "");
    tree.Write("tree/nl.txt", "\n\n\n");
    tree.Write("tree/up.TXT", "FOO foo\n");
    tree.Write("tree/sub/lat.txt", "caf\xE9 latin foo\n");
    tree.Write("tree/bom.txt",
               "\xEF\xBB\xBF"
               "foo bom\nbar\n");
    tree.Write("tree/utf16.txt",
               "\xFF\xFE"
               "f\0o\0o\0 \0s\0i\0x\0\n\0b\0a\0r\0\n\0"s);
    tree.Write("tree/multi.txt", "äöü foo ß foo\nümlaut\n日本語 foo 日本\n");
    tree.Write("tree/tabs.txt", "\tfoo\tbar\n   spaced   foo  \n");
    tree.Write("tree/sp ace.txt", "foo in space\n");
    tree.Write("tree/-dash.txt", "foo dash\n");
    tree.Write("tree/weird[1].txt", "foo weird\n");
    tree.Write("tree/raw/caf\xE9.txt", "foo in a name of bytes\n");
    tree.Write("tree/nul.bin", "foo before\n\0bin\nfoo after\n"s);
    tree.Link("a.txt", "tree/link.txt");
    tree.Link("sub", "tree/linkdir");
    tree.Link("nowhere", "tree/broken");
  }
};

TEST_F(Corner, IsAnsweredAsRipgrepDoes) {
  std::istringstream lines(kHabits);
  std::size_t habits = 0;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    Words habit;
    for (std::string word; words >> word;) habit.push_back(word);
    if (habit.empty()) continue;
    ExpectTheSame(habit);
    ++habits;
  }
  EXPECT_GE(habits, 150U);
}

}  // namespace
}  // namespace forge::testing
