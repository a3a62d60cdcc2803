// Calls as different agents make them, and what a model that knows nothing else
// must read in the answers. The fields are those of the agents' own search tools.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/agent/project.h"

namespace forge::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kServer = R"(#include "mcp/server.h"

namespace app {

// Reads one line, and answers it.
void Server::HandleLine(std::string_view line) {
  char buffer[64];
  const int tokenCount = Parse(line, buffer);
  if (tokenCount == 0) return;  // TODO: say why
  Send("ok");
}

void Server::Stop() { stopped_ = true; }

}  // namespace app
)";

class Calls : public ::testing::Test {
 protected:
  Calls() {
    tree_.Write("README.md", "# App\nRun `./scripts/build.py`.\nHandleLine is the heart.\n");
    tree_.Write("src/mcp/server.cc", kServer);
    tree_.Write("src/mcp/server.h",
                "class Server {\n public:\n  void HandleLine(std::string_view line);\n  void Stop();\n};\n");
    tree_.Write("src/remote/server.cc", "// another server\nint Connect();\n");
    tree_.Write("src/tool/parse.cc", "int Parse(std::string_view line, char* buffer) {\n  return 0;\n}\n");
    tree_.Write("web/app.ts", "export const maxRetries = 3;\nimport { view } from './view';\n");
    tree_.Write("web/view.tsx", "export const view = <p>maxRetries</p>;\n");
    tree_.Write("scripts/build.py", "def main():\n    print('build\\n')\n    path = r'C:\\temp'\n");
    tree_.Write("tests/server_test.cc", "TEST(Server, Stops) { Server().Stop(); }\n");
    tree_.Write("docs/old notes.md", "spaces in a name\n");
    tree_.Write(".gitignore", "/out/\n");
    tree_.Write("out/server.o.txt", "HandleLine compiled\n");
    tree_.Write(".config/hidden.txt", "secret_flag = 1\n");
    tree_.Write(".env", "TOKEN=abc\n");
    tree_.Write("keys/server.pem", "TOKEN=abc\n");
    tree_.Write("big/log.txt", Lines(120, "connection reset"));
    tree_.Write("big/data.bin", std::string("needle_in_binary\0x", 18));
    asker_ = std::make_unique<Asker>(EngineOptions{.config = ConfigFor("native"), .roots = {tree_.root()}});
  }

  static std::string Lines(int count, const std::string& line) {
    std::string text;
    for (int i = 0; i < count; ++i) text += line + "\n";
    return text;
  }

  TempTree tree_;
  std::unique_ptr<Asker> asker_;
};

struct Row {
  const char* who;
  const char* call;
  std::vector<std::string> says;             // each is in the text
  std::vector<std::string> never_says = {};  // none is
  bool is_error = false;
};

const std::string kDefinition = "6:void Server::HandleLine(std::string_view line) {";

