#include "agent/call.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "agent/foreign_fields.h"
#include "agent/glob_words.h"
#include "base/strings.h"
#include "base/unicode.h"
#include "tool/file_types.h"
#include "tool/parse.h"
#include "tool/search_tool.h"

namespace forge::agent {
namespace {

using tool::Field;
using tool::Type;
using tool::Value;

// Some hosts show no more than the first 150 characters until the tool is chosen,
// so these say it all. Some cut after 1,024.
constexpr std::string_view kDescription =
    "Search the contents of this project's files by regex or plain text, instead of grep or rg: path, line number and "
    "text of each matching line.\n\n"
    "Answers in the order of paths, sees every change on disk at once, never changes a file. `pattern` is a regular "
    "expression (PCRE2, within one line); `fixed_strings` makes it plain text. A pattern without a capital letter "
    "ignores case. Hidden files and files that git ignores are left out unless `hidden` or `no_ignore` is set.\n\n"
    "{\"pattern\": \"class \\\\w+Cache\", \"include_glob\": [\"*.h\"], \"context\": 2}\n\n"
    "The last lines say how many matches there are, and how to see those that are not shown (`offset`).";

struct Words {
  std::string_view field;
  std::string_view text;
};
// Shorter than those of the specified schema: a model reads them in each session.
constexpr Words kWords[] = {
    {"pattern", "What to find, within one line."},
    {"path", "File or folder, relative to the project. Default: all of it."},
    {"case", "Default: smart, that is ignore case unless the pattern has a capital letter."},
    {"fixed_strings", "Plain text instead of a regular expression."},
    {"word_regexp", "Whole words only."},
    {"include_glob", "Only files that match one, such as *.cc (at any depth) or src/**/*.h."},
    {"exclude_glob", "Without these files and folders."},
    {"glob", "The same as include_glob."},
    {"recursive", "Default: true."},
    {"hidden", "Also names that start with a dot."},
    {"follow", "Follow symbolic links inside the project."},
    {"no_ignore", "Also files that git ignores."},
    {"context", "Lines before and after each match. Default: 0."},
    {"max_results", "At most so many matches (files, if `output` is not content). Default: 200."},
    {"max_matches_per_file", "Default: as configured; no limit if `path` is a file."},
    {"max_files", "Look at no more files. Default: as configured."},
    {"max_file_size_bytes", "Skip larger files. Default: as configured."},
    {"timeout_ms", "Default: 20000."},
    {"fuzzy", "1 to 4: so many wrong, missing or extra characters are accepted."},
};

std::string_view WordsFor(std::string_view field) {
  for (const Words& words : kWords) {
    if (words.field == field) return words.text;
  }
  return "";
}

Field Whole(std::string_view name, std::string description) {
  return {.name = name, .type = Type::kInteger, .description = std::move(description)};
}

Field Flag(std::string_view name, std::string description = "") {
  return {.name = name, .type = Type::kBoolean, .description = std::move(description)};
}

std::vector<Field> Added() {
  return {{.name = "output",
           .description = "Matching lines (default), paths of files with a match, or counts per file.",
           .choices = {"content", "files", "count"}},
          Whole("offset", "Skip so many matches: the next page."),
          {.name = "type", .description = "Kind of files: cpp, py, ts, go, rust, java, md, ..."},
          Whole("before", "Context lines before each match."),
          Whole("after", "Context lines after each match.")};
}

// What we take, but do not offer: few need it, and each line costs tokens.
std::vector<Field> Unlisted() {
  return {Flag("columns"),        Flag("invert"),
          Flag("line_regexp"),    Flag("binary_as_text"),
          Whole("max_depth", ""), {.name = "paths", .type = Type::kStringList, .description = ""}};
}

tool::Definition MakeDefinition() {
  tool::Definition definition = tool::SearchDefinition();
  definition.description = kDescription;
  for (Field& field : definition.fields) {
    field.description = WordsFor(field.name);
    field.default_value.reset();  // the words have it, because some hosts drop it from the schema
  }
  for (Field& field : Added()) definition.fields.push_back(std::move(field));
  return definition;
}

// A pattern that is missing or blank has a message of its own.
std::vector<Field> MakeAllFields() {
  std::vector<Field> fields = CallDefinition().fields;
  for (Field& field : Unlisted()) fields.push_back(std::move(field));
  for (Field& field : fields) {
    field.required = false;
    if (field.type == Type::kString) field.min = 0;
  }
  return fields;
}

Result<std::vector<std::string>> GlobsOfType(const std::string& word) {
  static constexpr Words kOthers[] = {{"c++", "cpp"},   {"cxx", "cpp"},       {"cc", "cpp"},    {"python", "py"},
                                      {"rs", "rust"},   {"typescript", "ts"}, {"tsx", "ts"},    {"javascript", "js"},
                                      {"jsx", "js"},    {"golang", "go"},     {"rb", "ruby"},   {"shell", "sh"},
                                      {"bash", "sh"},   {"yml", "yaml"},      {"c#", "csharp"}, {"header", "h"},
                                      {"headers", "h"}, {"kt", "kotlin"},     {"text", "txt"},  {"makefile", "make"}};
  std::string name;
  for (const char c : word) name += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  if (HasGlobCharacter(name)) return std::vector{word};
  while (name.starts_with('.')) name.erase(0, 1);
  static const tool::FileTypes types;
  if (auto globs = types.Globs(name)) return *std::move(globs);
  for (const Words& other : kOthers) {
    if (other.field == name) return *types.Globs(std::string(other.text));
  }
  constexpr std::size_t kLongestEnding = 4;
  if (!name.empty() && name.size() <= kLongestEnding) return std::vector{"*." + name};
  const std::string_view near = types.Nearest(name);
  return BadArgs(
      "type: there is no type \"" + Echo(word, 60) + "\"" +
      (near.empty() ? "; write include_glob, such as *.cc." : "; did you mean \"" + std::string(near) + "\"?"));
}

Status TakeTypes(tool::Arguments& arguments, SearchRequest& request) {
  std::string text;
  arguments.Take("type", text);
  for (const std::string& word : GlobsIn(text)) {
    auto globs = GlobsOfType(word);
    if (!globs) return globs.error();
    request.type_glob.insert(request.type_glob.end(), globs->begin(), globs->end());
  }
  return {};
}

// Line ends around the pattern are a slip; in it, they ask for what a search of
// lines cannot find.
Status CheckPattern(const tool::Arguments& arguments, Call& call) {
  std::string& pattern = call.request.pattern;
  const bool given = arguments.Has("pattern");
  while (pattern.ends_with('\n') || pattern.ends_with('\r')) pattern.pop_back();
  if (const std::size_t lines = pattern.find_first_not_of("\r\n"); lines != std::string::npos) pattern.erase(0, lines);
  if (pattern.find('\n') != std::string::npos) {
    return SeveralLines();
  }
  // Only globs: which files there are. Some models write pattern = "" for none.
  const bool has_globs = arguments.Has("include_glob") || arguments.Has("type");
  const bool lists_files = given ? has_globs && pattern.empty() : has_globs || call.output == Output::kFiles;
  call.names_only = lists_files && (!given || call.output != Output::kCount);
  if (call.names_only) call.output = Output::kFiles;
  if (call.names_only || !IsBlank(pattern)) return {};
  return BadArgs(given ? "pattern: is blank; write what to find."
                       : "pattern: is missing; write what to find, or output = \"files\" to list files.");
}

// What the specified request does not have. max_results counts matches here, so the
// library does not get it.
void TakeAdded(tool::Arguments& arguments, Call& call) {
  SearchRequest& request = call.request;
  call.max_results = std::exchange(request.max_results, std::nullopt);
  arguments.Take("offset", call.offset);
  arguments.Take("columns", call.columns);
  arguments.Take("paths", call.paths);
  arguments.Take("before", request.before_context);
  arguments.Take("after", request.after_context);
  arguments.Take("invert", request.invert);
  arguments.Take("line_regexp", request.line_regexp);
  arguments.Take("max_depth", request.max_depth);
  arguments.Take("binary_as_text", request.text);
}

Output OutputFrom(std::string_view name) {
  if (name == "files") return Output::kFiles;
  return name == "count" ? Output::kCount : Output::kContent;
}

}  // namespace

Error SeveralLines() {
  return BadArgs(
      "pattern: has several lines, and a match lies within one; search for one of them, and set `after` "
      "or `context` to see the others.");
}

const tool::Definition& CallDefinition() {
  static const tool::Definition definition = MakeDefinition();
  return definition;
}

Result<tool::Arguments> ReadFields(nlohmann::json&& arguments) {
  static const std::vector<Field> fields = MakeAllFields();
  auto ours = TranslateFields(std::move(arguments));
  if (!ours) return ours.error();
  return tool::ReadArguments(fields, *std::move(ours), tool::Leniency::kLenient);
}

Result<Call> ToCall(tool::Arguments arguments) {
  Call call;
  std::string output = "content";
  arguments.Take("output", output);
  call.output = OutputFrom(output);
  call.request = tool::TakeSearchRequest(arguments);
  TakeAdded(arguments, call);
  if (Status status = TakeTypes(arguments, call.request); !status) return status.error();
  if (Status status = CheckPattern(arguments, call); !status) return status.error();
  return call;
}

}  // namespace forge::agent
