#include "agent/foreign_fields.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace forge::agent {
namespace {

using ::testing::HasSubstr;
using Json = nlohmann::json;

// {"pattern":"x"} is part of each, unless it has a word for it.
TEST(ForeignFields, WordsWithOneReading) {
  const std::pair<const char*, const char*> cases[] = {
      // what to find
      {R"({"query":"a"})", R"({"pattern":"a"})"},
      {R"({"regex":"a"})", R"({"pattern":"a"})"},
      {R"({"searchTerm":"a","explanation":"why"})", R"({"pattern":"a"})"},
      {R"({"substring_pattern":"a","relative_path":"src"})", R"({"pattern":"a","path":"src"})"},
      {R"({"pattern":"a","regex":false})", R"({"pattern":"a","fixed_strings":true})"},
      {R"({"query":"a","isRegexp":true})", R"({"pattern":"a","fixed_strings":false})"},
      {R"({"pattern":"a","-F":true,"-w":true})", R"({"pattern":"a","fixed_strings":true,"word_regexp":true})"},
      {R"({"arguments":{"pattern":"a"}})", R"({"pattern":"a"})"},
      {R"({"pattern":["a","b"]})", R"({"pattern":"a|b"})"},
      {R"({"patterns":["a"],"fixed_strings":true})", R"({"pattern":"a","fixed_strings":true})"},
      {R"({"keywords":["a","b"]})", R"({"pattern":"a|b"})"},
      {R"({"pattern":404})", R"({"pattern":"404"})"},
      {R"({"name":"*.h"})", R"({"include_glob":["*.h"]})"},
      {R"({"pattern":"a","sort":"path"})", R"({"pattern":"a"})"},
      // case
      {R"({"pattern":"a","-i":true})", R"({"pattern":"a","case":"insensitive"})"},
      {R"({"pattern":"a","ignore_case":"true"})", R"({"pattern":"a","case":"insensitive"})"},
      {R"({"pattern":"a","caseSensitive":true})", R"({"pattern":"a","case":"sensitive"})"},
      {R"({"pattern":"a","case_sensitive":false})", R"({"pattern":"a","case":"insensitive"})"},
      {R"({"pattern":"a","case":"ignore"})", R"({"pattern":"a","case":"insensitive"})"},
      // where
      {R"({"pattern":"a","path":["src"]})", R"({"pattern":"a","path":"src"})"},
      {R"({"pattern":"a","path":["src","docs"]})", R"({"pattern":"a","paths":["src","docs"]})"},
      {R"({"pattern":"a","target_directories":"[\"src\",\"docs\"]"})", R"({"pattern":"a","paths":["src","docs"]})"},
      {R"({"pattern":"a","dir_path":"","path":null})", R"({"pattern":"a"})"},
      {R"({"pattern":"a","glob":"*.cc,*.h"})", R"({"pattern":"a","include_glob":["*.cc","*.h"]})"},
      {R"({"pattern":"a","glob":"**/*.{ts,tsx}"})", R"({"pattern":"a","include_glob":["**/*.{ts,tsx}"]})"},
      {R"({"pattern":"a","include":"*.cc *.h"})", R"({"pattern":"a","include_glob":["*.cc","*.h"]})"},
      {R"({"pattern":"a","include":["*.cc","!*_test.cc"]})",
       R"({"pattern":"a","include_glob":["*.cc"],"exclude_glob":["*_test.cc"]})"},
      {R"({"pattern":"a","include_glob":"src/"})", R"({"pattern":"a","include_glob":["src/**"]})"},
      {R"({"pattern":"a","file_pattern":"tests"})", R"({"pattern":"a","include_glob":["tests","**/tests/**"]})"},
      {R"({"pattern":"a","extensions":["ts",".tsx"]})", R"({"pattern":"a","include_glob":["*.ts","*.tsx"]})"},
      {R"({"pattern":"a","exclude":"build,*.min.js"})", R"({"pattern":"a","exclude_glob":["build","*.min.js"]})"},
      {R"({"pattern":"a","type":["ts","js"]})", R"({"pattern":"a","type":"ts,js"})"},
      {R"({"pattern":"a","language":"cpp"})", R"({"pattern":"a","type":"cpp"})"},
      {R"({"pattern":"a","respect_gitignore":true})", R"({"pattern":"a","no_ignore":false})"},
      {R"({"pattern":"a","includeHidden":true})", R"({"pattern":"a","hidden":true})"},
      {R"({"pattern":"a","hidden":1,"no_ignore":"True","follow":"no"})",
       R"({"pattern":"a","hidden":true,"no_ignore":true,"follow":false})"},
      // how much
      {R"({"pattern":"a","-A":3,"-B":"2"})", R"({"pattern":"a","after":3,"before":"2"})"},
      {R"({"pattern":"a","context_lines":2})", R"({"pattern":"a","context":2})"},
      {R"({"pattern":"a","head_limit":20})", R"({"pattern":"a","max_results":20})"},
      {R"({"pattern":"a","head_limit":0})", R"({"pattern":"a"})"},
      {R"({"pattern":"a","max_results":-1})", R"({"pattern":"a"})"},
      {R"j({"pattern":"a","glob":"*.(cc|h)"})j", R"j({"pattern":"a","include_glob":["*.{cc,h}"]})j"},
      {R"j({"pattern":"a","glob":"src/*.@(cc|h), *.md"})j",
       R"j({"pattern":"a","include_glob":["src/*.{cc,h}","*.md"]})j"},
      {R"j({"pattern":"a","glob":"copy (1).txt"})j",
       R"j({"pattern":"a","include_glob":["copy (1).txt","**/copy (1).txt/**"]})j"},
      {R"({"pattern":"a","maxResults":20})", R"({"pattern":"a","max_results":20})"},
      {R"({"pattern":"a","max_count":5})", R"({"pattern":"a","max_matches_per_file":5})"},
      {R"({"pattern":"a","start_index":40})", R"({"pattern":"a","offset":40})"},
      {R"({"pattern":"a","output_mode":"files_with_matches"})", R"({"pattern":"a","output":"files"})"},
      {R"({"pattern":"a","output_mode":"content","-n":true})", R"({"pattern":"a","output":"content"})"},
      {R"({"pattern":"a","count":true})", R"({"pattern":"a","output":"count"})"},
      {R"({"pattern":"a","count":7})", R"({"pattern":"a","max_results":7})"},
      {R"({"pattern":"a","-l":true})", R"({"pattern":"a","output":"files"})"},
      {R"({"pattern":"a","multiline":false})", R"({"pattern":"a"})"},
      // two words that agree
      {R"({"pattern":"a","query":"a"})", R"({"pattern":"a"})"},
      // not ours to judge
      {R"({"pattern":"a","foo":1})", R"({"pattern":"a","foo":1})"},
  };
  for (const auto& [given, meant] : cases) {
    const auto translated = TranslateFields(Json::parse(given));
    ASSERT_TRUE(translated) << given << ": " << translated.error().message;
    EXPECT_EQ(*translated, Json::parse(meant)) << given;
  }
}

TEST(ForeignFields, WordsThatDisagreeAreNamed) {
  const char* const cases[] = {R"({"pattern":"a","query":"b"})", R"({"pattern":"a","-i":true,"case_sensitive":true})",
                               R"({"pattern":"a","limit":5,"head_limit":6})",
                               R"({"pattern":"a","glob":"*.cc","include":"*.h"})"};
  for (const char* const given : cases) {
    const auto translated = TranslateFields(Json::parse(given));
    ASSERT_FALSE(translated) << given;
    EXPECT_EQ(translated.error().kind, ErrorKind::kBadArgs);
    EXPECT_THAT(translated.error().message, HasSubstr("and their values differ; give one of them.")) << given;
  }
}

TEST(ForeignFields, WordsWithoutAReadingNameTheFieldThatDoesIt) {
  const std::pair<const char*, const char*> cases[] = {
      {R"({"multiline":true})", "`after` or `context`"},
      {R"({"timeout":5})", "`timeout_ms`"},
      {R"({"page":2})", "`offset`"},
      {R"({"command":"rg x"})", "`pattern`"},
      {R"({"maxResult":2})", "did you mean \"max_results\"?"},
      {R"({"patterns":["a","b"],"fixed_strings":true})", "with | between"},
      {R"({"sort":"modified"})", "in the order of their paths"}};
  for (const auto& [given, named] : cases) {
    const auto translated = TranslateFields(Json::parse(given));
    ASSERT_FALSE(translated) << given;
    EXPECT_THAT(translated.error().message, HasSubstr(named));
    EXPECT_LT(translated.error().message.size(), 150U) << "one short sentence";
  }
}

}  // namespace
}  // namespace forge::agent
