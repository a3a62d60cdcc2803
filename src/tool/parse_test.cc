#include "tool/parse.h"

#include <gtest/gtest.h>

#include "tool/search_tool.h"

namespace forge::tool {
namespace {

Result<Arguments> Parse(const std::string& fields, Leniency leniency) {
  return ParseArguments(SearchDefinition().fields, R"({"pattern":"p")" + fields + "}", leniency);
}

// Each row: what a model wrote, and what a program would have to write to get
// the same arguments, or the same error.
TEST(Lenient, ReadsWhatCanBeReadInOneWayAndLeavesTheRest) {
  const std::pair<const char*, const char*> cases[] = {
      {R"(,"max_results":"50")", R"(,"max_results":50)"},
      {R"(,"max_results":"-1")", R"(,"max_results":-1)"},  // an error, about the number
      {R"(,"max_results":"50 ")", R"(,"max_results":"50 ")"},
      {R"(,"max_results":"99999999999999999999")", R"(,"max_results":"99999999999999999999")"},
      {R"(,"max_results":true)", R"(,"max_results":true)"},
      {R"(,"max_results":null,"path":null)", ""},
      {R"(,"hidden":"true","follow":"false")", R"(,"follow":false,"hidden":true)"},
      {R"(,"hidden":"yes")", R"(,"hidden":"yes")"},
      {R"(,"hidden":1)", R"(,"hidden":1)"},
      {R"(,"include_glob":"*.cc")", R"(,"include_glob":["*.cc"])"},
      {R"(,"include_glob":"[\"*.cc\",\"*.h\"]")", R"(,"include_glob":["*.cc","*.h"])"},
      {R"(,"include_glob":"[1]")", R"(,"include_glob":[1])"},
      {R"(,"include_glob":"[ab].c")", R"(,"include_glob":["[ab].c"])"},
      {R"(,"include_glob":"")", R"(,"include_glob":"")"},
      {R"(,"path":"true")", R"(,"path":"true")"},
  };
  for (const auto& [given, meant] : cases) {
    const auto lenient = Parse(given, Leniency::kLenient);
    const auto strict = Parse(meant, Leniency::kStrict);
    ASSERT_EQ(lenient.ok(), strict.ok()) << given;
    if (strict) {
      EXPECT_EQ(*lenient, *strict) << given;
    } else {
      EXPECT_EQ(lenient.error().message, strict.error().message) << given;
    }
  }
}

TEST(Lenient, NullForAFieldThatIsNeededLeavesItOut) {
  const auto parsed = ParseArguments(SearchDefinition().fields, R"({"pattern":null})", Leniency::kLenient);
  ASSERT_FALSE(parsed);
  EXPECT_EQ(parsed.error().message, "pattern: is missing; must be a string that is not empty");
}

TEST(Lenient, AnUnknownFieldIsRefusedWithoutAListOfAll) {
  EXPECT_EQ(Parse(R"(,"unknown":null)", Leniency::kLenient).error().message,
            "unknown field \"unknown\"; there is nothing like it, so leave it out");
  EXPECT_EQ(Parse(R"(,"max_result":1)", Leniency::kLenient).error().message,
            "unknown field \"max_result\"; did you mean \"max_results\"?");
}

TEST(Strict, TakesNoneOfThis) {
  for (const char* given : {R"(,"max_results":"50")", R"(,"path":null)", R"(,"hidden":"true")", R"(,"glob":"*.c")"}) {
    EXPECT_FALSE(Parse(given, Leniency::kStrict)) << given;
  }
}

}  // namespace
}  // namespace forge::tool
