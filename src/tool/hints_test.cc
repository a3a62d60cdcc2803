#include "tool/hints.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/testing/fake_engine.h"
#include "tool/search_tool.h"

namespace forge::tool {
namespace {

using std::chrono::milliseconds;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::string Print(const SearchRequest& r) {
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

SearchRequest Request(const std::string& json) { return *ParseSearchRequest(json); }

// The requests that we try instead of `request`.
std::vector<std::string> Tried(const std::string& request) {
  std::vector<std::string> tried;
  testing::FakeEngine engine({},
                             [&](const SearchRequest& r, const SearchOptions& how) -> Result<SearchResponse> {
                               EXPECT_EQ(r.max_results, 1);
                               EXPECT_FALSE(how.counted) << "FR-LSI-BG-06";
                               EXPECT_LE(r.timeout, milliseconds(1000));
                               tried.push_back(Print(r));
                               return BadArgs("cannot");
                             },
                             {});
  EXPECT_THAT(HintsForNothing(engine, Request(request), milliseconds(0), {}), IsEmpty());
  return tried;
}

TEST(Hints, OneThingIsChangedAtATime) {
  EXPECT_THAT(Tried(R"({"pattern":"abc"})"), ElementsAre("abc hidden", "abc no_ignore"));
  EXPECT_THAT(Tried(R"({"pattern":"Abc"})"), ElementsAre("Abc -i", "Abc hidden", "Abc no_ignore"));
  EXPECT_THAT(Tried(R"({"pattern":"abcd","hidden":true,"no_ignore":true})"),
              ElementsAre("abcd -F hidden no_ignore fuzzy"));
  EXPECT_THAT(Tried(R"({"pattern":"a[i]","path":"src","word_regexp":true,"hidden":true,"no_ignore":true})"),
              ElementsAre("a[i] -F -w hidden no_ignore src", "a[i] hidden no_ignore src", "a[i] -w hidden no_ignore"));
  EXPECT_THAT(Tried(R"({"pattern":"a.*b","fixed_strings":true,"include_glob":["*.c"],"recursive":false,)"
                    R"("hidden":true,"no_ignore":true,"fuzzy":1})"),
              ElementsAre("a.*b hidden no_ignore -g flat fuzzy", "a.*b -F hidden no_ignore flat fuzzy",
                          "a.*b -F hidden no_ignore -g fuzzy"));
}

TEST(Hints, SaysWhatWouldHaveMatchedAndWhere) {
  testing::FakeEngine engine({},
                             [](const SearchRequest& r, const SearchOptions&) {
                               SearchResponse response;
                               if (r.case_mode == CaseMode::kInsensitive) {
                                 response.matches.push_back({Event::Type::kMatch, "src/a\x1B.c", 12, 1, "abc", "abc"});
                               }
                               return response;
                             },
                             {});
  EXPECT_THAT(HintsForNothing(engine, Request(R"({"pattern":"Abc"})"), milliseconds(0), {}),
              ElementsAre("with case = \"insensitive\" there is a match: src/a\\u001b.c line 12."));
  EXPECT_THAT(HintsForNothing(engine, Request(R"({"pattern":"Abc"})"), milliseconds(0), {}, HintWords::kOptions),
              ElementsAre("with -i there is a match: src/a\\u001b.c line 12."));
}

TEST(Hints, NoneWhenTheTimeIsUpOrTheCallIsCancelled) {
  testing::FakeEngine engine({},
                             [](const SearchRequest&, const SearchOptions&) -> Result<SearchResponse> {
                               ADD_FAILURE() << "searched";
                               return SearchResponse();
                             },
                             {});
  EXPECT_THAT(HintsForNothing(engine, Request(R"({"pattern":"Abc","timeout_ms":50})"), milliseconds(50), {}),
              IsEmpty());
  CancelSource cancel;
  cancel.Cancel();
  EXPECT_THAT(HintsForNothing(engine, Request(R"({"pattern":"Abc"})"), milliseconds(0), cancel.token()), IsEmpty());
}

}  // namespace
}  // namespace forge::tool
