#include "backend/searcher.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "backend/exit_class.h"

namespace forge {
namespace {

TEST(Versions, AreComparedAsNumbers) {
  const struct {
    const char* text;
    const char* name;
    const char* version;
  } cases[] = {
      {"ugrep 3.11.2 x86_64-pc-linux-gnu +pcre2jit", "ugrep", "3.11.2"},
      {"ripgrep 13.0.0\n-SIMD", "ripgrep", "13.0.0"},
      {"ripgrep 14.1 (rev 1)", "ripgrep", "14.1.0"},
      {"ugrep 7", "ugrep", "(none)"},
      {"xugrep 3.1.1", "ugrep", "(none)"},
      {"ugrepx 3.1.1", "ugrep", "(none)"},
      {"", "ugrep", "(none)"},
  };
  for (const auto& c : cases) {
    const auto version = ParseVersion(c.text, c.name);
    EXPECT_EQ(version ? ToString(*version) : "(none)", c.version) << c.text;
  }
  EXPECT_LT((Version{3, 9, 0}), (Version{3, 10, 0}));
}

TEST(Versions, TooOldOrLossyOnesAreRefusedWithTheReason) {
  EXPECT_EQ(Ugrep().Identify("ugrep 3.0.0 +pcre2jit")->problem, "");
  EXPECT_EQ(Ugrep().Identify("ugrep 2.5.9")->problem, "version 2.5.9 is too old; ugrep 3.0 or later is needed");
  EXPECT_EQ(Ripgrep().Identify("ripgrep 12.1.1")->problem,
            "version 12.1.1 is too old; ripgrep 13.0 or later is needed");
  EXPECT_NE(Ripgrep().Identify("ripgrep 14.0.3")->problem, "");
  EXPECT_EQ(Ripgrep().Identify("ripgrep 14.1.1")->problem, "");
  EXPECT_FALSE(Ripgrep().Identify("grep (GNU grep) 3.8").has_value());
  EXPECT_FALSE(Ugrep().Identify("ripgrep 13.0.0").has_value());
}

// PCRE2 does not compile a pattern of that size, and the kernel does not pass
// it.
TEST(Finder, OneThatIsTooLargeIsNotHandedOver) {
  std::string text;
  for (int i = 10; i < 70; ++i) text += (i > 10 ? "|\\w{40}k" : "\\w{40}k") + std::to_string(i);
  for (const bool large : {false, true}) {
    const auto pattern = Pattern::Compile({.pattern = large ? text : text.substr(0, 9)});
    ASSERT_TRUE(pattern.ok());
    EXPECT_EQ(FinderFor(*pattern).kind, large ? LineFinder::Kind::kEveryLine : LineFinder::Kind::kRegex);
  }
}

std::string Parse(const SearcherKind& kind, const std::vector<std::string>& pieces) {
  const auto parser = kind.MakeParser();
  std::string out;
  for (const std::string& piece : pieces) {
    const bool good = parser->Feed(piece, [&](const SeenRecord& record) {
      out += "<" + std::string(record.path) + ">" + std::to_string(record.line.line_number) + "+" +
             std::to_string(record.line.offset) + "+" + std::to_string(record.line.length) + " ";
      return true;
    });
    if (!good) return out + "garbage";
  }
  return out + (parser->AtEnd() ? "" : "incomplete");
}

TEST(Records, OfUgrep) {
  EXPECT_EQ(Parse(Ugrep(), {"\"./a\":1:2:3\n\"./q\\\"b\\\\\n\":12:0:1\n"}), "<./a>1+2+3 <./q\"b\\\n>12+0+1 ");
  EXPECT_EQ(Parse(Ugrep(), {"\"./a\":1:2"}), "incomplete");
  EXPECT_EQ(Parse(Ugrep(), {"./a:1:2:3\n"}), "garbage");
  EXPECT_EQ(Parse(Ugrep(), {"\"./a\":x:2:3\n"}), "garbage");
  EXPECT_EQ(Parse(Ugrep(), {"\"./a\":1:2:99999999999999999999999\n"}), "garbage");
  EXPECT_EQ(Parse(Ugrep(), {"\"" + std::string(100'000, 'x')}), "garbage");
}

TEST(Records, OfRipgrep) {
  using std::string_literals::operator""s;
  EXPECT_EQ(Parse(Ripgrep(), {"./a\nb\0"s + "7:[Omitted long matching line]\n./c\0"s + "8:x\n"}),
            "<./a\nb>7+0+0 <./c>8+0+0 ");
  EXPECT_EQ(Parse(Ripgrep(), {"./a\0x:y\n"s}), "garbage");
  EXPECT_EQ(Parse(Ripgrep(), {"./a\0"s + "7\n"}), "garbage");
  EXPECT_EQ(Parse(Ripgrep(), {std::string(100'000, 'x')}), "garbage");
}

TEST(RecordProperty, HowTheOutputIsCutDoesNotMatter) {
  using std::string_literals::operator""s;
  const std::string ugrep = "\"./a\":1:2:3\n\"./q\\\"b\\\\\n\":12:0:1\n\"./c\":5:6:7\n";
  const std::string rg = "./a\nb\0"s + "7:[x]\n./c\0"s + "8:y\n./c\0"s + "19:\n";
  EXPECT_TRUE(rc::check([&] {
    const bool is_rg = *rc::gen::arbitrary<bool>();
    const std::string& whole = is_rg ? rg : ugrep;
    const SearcherKind& kind = is_rg ? Ripgrep() : Ugrep();
    std::vector<std::string> pieces;
    std::string rest = whole;
    while (!rest.empty()) {
      const auto n = *rc::gen::inRange<std::size_t>(1, rest.size() + 1);
      pieces.push_back(rest.substr(0, n));
      rest.erase(0, n);
    }
    RC_ASSERT(Parse(kind, pieces) == Parse(kind, {whole}));
  }));
}

TEST(RecordProperty, NoBytesBreakTheParser) {
  EXPECT_TRUE(rc::check([] {
    const auto bytes = *rc::gen::container<std::string>(rc::gen::element('"', ':', '\\', '\n', '1', 'a', '\0', '\xFF'));
    Parse(Ugrep(), {bytes});
    Parse(Ripgrep(), {bytes});
  }));
}

TEST(IT_LS_EXIT_01, ExitOneMeansNoMatches) {
  EXPECT_EQ(Name(ClassifyExitCode(0)), "ok_with_matches");
  EXPECT_EQ(Name(ClassifyExitCode(1)), "ok_no_matches");
  EXPECT_FALSE(IsBackendError({.exit_code = 1, .stderr_text = "warning"}, false));
}

TEST(IT_LS_EXIT_02, ExitTwoIsAnErrorUnlessItIsAboutSingleFiles) {
  EXPECT_EQ(Name(ClassifyExitCode(2)), "backend_error");
  EXPECT_EQ(Name(ClassifyExitCode(77)), "backend_error");
  EXPECT_TRUE(IsBackendError({.exit_code = 2, .stderr_text = {}}, false));
  EXPECT_FALSE(IsBackendError({.exit_code = 2, .stderr_text = "about a file"}, true));
  EXPECT_TRUE(IsBackendError({.exit_code = 3, .stderr_text = "about a file"}, true));
  EXPECT_TRUE(IsBackendError({.signal = 11, .stderr_text = {}}, true));
}

TEST(Complaints, NameTheFile) {
  EXPECT_EQ(Ugrep().ComplaintAbout("ugrep: warning: cannot read ./x: Permission denied"), "./x: Permission denied");
  EXPECT_EQ(Ripgrep().ComplaintAbout("./x: Permission denied (os error 13)"), "./x: Permission denied (os error 13)");
  EXPECT_EQ(Ripgrep().ComplaintAbout("rg: ./x: No such file"), "./x: No such file");
  EXPECT_EQ(Ripgrep().ComplaintAbout("regex parse error:"), "");
}

}  // namespace
}  // namespace forge
