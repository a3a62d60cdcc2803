#include <gtest/gtest.h>

#include "pattern/ngram_plan.h"
#include "pattern/pattern.h"
#include "pattern/plan_algebra.h"

namespace forge {
namespace {

enum class How { kRegex, kFolded, kFixed };
using enum How;

std::string PlanText(std::string_view pattern, How how = kRegex, bool word = false) {
  PatternSpec spec;
  spec.pattern = pattern;
  spec.fixed_strings = how == kFixed;
  spec.word_regexp = word;
  spec.case_mode = how == kFolded ? CaseMode::kInsensitive : CaseMode::kSensitive;
  const auto compiled = Pattern::Compile(spec);
  return compiled.ok() ? ToString(compiled->plan()) : compiled.error().message;
}

TEST(Plan, OfPatterns) {
  const struct {
    How how;
    const char* pattern;
    const char* plan;
  } cases[] = {
      {kFixed, "a", "ALL"},
      {kFixed, "ab", "ab"},
      {kFixed, "abc", "abc"},
      {kFixed, "Foo Bar", R"(AND(\x20ba bar foo o\x20b oo\x20))"},
      {kFixed, "été", R"(AND(t\xc3\xa9 \xa9t\xc3 \xc3\xa9t))"},
      {kFixed, "日", R"(\xe6\x97\xa5)"},
      {kRegex, "foo", "foo"},
      {kRegex, "foobar", "AND(bar foo oba oob)"},
      {kRegex, "FooBar", "AND(bar foo oba oob)"},
      {kFolded, "FooBar", "AND(bar foo oba oob)"},
      {kRegex, "foo|bar", "OR(bar foo)"},
      {kRegex, "foo|bar|fo", "OR(bar fo foo)"},
      {kRegex, "foo|qj", "OR(foo qj)"},
      {kRegex, "foo|", "ALL"},
      {kRegex, "(foo|bar)baz", "AND(baz OR(AND(arb bar rba) AND(foo oba oob)))"},
      {kRegex, R"((foo|bar)\d)", "OR(bar foo)"},
      {kRegex, "(foo|foobar)", "foo"},
      {kRegex, "foo(bar|)", "foo"},
      {kRegex, "x*", "ALL"},
      {kRegex, "x+", "ALL"},
      {kRegex, "xyz+", "xyz"},
      {kRegex, "(xyz)+", "xyz"},
      {kRegex, "(xyz){2}", "AND(xyz yzx zxy)"},
      {kRegex, "(xyz){2,}", "AND(xyz yzx zxy)"},
      {kRegex, "(xyz){0,2}abc", "abc"},
      {kRegex, "(xyz)?abc", "abc"},
      {kRegex, "(xyz.*)?abc", "abc"},
      {kRegex, "a{3}", "aaa"},
      {kRegex, "a{20}", "aaa"},
      {kRegex, "(ab){3,5}", "AND(aba bab)"},
      {kRegex, "a{0}bcd", "bcd"},
      {kRegex, "foo.bar", "AND(bar foo)"},
      {kRegex, "foo.*bar", "AND(bar foo)"},
      {kRegex, R"(foo\s+bar)", "AND(bar foo)"},
      {kRegex, R"(foo[ \t]bar)", R"(AND(bar foo OR(AND(\x09ba o\x09b oo\x09) AND(\x20ba o\x20b oo\x20))))"},
      {kRegex, R"(foo\dbar)", "AND(bar foo)"},
      {kRegex, "foo[0-3]bar", "AND(bar foo OR(AND(0ba o0b oo0) AND(1ba o1b oo1) AND(2ba o2b oo2) AND(3ba o3b oo3)))"},
      {kRegex, "[0-9]_MASK", "AND(_ma ask mas OR(0_m 1_m 2_m 3_m 4_m 5_m 6_m 7_m 8_m 9_m))"},
      {kRegex, "[fg]oo", "OR(foo goo)"},
      {kRegex, "[^f]oobar", "AND(bar oba oob)"},
      {kRegex, "[a-z]oo",
       "OR(aoo boo coo doo eoo foo goo hoo ioo joo koo loo moo noo ooo poo qoo roo soo too uoo voo woo xoo yoo zoo)"},
      {kRegex, "f[a-z]o",
       "OR(fao fbo fco fdo feo ffo fgo fho fio fjo fko flo fmo fno foo fpo fqo fro fso fto fuo fvo fwo fxo fyo fzo)"},
      {kRegex, R"(fo[\w.])", "fo"},
      {kRegex, "[éè]té", R"(AND(t\xc3\xa9 OR(AND(\xa8t\xc3 \xc3\xa8t) AND(\xa9t\xc3 \xc3\xa9t))))"},
      {kRegex, "[à-ÿ]", "ALL"},
      {kRegex, "é+t", R"(\xc3\xa9t)"},
      {kRegex, "日本|語", R"(OR(\xe8\xaa\x9e AND(\x97\xa5\xe6 \xa5\xe6\x9c \xe6\x97\xa5 \xe6\x9c\xac)))"},
      {kRegex, "^foo$", "foo"},
      {kRegex, R"(foo\b)", "foo"},
      {kRegex, R"(\bfoo\b.bar)", "AND(bar foo)"},
      {kRegex, R"(foo\bbar)", "AND(bar foo oba oob)"},
      {kRegex, "foo^bar", "AND(bar foo oba oob)"},
      {kRegex, R"(foo\Kbar)", "AND(bar foo oba oob)"},
      {kRegex, "(?=foo)bar", "bar"},
      {kRegex, "(?<=foo)bar", "bar"},
      {kRegex, "(?!foo)bar", "bar"},
      {kRegex, "foo(?=bar)baz", "AND(baz foo oba oob)"},
      {kRegex, R"((foo)\1)", "foo"},
      {kRegex, R"((?<n>foo)\k<n>bar)", "AND(bar foo)"},
      {kRegex, "(foo)(?1)", "foo"},
      {kRegex, "(x)?(?(1)abc|xyz)foo", "foo"},
      {kRegex, "(?R)?foo", "foo"},
      {kRegex, "foo(*ACCEPT)bar", "ALL"},
      {kRegex, "foo(?C1)bar", "AND(bar foo oba oob)"},
      {kRegex, "(?i)foo", "foo"},
      {kRegex, "(?i)disk", "AND(dis isk)"},
      {kRegex, "(?i:foo)bar", "AND(bar foo oba oob)"},
      {kRegex, "(?i)é1234", R"(AND(123 234 \xa912 \xc3\xa91))"},
      {kRegex, "(?i)[sx]yz", "OR(syz xyz)"},
      {kRegex, "fo(?i)o|bar", "OR(bar foo)"},
      {kRegex, "(?x) foo bar # baz", "AND(bar foo oba oob)"},
      {kRegex, R"(\Qa.b\E+)", "a.b"},
      {kRegex, R"(\x41bc)", "abc"},
      {kRegex, R"(\x{e9}t)", R"(\xc3\xa9t)"},
      {kRegex, R"(\101bc)", "abc"},
      {kRegex, R"(\N{U+e9}t)", R"(\xc3\xa9t)"},
      {kRegex, R"(foo\Xbar)", "AND(bar foo)"},
      {kRegex, R"(foo\p{Lu}bar)", "AND(bar foo)"},
      {kRegex, "[[:alpha:]]foo", "foo"},
      {kRegex, "[[:<:]]foo", "foo"},
      {kRegex, R"([\Qa\E]bcd)", "ALL"},
      {kRegex, "foo(?#comment)bar", "AND(bar foo oba oob)"},
      {kRegex, "(?|foo|bar)baz", "AND(baz OR(AND(arb bar rba) AND(foo oba oob)))"},
      {kRegex, "(?>foo|fo)bar", "AND(bar oba OR(fob AND(foo oob)))"},
      {kRegex, "foo??bar", "AND(bar oba OR(fob AND(foo oob)))"},
      {kRegex, "foo*+bar", "bar"},
      {kRegex, R"(struct\s+(\w+)\s*\{)", "AND(ruc str tru uct)"},
      {kRegex, R"(#define\s+[A-Z_]+)", "AND(#de def efi fin ine)"},
      {kRegex, "TODO|FIXME|XXX", "OR(xxx AND(fix ixm xme) AND(odo tod))"},
      {kRegex, "(?:ab|cd)(?:ef|gh)", "OR(AND(abe bef) AND(abg bgh) AND(cde def) AND(cdg dgh))"},
      {kRegex, "if|do", "OR(do if)"},
      {kRegex, "->x", "->x"},
      {kRegex, R"([\x00-\x{10ffff}]foo)", "foo"},
      {kRegex, R"([^\x00-\x{10ffff}]foo|bar)", "OR(bar foo)"},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(PlanText(c.pattern, c.how), c.plan) << c.pattern;
    // Some cannot be searched for as a word; the error says so.
    const std::string as_word = PlanText(c.pattern, c.how, true);
    if (!as_word.starts_with("word_regexp: ")) {
      EXPECT_EQ(as_word, c.plan) << c.pattern << " as a word";
    }
  }
}

// The patterns of bench/queries, by which we measure speed.
TEST(Plan, OfTheQueriesOfTheBenchmark) {
  const struct {
    const char* pattern;
    const char* plan;
  } cases[] = {
      {"zzqqxx_does_not_exist", "AND(_do _ex _no doe es_ exi ist not oes ot_ qqx qxx s_n t_e x_d xis xx_ zqq zzq)"},
      {"kmem_cache_create_usercopy",
       "AND(_ca _cr _us ach ate cac che cop cre e_c e_u eat em_ erc he_ kme m_c mem opy rco rea ser te_ use)"},
      {"EXPORT_SYMBOL_GPL", "AND(_gp _sy bol exp gpl l_g mbo ol_ ort por rt_ sym t_s xpo ymb)"},
      {"return -ENOMEM", R"(AND(\x20-e -en eno etu mem n\x20- nom ome ret rn\x20 tur urn))"},
      {"spinlock", "AND(inl loc nlo ock pin spi)"},
      {"kmalloc_array|kvmalloc_node|devm_kasprintf",
       "OR(AND(_ar all arr c_a kma llo loc mal oc_ ray rra) AND(_ka asp dev evm int kas m_k ntf pri rin spr vm_) "
       "AND(_no all c_n kvm llo loc mal nod oc_ ode vma))"},
      {R"(\w+_lock\()", "AND(_lo ck( loc ock)"},
      {R"(static\s+int\s+\w+_probe)", "AND(_pr ati int obe pro rob sta tat tic)"},
      {"[A-Z]{3,}_[0-9]+_MASK", "AND(_ma ask mas OR(0_m 1_m 2_m 3_m 4_m 5_m 6_m 7_m 8_m 9_m))"},
      {R"(^#include <linux/netdevice\.h>$)",
       R"(AND(\x20<l #in .h> /ne <li ce. clu de\x20 dev e\x20< e.h etd evi ice inc inu lin lud ncl net nux tde ude ux/ vic x/n))"},
      {"mutex_lock.*->lock", "AND(->l >lo _lo ex_ loc mut ock tex ute x_l)"},
      {"[a-z]{4}[0-9]{3}[a-z]{2}",
       "AND([a-z][a-z][0-9] [a-z][0-9][0-9] [0-9][a-z][a-z] [0-9][0-9][a-z] [0-9][0-9][0-9])"},
      {"qj", "qj"},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(PlanText(c.pattern), c.plan) << c.pattern;
    EXPECT_EQ(PlanText(c.pattern, kFolded), c.plan) << c.pattern;
  }
}

// Only where there is no text: then three bytes in a row are in three sets.
TEST(Plan, OfPatternsOfClasses) {
  const struct {
    How how;
    const char* pattern;
    const char* plan;
  } cases[] = {
      {kRegex, "[0-9]{3}", "[0-9][0-9][0-9]"},
      {kRegex, "[0-9]{3,}", "[0-9][0-9][0-9]"},
      {kRegex, "[0-9]{8}", "[0-9][0-9][0-9]"},
      {kRegex, "[0-9]{2}", "ALL"},
      {kRegex, "[0-9]+", "ALL"},
      {kRegex, "[A-Z]{3}[0-9]{3}", "AND([a-z][a-z][0-9] [a-z][0-9][0-9] [0-9][0-9][0-9])"},
      {kFolded, "[A-Z][0-9]{2}", "[a-z][0-9][0-9]"},
      {kFolded, "[X-Z0-9][0-9]{2}", "[0-9x-z][0-9][0-9]"},
      // Three letters, or any three bytes, are nearly everywhere.
      {kRegex, "[A-Z][a-z]+[A-Z][a-z]+", "ALL"},
      {kRegex, "[a-z]{9}", "ALL"},
      {kRegex, "...", "ALL"},
      {kRegex, R"(\w\w\w)", "ALL"},
      // A wider one says nothing more.
      {kRegex, "[a-z0-9]{3}[0-9]{3}", "[0-9][0-9][0-9]"},
      {kRegex, "[a-z]{2}[0-9][#%][0-9a-f]", "AND([a-z][a-z][0-9] [a-z][0-9][#%] [0-9][#%][0-9a-f])"},
      // No line has a line feed, and bytes are escaped where they would mean something else.
      {kRegex, R"([\n-\r#][0-9][0-9])", R"([\x0b-\x0d#][0-9][0-9])"},
      {kRegex, R"([0-9][\]^-][0-9])", R"([0-9][\x2d\x5d\x5e][0-9])"},
      {kRegex, R"([0-9][ \\][0-9])", R"([0-9][\x20\x5c][0-9])"},
      // Characters outside ASCII have several bytes, and so have their neighbours.
      {kRegex, R"(\d{3})", R"([0-9\x80-\xff][0-9\x80-\xff][0-9\x80-\xff])"},
      {kRegex, R"(\d[#%][a-z])", R"([0-9\x80-\xff][#%\x80-\xff][#%a-z\x80-\xff])"},
      {kRegex, R"(#\d[%@])", R"(#[0-9\x80-\xff][%@\x80-\xff])"},
      {kRegex, R"([#%@][0-9]\d)", R"([#%@][0-9][0-9\x80-\xff])"},
      {kRegex, "[0-9]{2}é|[#%@][0-9]{2}", R"(OR([#%@][0-9][0-9] AND([0-9]\xc3\xa9 [0-9][0-9]\xc3)))"},
      {kRegex, "a.c|b.d", R"(OR(a[\x00-\x09\x0b-@\x5b-\xff][c\x80-\xff] b[\x00-\x09\x0b-@\x5b-\xff][d\x80-\xff]))"},
      {kRegex, "foobar|[0-9]{3}", "OR([0-9][0-9][0-9] AND(bar foo oba oob))"},
      {kRegex, "(foo|[0-9]{3})[a-z]", "OR(AND(foo oo[a-z]) AND([0-9][0-9][a-z] [0-9][0-9][0-9]))"},
      {kRegex, "[0-9]{3}|[a-z]{3}", "ALL"},
      {kRegex, "[0-9]{3}|", "ALL"},
      {kRegex, "([0-9]{3})?", "ALL"},
      {kRegex, "[0-9]{3}(*ACCEPT)", "ALL"},
      // Beside a text they would not help.
      {kRegex, "foo.*[0-9]{3}", "foo"},
  };
  for (const auto& c : cases) EXPECT_EQ(PlanText(c.pattern, c.how), c.plan) << c.pattern;
}

// The rest of the text need not be near the class, nor the class in one piece.
TEST(Plan, AClassOfDigitsGivesOneGramForEach) {
  const auto pattern = Pattern::Compile({.pattern = "[0-9][0-9]x", .case_mode = CaseMode::kSensitive});
  EXPECT_EQ(CountGrams(pattern->plan()), 100U);
  EXPECT_TRUE(Holds(pattern->plan(), "a42xb"));
  EXPECT_FALSE(Holds(pattern->plan(), "a42b42"));
}

std::string ManyWords(std::size_t count) {
  std::string pattern;
  for (std::size_t i = 0; i < count; ++i) {
    const auto letter = [i](std::size_t n) { return static_cast<char>('a' + i / n % 26); };
    pattern += pattern.empty() ? "" : "|";
    for (const std::size_t n : {1U, 26U, 676U}) pattern += {letter(n), '_', letter(n)};
  }
  return pattern;
}

TEST(Plan, StaysSmall) {
  const std::string long_word = [] {
    std::string text;
    for (int i = 0; i < 9000; ++i) text += std::to_string(i * 7919);
    return text;
  }();
  const struct {
    std::string pattern;
    bool says_something;
  } cases[] = {
      {ManyWords(20), true},
      {ManyWords(199), true},
      {ManyWords(3000), false},  // one gram for each would be too many
      {long_word.substr(0, 30000), true},
      {"(" + ManyWords(100) + "){8}", true},
      {"((([a-c]x[0-9]y){8}){8}){2}", true},
      {"(" + ManyWords(50) + ")(" + ManyWords(50) + ")(" + ManyWords(50) + ")", true},
      {"[0-9]{3}[#%]{3}([a-z]{4}[0-9]{2}){9}", true},
      {"[0-9]{3}(?:[a-f]|[b-g][#%]|[c-h][@#]{2}|[%@]{3})[0-9]{3}", true},
  };
  for (const auto& c : cases) {
    const auto pattern = Pattern::Compile({.pattern = c.pattern, .case_mode = CaseMode::kSensitive});
    ASSERT_TRUE(pattern.ok()) << pattern.error().message;
    EXPECT_LE(CountGrams(pattern->plan()), kMaxPlanGrams);
    EXPECT_EQ(pattern->plan().kind != NgramPlan::Kind::kAll, c.says_something) << c.pattern.substr(0, 60);
  }
  EXPECT_EQ(CountGrams(PlanForLiteral(long_word)), kMaxPlanGrams);
}

TEST(Plan, OfFuzzyTexts) {
  const struct {
    const char* text;
    int level;
    const char* plan;
  } cases[] = {
      {"", 1, "ALL"},
      {"abcd", 0, "AND(abc bcd)"},
      {"a", 1, "ALL"},
      {"abc", 1, "ALL"},
      {"abcd", 1, "OR(ab cd)"},
      {"abcdef", 1, "OR(abc def)"},
      {"ABCdefg", 1, "OR(abc AND(def efg))"},
      {"abcdefghijkl", 1,
       "OR(AND(abc bcd cde def efg fgh ghi) AND(abc bcd cde def jkl) AND(abc ghi hij ijk jkl) AND(def efg fgh ghi hij "
       "ijk jkl))"},
      {"abcdefghi", 2, "OR(abc def ghi)"},
      {"abcabcabc", 2, "abc"},
      {"abcdefghi", 4, "ALL"},
      {"abcdefghijkl", 4, "OR(ab cd efg hi jkl)"},
      {"\u65E5\u672C", 1, R"(OR(\xe6\x97\xa5 \xe6\x9c\xac))"},
      {"\u65E5\u672C", 4, R"(OR(\xe6\x97\xa5 \xe6\x9c\xac))"},  // as level 1: one of them is right
      {"\xFF\xFE\xFF\xFE\xFF\xFE", 1, "ALL"},
  };
  for (const auto& c : cases) EXPECT_EQ(ToString(PlanForFuzzy(c.text, c.level)), c.plan) << c.text << " " << c.level;
}

TEST(Plan, HoldsForATextInEitherCaseAndForWhateverContainsIt) {
  const NgramPlan plan = Pattern::Compile({.pattern = "foo.*(bar|BAZ)"})->plan();
  const struct {
    const char* text;
    bool holds;
  } cases[] = {{"foo bar", true}, {"FOO Baz", true},  {"bar\nfoo", true}, {"xfoox\nxbarx", true},
               {"foo ba", false}, {"fo obar", false}, {"", false}};
  for (const auto& c : cases) EXPECT_EQ(Holds(plan, c.text), c.holds) << c.text;
  EXPECT_TRUE(Holds(NoPlan(), ""));
  EXPECT_FALSE(Holds({NgramPlan::Kind::kNone, {}, {}}, "x"));
}

TEST(Plan, OfSetsHoldsForThreeBytesInARow) {
  const NgramPlan plan = Pattern::Compile({.pattern = "[A-Z][0-9][%#]"})->plan();
  const struct {
    const char* text;
    bool holds;
  } cases[] = {{"b7%", true},    {"B7%", true}, {"xxB7#xx", true}, {"b7", false},  {"b%", false},
               {"b7\n%", false}, {"", false},   {"77%", false},    {"b77%", false}};
  for (const auto& c : cases) EXPECT_EQ(Holds(plan, c.text), c.holds) << c.text;
}

TEST(PlanAlgebra, Simplifies) {
  const auto gram = [](const char* text) { return PlanForLiteral(text); };
  const NgramPlan none = {NgramPlan::Kind::kNone, {}, {}};
  const NgramPlan a = gram("aaa");
  const NgramPlan b = gram("bbb");
  const NgramPlan c = gram("ccc");
  const NgramPlan pair = gram("zz");
  const auto range = [](char first, char last) {
    ByteSet set;
    set.AddRange(static_cast<unsigned char>(first), static_cast<unsigned char>(last));
    return PlanOfSets({set, set, set});
  };
  const NgramPlan digits = range('0', '9');
  const NgramPlan narrow = range('5', '7');
  const struct {
    NgramPlan plan;
    const char* text;
  } cases[] = {
      {AllOf({}), "ALL"},
      {AnyOf({}), "NONE"},
      {AllOf({a, NoPlan()}), "aaa"},
      {AnyOf({a, NoPlan()}), "ALL"},
      {AllOf({a, none}), "NONE"},
      {AnyOf({a, none}), "aaa"},
      {AllOf({c, a, AllOf({b, a})}), "AND(aaa bbb ccc)"},
      {AnyOf({c, a, AnyOf({b, a})}), "OR(aaa bbb ccc)"},
      {AllOf({a, AnyOf({a, b})}), "aaa"},
      {AllOf({a, b, AnyOf({AllOf({a, b}), c})}), "AND(aaa bbb)"},
      {AnyOf({a, AllOf({a, b})}), "aaa"},
      {AnyOf({AllOf({a, b}), AllOf({a, c})}), "AND(aaa OR(bbb ccc))"},
      {AllOf({a, pair}), "aaa"},
      {AllOf({a, AnyOf({b, pair})}), "aaa"},
      {AnyOf({a, pair}), "OR(aaa zz)"},
      {AllOf({pair, gram("yy")}), "AND(yy zz)"},
      {AllOf({digits, narrow}), "[5-7][5-7][5-7]"},
      {AllOf({gram("123"), digits}), "123"},
      {AllOf({gram("12"), digits}), "[0-9][0-9][0-9]"},
      {AllOf({a, digits}), "AND(aaa [0-9][0-9][0-9])"},
      {AnyOf({digits, narrow}), "OR([5-7][5-7][5-7] [0-9][0-9][0-9])"},
      {AnyOf({digits, NoPlan()}), "ALL"},
      {Shrink(digits, kGramsForSets), "[0-9][0-9][0-9]"},
      {Shrink(digits, kGramsForSets - 1), "ALL"},
      {Shrink(AllOf({a, digits}), kGramsForSets), "aaa"},
      {Shrink(AnyOf({a, digits}), kGramsForSets), "ALL"},
  };
  for (const auto& row : cases) EXPECT_EQ(ToString(row.plan), row.text);
}

// Whether a line that is too complex is tried at all must not depend on an
// index, which leaves out lines for which the plan does not hold.
TEST(Plan, ALineForWhichItDoesNotHoldIsNeverTooComplex) {
  const auto pattern = Pattern::Compile({.pattern = "(a|aa)+$.*foo.*bar", .case_mode = CaseMode::kSensitive});
  ASSERT_EQ(ToString(pattern->plan()), "AND(bar foo)");
  Pattern::Scratch scratch(*pattern);
  const std::string explodes = std::string(5000, 'a') + "b";
  const struct {
    const char* end;
    MatchStatus status;
  } cases[] = {
      {" foo bar", MatchStatus::kTooComplex},
      {" bar foo", MatchStatus::kTooComplex},
      {" foo", MatchStatus::kNoMatch},
      {" bar", MatchStatus::kNoMatch},
      {"", MatchStatus::kNoMatch},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(pattern->Match(explodes + c.end, scratch).status, c.status) << c.end;
  }
}

}  // namespace
}  // namespace forge
