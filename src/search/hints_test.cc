#include "search/hints.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "backend/native.h"
#include "search/service.h"
#include "tests/testing/temp_tree.h"

namespace forge {
namespace {

using std::chrono::milliseconds;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Change = Hint::Change;

std::string Print(const HintTry& hint) {
  const SearchRequest& r = hint.request;
  std::string out = r.pattern;
  if (r.case_mode == CaseMode::kInsensitive) out += " -i";
  if (r.fixed_strings) out += " -F";
  if (r.word_regexp) out += " -w";
  if (r.hidden) out += " hidden";
  if (r.no_ignore) out += " no_ignore";
  if (!r.include_glob.empty()) out += " -g";
  if (!r.recursive) out += " flat";
  if (r.fuzzy) out += " fuzzy";
  if (!r.path.empty()) out += " " + r.path;
  return out;
}

std::vector<std::string> Tried(const SearchRequest& request, bool names_file = false, bool fuzzy_tried = false) {
  std::vector<std::string> out;
  for (const HintTry& hint : HintTries(request, names_file, fuzzy_tried)) {
    EXPECT_EQ(hint.request.max_results, 1);
    out.push_back(Print(hint));
  }
  return out;
}

TEST(Hints, OneThingIsChangedAtATimeWhatHelpsMostFirst) {
  EXPECT_THAT(Tried({.pattern = "abc"}), ElementsAre("abc hidden", "abc no_ignore"));
  EXPECT_THAT(Tried({.pattern = "Abcd"}), ElementsAre("Abcd -i -F fuzzy", "Abcd -i", "Abcd hidden", "Abcd no_ignore"));
  EXPECT_THAT(Tried({.pattern = "Abcd"}, false, true), ElementsAre("Abcd -i", "Abcd hidden", "Abcd no_ignore"));
  EXPECT_THAT(Tried({.pattern = "abc", .path = "src/a.c"}, true), ElementsAre("abc"));
  EXPECT_THAT(Tried({.pattern = "a[i]", .path = "src", .word_regexp = true, .hidden = true, .no_ignore = true}),
              ElementsAre("a[i] -F -w hidden no_ignore src", "a[i] hidden no_ignore src", "a[i] -w hidden no_ignore"));
  EXPECT_THAT(
      Tried({.pattern = "a.*b",
             .fixed_strings = true,
             .include_glob = {"*.c"},
             .recursive = false,
             .hidden = true,
             .no_ignore = true},
            false, true),
      ElementsAre("a.*b hidden no_ignore -g flat", "a.*b -F hidden no_ignore flat", "a.*b -F hidden no_ignore -g"));
}

Event At(const std::string& path, std::uint64_t line, const std::string& text = "x") {
  Event event;
  event.path = path;
  event.line_number = line;
  event.match_text = text;
  return event;
}

std::vector<Change> ChangesOf(const std::vector<Hint>& hints) {
  std::vector<Change> out;
  for (const Hint& hint : hints) out.push_back(hint.change);
  return out;
}

TEST(Hints, AChangeThatLeadsToTheSameLineIsNotNamedAgain) {
  const auto tries = HintTries({.pattern = "Abcd", .path = "src", .word_regexp = true}, false, false);
  const auto hints = FindHints(tries, Deadline::After(milliseconds(10'000)), [](const HintTry& hint, const Deadline&) {
    const bool other = hint.change == Change::kAnyPath;
    return TryResult{.match = At(other ? "lib/b.c" : "src/a.c", 7, "Abcx")};
  });
  EXPECT_THAT(ChangesOf(hints), ElementsAre(Change::kOneEdit, Change::kAnyPath));
}

TEST(Hints, AWrongCaseIsNotCalledAWrongCharacter) {
  const auto tries = HintTries({.pattern = "Abcd", .hidden = true, .no_ignore = true}, false, false);
  std::vector<Change> looked;
  const auto hints = FindHints(tries, Deadline::After(milliseconds(10'000)), [&](const HintTry& hint, const Deadline&) {
    looked.push_back(hint.change);
    return TryResult{.match = At("a.c", 7, "abcd")};
  });
  EXPECT_THAT(ChangesOf(hints), ElementsAre(Change::kAnyCase));
  EXPECT_THAT(looked, ElementsAre(Change::kOneEdit)) << "the case is known by then";
}

TEST(Hints, AMistakeIsNamedByWhatItTakes) {
  const struct {
    const char* pattern;
    const char* found;
    Change change;
  } cases[] = {
      {"kmallc", "kmalloc", Change::kOneEdit},   {"kmalloc", "kmallc", Change::kOneEdit},
      {"kmallox", "kmalloc", Change::kOneEdit},  {"Kmallc", "kmalloc", Change::kNearly},
      {"Kmalloc", "kmalloc", Change::kAnyCase},  {"na\u00EFve", "naive", Change::kOneEdit},
      {"xkmalloc", "kmalloc", Change::kOneEdit},
  };
  for (const auto& c : cases) {
    const std::vector<HintTry> tries = {{Change::kOneEdit, {.pattern = c.pattern}}};
    const auto hints = FindHints(tries, Deadline::After(milliseconds(10'000)), [&](const HintTry&, const Deadline&) {
      return TryResult{.match = At("a", 1, c.found)};
    });
    EXPECT_THAT(ChangesOf(hints), ElementsAre(c.change)) << c.pattern << " " << c.found;
  }
}

std::string SpellingTried(const std::string& pattern) {
  for (const HintTry& hint : HintTries({.pattern = pattern}, false, false)) {
    if (hint.change == Change::kSpelling) return hint.request.pattern;
  }
  return "";
}

TEST(Hints, OtherSpellingsAreOtherJointsAndExchangedLetters) {
  EXPECT_EQ(SpellingTried("a_bcd"), "a[ _-]?bcd|_abcd|ab_cd|a_cbd|a_bdc");
  EXPECT_EQ(SpellingTried("aBcde"), "a[ _-]?Bcde|Bacde|acBde|aBdce|aBced");
  EXPECT_EQ(SpellingTried("_ABc_"), "A_Bc_|_BAc_|_AcB_|_AB_c") << "no joint inside";
  EXPECT_EQ(SpellingTried("aaaaa"), "");
  EXPECT_EQ(SpellingTried("abcd"), "") << "near to too much";
  EXPECT_EQ(SpellingTried("foo(bar"), "");
  EXPECT_EQ(SpellingTried("12345"), "");
}

TEST(Hints, EachTryHasItsShareAndTheFirstHasHalf) {
  const auto tries = HintTries({.pattern = "Abcd", .word_regexp = true}, false, false);
  ASSERT_EQ(tries.size(), 5U);
  const Deadline whole = Deadline::After(milliseconds(100'000));
  std::vector<std::int64_t> seconds;
  FindHints(tries, whole, [&](const HintTry&, const Deadline& share) {
    seconds.push_back(std::chrono::round<std::chrono::seconds>(share.left()).count());
    return TryResult();
  });
  // Nothing was used: what a try leaves goes to the others.
  EXPECT_THAT(seconds, ElementsAre(50, 25, 33, 50, 100));
}

TEST(Hints, WithoutTimeOnlyWhatIsKnownIsSaid) {
  const auto tries = HintTries({.pattern = "Abcd", .path = "src"}, false, false);
  std::vector<Change> looked;
  const auto hints = FindHints(tries, Deadline::After(milliseconds(0)), [&](const HintTry& hint, const Deadline&) {
    looked.push_back(hint.change);
    return TryResult{.untried = 3, .first_untried = "build/"};
  });
  EXPECT_THAT(looked, ElementsAre(Change::kHidden, Change::kNoIgnore));
  EXPECT_THAT(hints, ElementsAre(Hint{.change = Change::kHidden, .path = "build/", .untried = 3},
                                 Hint{.change = Change::kNoIgnore, .path = "build/", .untried = 3}));
  CancelSource cancel;
  cancel.Cancel();
  EXPECT_THAT(FindHints(tries, Deadline::After(milliseconds(10'000), cancel.token()),
                        [](const HintTry&, const Deadline&) -> TryResult {
                          ADD_FAILURE() << "looked";
                          return {};
                        }),
              IsEmpty());
}

class HintSearch : public ::testing::Test {
 protected:
  std::vector<Hint> Ask(const SearchRequest& request) {
    SearchService service(config_, *Sandbox::Create({tree_.root()}, "", {}), std::make_shared<NativeBackend>(1),
                          "none");
    service.SetHintTime(std::chrono::seconds(10));
    const auto response = service.Search(request, {.hints = true});
    EXPECT_TRUE(response);
    return response ? response->hints : std::vector<Hint>();
  }

  testing::TempTree tree_;
  SearchConfig config_;
};

TEST_F(HintSearch, OneWrongCharacterIsNamedWithTheRightText) {
  tree_.Write("include/slab.h", "\nvoid *kmalloc_array(size_t n);\n");
  EXPECT_THAT(Ask({.pattern = "kmallc_array"}),
              ElementsAre(Hint{Change::kOneEdit, "include/slab.h", 2, "kmalloc_array", 0}));
}

// Models remember the words of a name better than how they are joined. Without the time
// that hints have.
TEST_F(HintSearch, AnotherSpellingFindsTheNameThatIsThere) {
  tree_.Write("a.cc", "\nstd::string ClipLine(int);\nint max_size;\nint receive;\nget_user_name MakeSearchTool\n");
  const SearchService service(config_, *Sandbox::Create({tree_.root()}, "", {}), std::make_shared<NativeBackend>(1),
                              "none");
  const auto found = [&](const std::string& pattern) {
    for (const HintTry& hint : HintTries({.pattern = pattern}, false, false)) {
      if (hint.change != Change::kSpelling) continue;
      const auto response = service.Search(hint.request, {});
      return response && !response->matches.empty() ? response->matches[0].match_text.str() : "";
    }
    return std::string("not tried");
  };
  EXPECT_EQ(found("clip_line"), "ClipLine");
  EXPECT_EQ(found("clip line"), "ClipLine");
  EXPECT_EQ(found("MaxSize"), "max_size");
  EXPECT_EQ(found("int_max_size"), "int max_size");
  EXPECT_EQ(found("recieve"), "receive");
  EXPECT_EQ(found("make_search_tool"), "MakeSearchTool");
  EXPECT_EQ(found("getUserName"), "get_user_name");
  EXPECT_EQ(found("std_clip_line"), "");
}

TEST(Hints, AnotherSpellingIsNotLookedForIfTheCaseIsWrong) {
  const auto tries = HintTries({.pattern = "ABCDE", .hidden = true, .no_ignore = true}, false, false);
  const auto hints = FindHints(tries, Deadline::After(milliseconds(10'000)), [&](const HintTry& hint, const Deadline&) {
    EXPECT_EQ(hint.change, Change::kOneEdit);
    return TryResult{.match = At("a.c", 7, "abcde")};
  });
  EXPECT_THAT(ChangesOf(hints), ElementsAre(Change::kAnyCase));
}

TEST_F(HintSearch, HiddenAndIgnoredFilesAreReadAndNoOthers) {
  tree_.Write(".ignore", "out\n");
  tree_.Write("src/.ignore", "*.log\n");
  tree_.Write(".ci/deep/.x", "needle\n");
  tree_.Write("src/a.c", "thread\n");
  tree_.Write("src/b.log", "needle\n");
  tree_.Write("out/.hidden", "needle\n");
  tree_.Write(".git/config", "needle\n");
  EXPECT_THAT(Ask({.pattern = "needle"}), ElementsAre(Hint{Change::kHidden, ".ci/deep/.x", 1, "needle", 0},
                                                      Hint{Change::kNoIgnore, "src/b.log", 1, "needle", 0}));
  EXPECT_THAT(Ask({.pattern = "needle", .path = "src"}),
              ElementsAre(Hint{Change::kNoIgnore, "src/b.log", 1, "needle", 0}));
  EXPECT_THAT(Ask({.pattern = "needle", .exclude_glob = {".ci"}}),
              ElementsAre(Hint{Change::kNoIgnore, "src/b.log", 1, "needle", 0}));
}

TEST_F(HintSearch, WhatIsDeniedIsNotRead) {
  tree_.Write(".env", "needle\n");
  tree_.Write(".ssh/key", "needle\n");
  EXPECT_THAT(Ask({.pattern = "needle"}), IsEmpty());
}

TEST_F(HintSearch, ThereAreNoneIfSomethingWasFoundOrTheSearchWasCut) {
  tree_.Write("a", "needle\n");
  tree_.Write(".b", "needle\n");
  EXPECT_THAT(Ask({.pattern = "needle"}), IsEmpty());
  EXPECT_THAT(Ask({.pattern = "Needle", .max_files = 1, .invert = true}), IsEmpty());
}

}  // namespace
}  // namespace forge