// Lines and their neighbours.
std::vector<Row> PlainCalls() {
  return {
      {"Claude Code",
       R"({"pattern":"HandleLine","output_mode":"content","-n":true})",
       {kDefinition, "3 matches in 3 files."}},
      {"Claude Code",
       R"({"pattern":"HandleLine"})",
       {"src/mcp/server.cc\n" + kDefinition},
       {"HandleLine compiled", ":1:"}},
      {"Claude Code",
       R"({"pattern":"HandleLine","output_mode":"files_with_matches"})",
       {"README.md\nsrc/mcp/server.cc\nsrc/mcp/server.h\n\n3 files with a match."},
       {"void"}},
      {"Claude Code",
       R"({"pattern":"Stop","output_mode":"count"})",
       {"src/mcp/server.cc: 1\nsrc/mcp/server.h: 1\ntests/server_test.cc: 1\n\n3 matches in 3 files."}},
      {"Claude Code", R"({"pattern":"handleline","-i":true,"glob":"*.cc"})", {kDefinition, "1 match in 1 file."}},
      {"Claude Code", R"({"pattern":"maxRetries","glob":"**/*.{ts,tsx}"})", {"web/app.ts\n1:", "web/view.tsx\n1:"}},
      {"Claude Code",
       R"({"pattern":"TODO","-A":1,"-B":1,"type":"cpp"})",
       {"8-  const int tokenCount", "9:  if (tokenCount == 0)", "10-  Send("}},
      {"Claude Code", R"({"pattern":"TODO","-C":"2"})", {"7-", "8-", "9:", "10-", "11-"}},
      {"Claude Code",
       R"({"pattern":"HandleLine","head_limit":1})",
       {"README.md\n3:", "3 matches in 3 files. Shown: 1.", "offset=1"}},
      {"Claude Code", R"({"pattern":"HandleLine","head_limit":0,"offset":0})", {"3 matches in 3 files."}},
      {"Claude Code", R"({"pattern":"HandleLine","offset":1,"head_limit":1})", {kDefinition, "Shown: 2."}, {"README"}},
      {"Claude Code",
       R"({"pattern":"CallLimits|Stop","context":5,"max_results":1})",
       {"13:void Server::Stop()", "3 matches"},
       {"No match"}},
      {"Codex", R"({"query":"HandleLine","path":"src","max_results":20})", {kDefinition, "2 matches in 2 files."}},
      {"Codex",
       R"({"pattern":"HandleLine","include":"*.h","limit":100})",
       {"3:  void HandleLine", "1 match in 1 file."}},
      {"Cursor",
       R"({"query":"tokenCount","case_sensitive":true,"include_pattern":"*.cc","explanation":"find it"})",
       {"8:  const int tokenCount", "2 matches in 1 file."}},
      {"Cursor", R"({"query":"tokencount","case_sensitive":true})", {"No matches in "}},
      {"Cursor", R"({"query":"HandleLine","target_directories":["src/mcp"]})", {kDefinition}, {"README"}},
      {"Cursor", R"({"query":"HandleLine","exclude_pattern":"*.md,*.h"})", {"1 match in 1 file."}},
      {"Cline", R"({"path":"src","regex":"Handle\\w+","file_pattern":"*.cc"})", {kDefinition, "1 match in 1 file."}},
      {"Roo Code", R"({"path":".","regex":"HandleLine","file_pattern":"*"})", {"3 matches in 3 files."}},
      {"Gemini CLI",
       R"({"pattern":"HandleLine","dir_path":"src/mcp","include":"*.{cc,h}"})",
       {"2 matches in 2 files."}},
      {"Gemini CLI", R"({"pattern":"maxRetries","include":"*.ts,*.tsx"})", {"2 matches in 2 files."}},
      {"Continue", R"({"query":"HandleLine"})", {"3 matches in 3 files."}},
      {"VS Code",
       R"({"query":"buffer[64]","isRegexp":false,"includePattern":"src/**","maxResults":5})",
       {"7:  char buffer[64];"}},
      {"VS Code", R"j({"query":"Handle(Line|File)","isRegexp":true})j", {"3 matches in 3 files."}},
      {"opencode", R"({"pattern":"HandleLine","path":"src","include":"*.cc"})", {kDefinition}},
      {"Serena",
       R"({"substring_pattern":"TODO","context_lines_before":1,"context_lines_after":0,"relative_path":"src","paths_include_glob":"**/*.cc"})",
       {"8-", "9:"},
       {"10-"}},
      {"Aider", R"({"search":"Stop","files":["src/mcp/server.h"]})", {"4:  void Stop();"}},
      {"mcp-ripgrep",
       R"({"pattern":"HandleLine","path":"src","caseSensitive":false,"fixedStrings":true,"maxResults":10,"context":0})",
       {"2 matches in 2 files."}},
      {"Qwen Code", R"({"pattern":"HandleLine","path":"src","glob":"*.h","limit":"3"})", {"1 match in 1 file."}},
      {"Zed",
       R"({"regex":"HandleLine","include_pattern":"src/**/*.cc","offset":0,"case_sensitive":false})",
       {kDefinition}},
      {"Goose", R"({"pattern":"HandleLine","path":null,"context_lines":null})", {"3 matches in 3 files."}},
      {"Copilot",
       R"({"pattern":"HandleLine","output_mode":"content","paths":"src","-n":"true","glob":"**/*.h"})",
       {"1 match in 1 file."}},
      {"Windsurf",
       R"({"Query":"HandleLine","SearchPath":"src","CaseSensitive":true,"MatchPerLine":true})",
       {kDefinition, "2 matches in 2 files."}},
      {"a model", R"({"pattern":"HandleLine","include_glob":"src"})", {kDefinition, "2 matches in 2 files."}},
      {"a model", R"({"pattern":"HandleLine","include_glob":"[\"*.cc\",\"*.h\"]"})", {"2 matches in 2 files."}},
      {"a model", R"({"pattern":"HandleLine","include_glob":["*","!*.md"]})", {"2 matches in 2 files."}},
      {"a model", R"({"pattern":"HandleLine","hidden":"false","recursive":"true"})", {"3 matches in 3 files."}},
      {"a model", R"({"pattern":"HandleLine","extensions":["h"]})", {"1 match in 1 file."}},
      {"a model", R"({"pattern":"HandleLine","type":"typescript"})", {"No matches in 2 files"}},
      {"a model", R"({"pattern":"HandleLine","type":"c++","output":"files"})", {"src/mcp/server.cc"}},
      {"a model", R"({"pattern":"HandleLine","-l":true})", {"3 files with a match."}},
      {"a model", R"({"pattern":"HandleLine","arguments":{"x":1}})", {}, {}, true},
      {"a model", R"({"arguments":{"pattern":"HandleLine"}})", {"3 matches in 3 files."}},
      {"a model",
       R"({"pattern":"Server","word_regexp":true,"-c":true,"path":"src/mcp/server.cc"})",
       {"src/mcp/server.cc: 2"}},
      {"a model", R"({"pattern":"Stop","columns":true,"path":"src/mcp/server.h"})", {"4:8:  void Stop();"}},
      {"a model", R"({"pattern":"HandleLine\n"})", {"3 matches in 3 files."}},
  };
}

// Patterns that cannot be meant as they are written.
std::vector<Row> PatternCalls() {
  return {
      {"a model",
       R"({"pattern":"HandleLine("})",
       {"not a regular expression (missing closing parenthesis", "as plain text", kDefinition}},
      {"a model", R"({"pattern":"buffer[64"})", {"as plain text", "7:  char buffer[64];"}},
      {"a model",
       R"({"pattern":"buffer[64]"})",
       {"`buffer[64]` as written matches nothing; these are the matches of plain text", "7:  char buffer[64];"}},
      {"a model",
       R"({"pattern":"HandleLine\\\\(std::string_view\\\\s+line"})",
       {"was searched as `HandleLine\\(std::string_view\\s+line`", kDefinition}},
      {"a model", R"({"pattern":"void\\\\s+Stop"})", {"these are the matches of `void\\s+Stop`", "4:  void Stop();"}},
      {"a model", R"({"pattern":"/handleline/i"})", {"these are the matches of `handleline`", kDefinition}},
      {"a model", R"({"pattern":"Connect\\|Stop"})", {"these are the matches of `Connect|Stop`", "2:int Connect();"}},
      {"a model", R"({"pattern":"\"maxRetries\""})", {"these are the matches of `maxRetries`", "web/app.ts"}},
      {"a model", R"({"pattern":"*.cc"})", {"set include_glob = [\"*.cc\"] and output = \"files\"", "No matches in "}},
      {"a model", R"({"pattern":"**/*.tsx","output":"files"})", {"include_glob", "No matches in "}},
      {"a model", R"({"glob":"**/*.tsx"})", {"web/view.tsx\n\n1 file."}},
      {"a model", R"({"type":"py","output_mode":"files_with_matches"})", {"scripts/build.py\n\n1 file."}},
      {"a model", R"({"pattern":"C:\\temp","fixed_strings":true})", {"3:    path = r'C:\\temp'"}},
      {"a model", R"({"pattern":"void Stop\n  {"})", {"several lines", "`after` or `context`"}, {}, true},
      {"a model", R"({"pattern":"","path":"src"})", {"pattern: is blank"}, {}, true},
      {"a model", R"({"path":"src"})", {"pattern: is missing; write what to find"}, {}, true},
      {"a model",
       R"({"pattern":"(a+","fixed_strings":false,"path":"src"})",
       {"as plain text (fixed_strings) and as `\\(a+`.", "No matches in 4 files"}},
      {"a model", R"({"pattern":"void .*Line("})", {"was searched as `void .*Line\\(`.", kDefinition}, {"plain text"}},
      {"a model", R"({"pattern":"char \\w+["})", {"was searched as `char \\w+\\[`.", "7:  char buffer[64];"}},
      {"a model", R"({"pattern":"","glob":"**/*.tsx","output":"files"})", {"web/view.tsx\n\n1 file."}},
      {"a model", R"({"pattern":"","glob":"**/*.tsx"})", {"web/view.tsx\n\n1 file."}},
      {"a model",
       R"({"pattern":"parse.cc"})",
       {"no line matches, but src/tool/parse.cc has that name", "No matches in "}},
      {"a model", R"({"pattern":"view\\.tsx$"})", {"No matches in "}, {"has that name"}},
      {"a model", R"({"pattern":"tool/parse\\.cc"})", {"src/tool/parse.cc has that name"}},
      {"a model", R"({"pattern":"absent.cc"})", {"No matches in "}, {"has that name"}},
      {"a model", R"({"pattern":"handelline"})", {"No matches in "}},
      {"a model", R"({"pattern":["HandleLine","Connect"]})", {kDefinition, "2:int Connect();"}},
      {"a model", R"({"patterns":["HandleLine","Connect"],"output":"count"})", {"4 matches in 4 files."}},
      {"a model", R"({"pattern":["a","b"],"fixed_strings":true})", {"with | between the alternatives"}, {}, true},
      {"a model", R"({"pattern":"HandleLine OR Connect"})", {"these are the matches of `HandleLine|Connect`"}},
      // In the file it is a backslash and an n.
      {"a model", R"({"pattern":"print\\('build\\n'"})", {R"(as `print\('build\\n'`)", R"(2:    print('build\n'))"}},
      {"a model", R"({"pattern":"print('build\\n'"})", {"as plain text", R"(2:    print('build\n'))"}},
      {"a model",
       R"({"pattern":"Stop\\(\\)\\n *stopped"})",
       {"several lines", "`after` or `context`"},
       {"No match"},
       true},
      // A regular expression that finds something else.
      {"a model",
       R"j({"pattern":"Stop()"})j",
       {"As plain text (fixed_strings) it is in src/mcp/server.cc line 13.", "3 matches"}},
      {"a model", R"({"pattern":"char *buffer","path":"src/mcp"})", {"7:  char buffer[64];"}, {"As plain text"}},
      {"a model", R"({"pattern":"Stop|","path":"src/mcp/server.h"})", {"is empty, and matches every line"}},
      {"a model",
       R"j({"pattern":"\\(Connect\\|Stop\\)"})j",
       {"the matches of `(Connect|Stop)`", "2:int Connect();", "4:  void Stop();"}},
      {"a model",
       R"j({"pattern":"Handle\\(Line\\)\\|Connect"})j",
       {"the matches of `", kDefinition, "2:int Connect();"}},
      {"a model", R"({"pattern":404})", {"No matches in "}},
      {"a model", R"({"glob":"*.rs"})", {"No such file in ", "include_glob (*.rs)"}},
      {"a model", R"({"name":"server.cc"})", {"src/mcp/server.cc\nsrc/remote/server.cc\n\n2 files."}},
  };
}

// Paths that do not exist.
std::vector<Row> PathCalls() {
  return {
      {"a model",
       R"({"pattern":"HandleLine","path":"src/mcp/server.cc:120"})",
       {"was read as src/mcp/server.cc", kDefinition}},
      {"a model", R"({"pattern":"HandleLine","path":"src/mcp/server.cc#L6"})", {kDefinition}},
      {"a model", R"({"pattern":"HandleLine","path":"@src/mcp"})", {kDefinition}},
      {"a model",
       R"({"pattern":"HandleLine","path":"mcp/server.cc"})",
       {"there is no path mcp/server.cc; src/mcp/server.cc was searched", kDefinition}},
      {"a model", R"({"pattern":"HandleLine","path":"/src/mcp"})", {"src/mcp was searched", kDefinition}},
      {"a model",
       R"({"pattern":"HandleLine","path":"/workspace/src/mcp/server.cc"})",
       {"src/mcp/server.cc was searched", kDefinition}},
      {"a model", R"({"pattern":"HandleLine","path":"SRC/MCP"})", {"src/mcp was searched", kDefinition}},
      {"a model", R"({"pattern":"HandleLine","path":"src\\mcp"})", {"was read as src/mcp", kDefinition}},
      {"a model",
       R"({"pattern":"HandleLine","path":"src/**/*.cc"})",
       {"is a glob, and was taken as include_glob", "1 match in 1 file."}},
      {"a model",
       R"({"pattern":"HandleLine","path":"src/mcp","glob":"src/mcp/*.h"})",
       {"1 match in 1 file."},
       {"No file"}},
      {"a model", R"({"pattern":"HandleLine","path":"src/mcp/","exclude":"src/mcp/*.h"})", {"1 match in 1 file."}},
      {"a model", R"({"pattern":"HandleLine","path":"*.h"})", {"is a glob", "1 match in 1 file."}},
      {"a model",
       R"({"pattern":"HandleLine","path":"/"})",
       {"all of the project was searched", "3 matches in 3 files."}},
      {"a model", R"({"pattern":"HandleLine","path":["src/mcp","README.md"]})", {"3 matches in 3 files."}},
      {"a model", R"({"pattern":"spaces","path":["docs/old notes.md"]})", {"1:spaces in a name"}},
      {"a model", R"({"pattern":"spaces","path":"docs/old notes.md"})", {"1:spaces in a name"}, {"list"}},
      {"a model",
       R"({"pattern":"HandleLine","path":"src/mcp, README.md"})",
       {"path was read as a list: src/mcp, README.md.", "3 matches in 3 files."}},
      {"a model", R"({"pattern":"HandleLine","path":"src/mcp src/tool"})", {"read as a list", "2 matches in 2 files."}},
      {"a model", R"({"pattern":"HandleLine","path":"src/mcp,nowhere"})", {"there is no src/mcp,nowhere"}, {}, true},
      {"a model", R"({"pattern":"HandleLine","path":"~"})", {"all of the project was searched", "3 matches"}},
      {"a model", R"({"pattern":"HandleLine","path":["src/mcp","nowhere"]})", {"there is no nowhere"}, {}, true},
      {"a model",
       R"({"pattern":"Connect","path":"server.cc"})",
       {"near it: src/mcp/server.cc, src/remote/server.cc"},
       {},
       true},
      {"a model",
       R"({"pattern":"HandleLine","path":"src/mpc/server.cc"})",
       {"there is no src/mpc/server.cc", "near it: src/mcp/server.cc"},
       {"user"},
       true},
      {"a model", R"({"pattern":"HandleLine","path":"qqqqqqqq"})", {"leave path out"}, {"user"}, true},
      {"a model", R"({"pattern":"x","path":"/etc/passwd"})", {"outside the allowed folders"}, {"root:"}, true},
      {"a model",
       R"({"pattern":"x","path":"/etc/no_such_file_at_all"})",
       {"outside the allowed folders"},
       {"there is no"},
       true},
      {"a model", R"({"pattern":"x","path":"../.."})", {"outside the allowed folders"}, {}, true},
      {"a model", R"({"pattern":"TOKEN","path":".env"})", {"cannot be searched"}, {"abc"}, true},
      {"a model", R"({"pattern":"TOKEN","path":".ENV"})", {}, {"abc"}, true},
      {"a model", R"({"pattern":"TOKEN","path":"env"})", {}, {".env", "abc"}, true},
  };
}

// What an answer must not hide.
std::vector<Row> HonestCalls() {
  return {
      {"a model",
       R"({"pattern":"connection reset"})",
       {"120 matches in 1 file.", "more are in big/log.txt. With path = that file, all are."}},
      {"a model",
       R"({"pattern":"connection reset","path":"big/log.txt","offset":50,"limit":1})",
       {"51:connection reset", "120 matches in 1 file. Shown: 51."}},
      {"a model", R"({"pattern":"connection reset","max_matches_per_file":1000})", {"120 matches in 1 file."}},
      {"a model",
       R"({"pattern":"connection reset","path":"big/log.txt","max_matches_per_file":2})",
       {"Only the first 2 matches", "Without max_matches_per_file, and with path = that file, all are."}},
      {"a model",
       R"({"pattern":"connection reset","output":"count","max_matches_per_file":1})",
       {"big/log.txt: 120", "120 matches in 1 file."},
       {"Only the first"}},
      {"a model",
       R"({"pattern":"connection reset","path":"big/log.txt","max_file_size_bytes":10})",
       {"No file was searched: 1 file in ", "log.txt is too large.", "(over 10 bytes)",
        "max_file_size_bytes can be raised."},
       {"No matches"}},
      {"a model",
       R"({"pattern":"Zzzz","max_file_size_bytes":2000})",
       {"No matches in ", "; 1 file too large to be searched"}},
      {"a model",
       R"({"pattern":"connection reset","path":"big/log.txt","offset":500})",
       {"Nothing from offset 500 on: 120 matches come before it, and no more."},
       {"No matches"}},
      {"a model",
       R"({"pattern":"connection reset","path":"big","offset":50})",
       {"Nothing from offset 50 on: 50 matches come before it.\n", "more are in big/log.txt"},
       {"no more"}},
      {"a model", R"({"pattern":"HandleLine","type":"file"})", {"none of that type (*.file) in "}},
      {"a model", R"({"pattern":"Hand.*Line","fuzzy":1})", {"leave fuzzy out"}, {"ugrep"}, true},
      {"a model", R"({"pattern":"HandleLine","path":"src/mcp/server.cc","C":1})", {"5-"}},
      {"a model",
       R"({"pattern":"HandleLine","max_files":1000000,"max_file_size_bytes":999999999})",
       {"3 matches in 3 files."}},
      {"a model",
       R"({"pattern":"HandleLine","max_files":2})",
       {"Only the first 2 files in the order of paths were searched"}},
      {"a model",
       R"({"pattern":"Zzz","max_files":2})",
       {"No match so far, in 2 files", "Only the first 2 files", "raise max_files"},
       {"No matches in"}},
      {"a model",
       R"({"pattern":"needle_in_binary"})",
       {"No matches in text, in ", "1 binary file with a match not shown: big/data.bin; binary_as_text = true shows"}},
      {"a model", R"({"pattern":"needle_in_binary","binary_as_text":true})", {"1 match in 1 file."}},
      {"a model", R"({"pattern":"handle_line"})", {"there is a match: \"HandleLine\" in "}},
      {"a model", R"({"pattern":"TOKEN"})", {"No matches in ", "secrets", "are never searched"}, {"abc"}},
      {"a model",
       R"({"pattern":"secret_flag"})",
       {"No matches in ", "Hidden files (hidden) and files that git ignores (no_ignore) were not searched.",
        "hidden = true"}},
      {"a model", R"({"pattern":"compiled"})", {"No matches in ", "no_ignore = true"}},
      {"a model",
       R"({"pattern":"HandleLine","glob":"*.rs"})",
       {"No file was searched: there are none that match include_glob (*.rs) in "},
       {"were searched. Hidden", "Only files"}},
      {"a model",
       R"({"pattern":"HandleLine","type":"py"})",
       {"No matches in 1 file", "without type there is a match"},
       {"without types"}},
      {"a model",
       R"({"pattern":"HandleLine","multiline":true})",
       {"multiline: a match lies within one line"},
       {"the fields are"},
       true},
      {"a model",
       R"({"pattern":"HandleLine","frobnicate":true})",
       {"unknown field \"frobnicate\"", "leave it out"},
       {"the fields are"},
       true},
      {"a model", R"({"pattern":"HandleLine","max_result":5})", {"did you mean \"max_results\"?"}, {}, true},
      {"a model", R"({"pattern":"HandleLine","query":"Stop"})", {"pattern and query both mean `pattern`"}, {}, true},
      {"a model", R"({"pattern":"HandleLine","limit":"many"})", {"max_results: is \"many\"", "an integer"}, {}, true},
      {"a model", R"({"pattern":"HandleLine","type":"pythn"})", {"type: there is no type \"pythn\""}, {}, true},
      {"a model",
       R"({"pattern":"HandleLine","path":["src","web"],"glob":"*.h","type":"cpp"})",
       {"give one folder"},
       {},
       true},
      {"a model", R"({"pattern":"HandleLine","glob":"*.[h"})", {"include_glob[0]"}, {}, true},
  };
}

void Check(const Asker& asker, const Row& row) {
  const Told told = asker.Ask(nlohmann::json::parse(row.call));
  EXPECT_EQ(told.is_error, row.is_error) << row.who << " " << row.call << "\n" << told.text;
  for (const std::string& part : row.says) EXPECT_THAT(told.text, HasSubstr(part)) << row.who << " " << row.call;
  for (const std::string& part : row.never_says)
    EXPECT_THAT(told.text, Not(HasSubstr(part))) << row.who << " " << row.call;
  EXPECT_TRUE(!row.is_error || told.text.size() < 400) << "a refusal is short: " << told.text;
}

TEST_F(Calls, AreUnderstood) {
  for (const Row& row : PlainCalls()) Check(*asker_, row);
}

TEST_F(Calls, APatternIsReadAsItMustBeMeant) {
  for (const Row& row : PatternCalls()) Check(*asker_, row);
}

TEST_F(Calls, APathIsRepairedOrExplained) {
  for (const Row& row : PathCalls()) Check(*asker_, row);
  const std::string glob = tree_.root() + "/src/*/*.h";
  EXPECT_THAT(asker_->Ask({{"pattern", "HandleLine"}, {"glob", glob}}).text, HasSubstr("1 match in 1 file."));
  EXPECT_THAT(asker_->Ask({{"pattern", "HandleLine"}, {"exclude", glob}}).text, HasSubstr("2 matches in 2 files."));
  const std::string uri = "file://" + tree_.root() + "/docs/old%20notes.md";
  EXPECT_THAT(asker_->Ask({{"pattern", "spaces"}, {"path", uri}}).text, HasSubstr("1:spaces in a name"));
}

TEST_F(Calls, AnAnswerDoesNotHideWhatItLeavesOut) {
  for (const Row& row : HonestCalls()) Check(*asker_, row);
}

// The sandbox is no oracle: what lies outside, or is denied, reads the same
// whether it exists or not.
TEST_F(Calls, ARefusalDoesNotSayWhatExists) {
  const TempTree outside;
  outside.Write("there.txt", "x\n");
  const auto refusal = [&](const std::string& path) {
    std::string text = asker_->Ask({{"pattern", "x"}, {"path", path}}).text;
    const std::size_t at = text.find(path);
    return at == std::string::npos ? text : text.replace(at, path.size(), "PATH");
  };
  EXPECT_EQ(refusal(outside.Path("there.txt")), refusal(outside.Path("not_there.txt")));
  tree_.Write("keys/id_rsa", "x\n");
  EXPECT_EQ(refusal("keys/id_rsa"), refusal("keys/id_rsa2"));
}

// It may be made again: a clone is removed and cloned anew.
TEST_F(Calls, AProjectThatIsGoneIsSaidToBeGone) {
  const std::string root = tree_.root();
  const std::string aside = root + ".aside";
  std::filesystem::rename(root, aside);
  for (const char* const call :
       {R"({"pattern":"x"})", R"({"pattern":"x","path":"src"})", R"({"pattern":"x","path":"/"})",
        R"({"pattern":"x","path":["src","web"]})", R"({"glob":"*.cc"})"}) {
    const Told told = asker_->Ask(nlohmann::json::parse(call));
    EXPECT_TRUE(told.is_error) << call;
    EXPECT_THAT(told.text, HasSubstr("the searched folder does not exist any more: " + root)) << call;
    EXPECT_THAT(told.text, HasSubstr("as soon as it has been made again")) << call;
  }
  std::filesystem::rename(aside, root);
  EXPECT_THAT(asker_->Ask({{"pattern", "HandleLine"}}).text, HasSubstr("3 matches in 3 files."));
}

TEST_F(Calls, AStandingNoteIsSaidOnceInASession) {
  const auto secrets = HasSubstr("are never searched");
  EXPECT_THAT(asker_->Ask({{"pattern", "HandleLine"}}).text, secrets);
  EXPECT_THAT(asker_->Ask({{"pattern", "HandleLine"}}).text, Not(secrets));
  EXPECT_THAT(asker_->Ask({{"pattern", "Stop"}}).text, Not(secrets));
  EXPECT_THAT(asker_->Ask({{"pattern", "nowhere_to_be_found"}}).text, secrets) << "it may be the reason";
}

// Some hosts show no more of it until the tool is chosen.
TEST_F(Calls, TheFirst150CharactersOfTheDescriptionSayItAll) {
  const auto tool = agent::MakeSearchTool([]() -> Result<std::shared_ptr<Engine>> { return ExecutionFailed("none"); });
  const std::string_view first = tool->definition().description.substr(0, 150);
  for (const char* const word : {"contents", "files", "regex", "plain text", "grep", "line number", "text of each"}) {
    EXPECT_THAT(std::string(first), HasSubstr(word));
  }
  EXPECT_LE(tool->definition().description.size(), 1024U);
}

}  // namespace
}  // namespace forge::testing
