#include "tool/search_tool.h"

#include <utility>

#include "base/unicode.h"
#include "base/utf8.h"
#include "tool/hints.h"
#include "tool/parse.h"

namespace forge::tool {
namespace {

// Some hosts cut a description after 1,024 characters, and some drop defaults
// and limits from the schema. So it is short, and states both in words.
constexpr std::string_view kDescription =
    "Finds where text occurs in the files of the local project: a definition, the callers of a function, a "
    "configuration key, an error message. Returns each matching line with path, line number and column, sorted by "
    "path. Sees every change on disk at once and never modifies a file.\n\n"
    "`pattern` is a regular expression (PCRE2 syntax, matched within one line); set `fixed_strings` for plain text "
    "such as a[i]. A pattern without a capital letter ignores case. Hidden files and files that git ignores are left "
    "out unless `hidden` or `no_ignore` is set. Narrow with `path`, `include_glob` and `exclude_glob`; `context` shows "
    "the lines around a match.\n\n"
    "Example: {\"pattern\": \"class \\\\w+Cache\", \"include_glob\": [\"*.h\"], \"context\": 2}\n\n"
    "A long answer is shortened to line numbers or counts per file; its last lines say what was left out and how to "
    "see more. No match is an answer, not an error.";

constexpr std::string_view kOutputSchema = R"({"type":"object","properties":{
"pattern":{"type":"string"},
"path":{"type":"string","description":"The folder or file that was searched, absolute."},
"count":{"type":"integer","description":"Length of matches."},
"matches":{"type":"array","items":{"type":"object","properties":{
 "type":{"type":"string","enum":["match","context"]},
 "data":{"type":"object","properties":{
  "path":{"type":"object","properties":{"text":{"type":"string"}},"required":["text"]},
  "line_number":{"type":"integer"},
  "column":{"type":"integer","description":"In bytes, from 1; only of a match."},
  "lines":{"type":"object","properties":{"text":{"type":"string"}},"required":["text"]},
  "match_text":{"type":"string","description":"Only of a match."}},
  "required":["path","line_number","lines"]}},
 "required":["type","data"]}},
"truncated":{"type":"boolean","description":"There are more lines than max_results."},
"timed_out":{"type":"boolean"},
"files_scanned":{"type":"integer"},
"errors":{"type":"array","items":{"type":"object","properties":{
 "path":{"type":"string"},"error":{"type":"string"}},"required":["path","error"]}},
"exit_code":{"type":"integer","description":"Only after a backend failed."},
"stderr":{"type":"string","description":"Only after a backend failed."},
"content":{"type":"string","description":"The same as readable text."}},
"required":["pattern","path","count","matches","truncated","timed_out","files_scanned","errors","content"]})";

struct CaseName {
  std::string_view name;
  CaseMode mode;
};
constexpr CaseName kCases[] = {
    {"smart", CaseMode::kSmart}, {"sensitive", CaseMode::kSensitive}, {"insensitive", CaseMode::kInsensitive}};

std::vector<std::string_view> CaseNames() {
  std::vector<std::string_view> names;
  for (const CaseName& known : kCases) names.push_back(known.name);
  return names;
}

// `name` is one of kCases: the check of the arguments made sure of that.
CaseMode CaseFrom(std::string_view name) {
  for (const CaseName& known : kCases) {
    if (known.name == name) return known.mode;
  }
  return CaseMode::kSmart;
}

Field Whole(std::string_view name, std::int64_t min, std::string description) {
  return {.name = name, .type = Type::kInteger, .description = std::move(description), .min = min};
}

// The description also states the default, because some hosts drop it from the
// schema.
Field WholeWithDefault(std::string_view name, std::int64_t min, std::int64_t value, const std::string& description) {
  Field field = Whole(name, min, description + " Default: " + std::to_string(value) + ".");
  field.default_value = Value(value);
  return field;
}

Field Flag(std::string_view name, std::string description, bool value = false) {
  return {.name = name, .type = Type::kBoolean, .description = std::move(description), .default_value = Value(value)};
}

Field Globs(std::string_view name, std::string description) {
  return {.name = name, .type = Type::kStringList, .description = std::move(description)};
}

std::vector<Field> PatternFields() {
  return {{.name = "pattern",
           .type = Type::kString,
           .description = "What to find: a regular expression, or plain text if `fixed_strings` is true. It is "
                          "matched within single lines, so it cannot contain a line break.",
           .required = true,
           .min = 1},
          {.name = "path",
           .type = Type::kString,
           .description = "The file or folder to search, relative to the working folder. Default: the working "
                          "folder."},
          {.name = "case",
           .type = Type::kString,
           .description = "smart (default): ignore case unless the pattern has a capital letter A-Z. Only the letters "
                          "A-Z are ever folded.",
           .choices = CaseNames(),
           .default_value = Value(std::string("smart"))},
          Flag("fixed_strings", "Take the pattern as plain text instead of a regular expression."),
          Flag("word_regexp", "Match whole words only.")};
}

std::vector<Field> ScopeFields() {
  return {Globs("include_glob",
                "Search only files that match one of these globs, for example [\"*.cc\", \"src/**/*.h\"]. A glob "
                "without a slash matches the file name at any depth."),
          Globs("exclude_glob", "Leave out files and folders that match one of these globs, after include_glob."),
          Globs("glob", "Deprecated name of include_glob; ignored if include_glob is given."),
          Flag("recursive", "False: search only the files directly in the folder. Default: true.", true),
          Flag("hidden", "Also search hidden files and folders, whose name starts with a dot."),
          Flag("follow", "Follow symbolic links, as far as they stay inside the allowed folders."),
          Flag("no_ignore", "Also search files that .gitignore, .ignore or global git excludes leave out.")};
}

std::vector<Field> LimitFields() {
  const SearchConfig config;  // its defaults are those of the schema
  std::vector<Field> fields = {
      WholeWithDefault("context", 0, SearchRequest().context, "How many lines to show before and after each match."),
      WholeWithDefault("max_results", 1, config.default_max_results,
                       "At most this many lines in the answer, context lines included."),
      Whole("max_matches_per_file", 1,
            "At most this many matches from one file; at most the configured limit, which is the default."),
      Whole("max_files", 1,
            "Look at no more than this many files; at most the configured limit, which is the default."),
      Whole("max_file_size_bytes", 1,
            "Skip files larger than this; at most the configured limit, which is the default."),
      WholeWithDefault("timeout_ms", 1, config.default_timeout.count(),
                       "Stop after this many milliseconds and return what was found."),
      Whole("fuzzy", 1,
            "Also accept up to this many wrong, missing or extra characters; 1 to 4; 1 is the strictest. Only if "
            "the backend can do it (ugrep and native can).")};
  fields.back().max = 4;
  return fields;
}

Definition MakeDefinition() {
  std::vector<Field> fields;
  for (auto* group : {PatternFields, ScopeFields, LimitFields}) {
    for (Field& field : group()) fields.push_back(std::move(field));
  }
  return {.name = "Search",
          .aliases = {"search", "rg", "ripgrep", "ugrep", "ug", "search_files"},
          .title = "Search local files",
          .description = kDescription,
          .fields = std::move(fields),
          .output_schema = kOutputSchema};
}

Result<SearchRequest> ToRequest(Arguments arguments) {
  SearchRequest request = TakeSearchRequest(arguments);
  if (IsBlank(request.pattern)) return BadArgs("pattern: is blank; must hold more than white space");  // FR-LS-VAL-01
  return request;
}

class SearchInvocation : public Invocation {
 public:
  SearchInvocation(const EngineProvider& engine, SearchRequest request)
      : provider_(engine), request_(std::move(request)) {}

  Result<Answer> Run(const RunOptions& options) override {
    const auto engine = provider_();
    if (!engine) return engine.error();
    auto response = (*engine)->Search(
        request_, {.cancel = options.cancel, .on_progress = options.progress, .hints = options.hints});
    if (!response) return response.error();
    std::string text = LossyUtf8(response->content);
    std::vector<std::string> hints = HintLines(response->hints);
    return Answer{std::move(text), [r = *std::move(response)]() mutable { return ToDocument(std::move(r)); },
                  std::move(hints)};
  }

 private:
  const EngineProvider& provider_;
  const SearchRequest request_;
};

class SearchTool : public Tool {
 public:
  explicit SearchTool(EngineProvider engine) : engine_(std::move(engine)) {}

  const Definition& definition() const override { return SearchDefinition(); }

  Result<std::unique_ptr<Invocation>> Prepare(Arguments arguments) override {
    auto request = ToRequest(std::move(arguments));
    if (!request) return request.error();
    return std::unique_ptr<Invocation>(std::make_unique<SearchInvocation>(engine_, *std::move(request)));
  }

 private:
  const EngineProvider engine_;
};

}  // namespace

const Definition& SearchDefinition() {
  static const Definition definition = MakeDefinition();
  return definition;
}

SearchRequest TakeSearchRequest(Arguments& arguments) {
  SearchRequest request;
  std::string case_name = "smart";
  arguments.Take("pattern", request.pattern);
  arguments.Take("path", request.path);
  arguments.Take("case", case_name);
  arguments.Take("fixed_strings", request.fixed_strings);
  arguments.Take("word_regexp", request.word_regexp);
  // include_glob wins by being there, even if empty (FR-LS-VAL-11, B3).
  arguments.Take(arguments.Has("include_glob") ? "include_glob" : "glob", request.include_glob);
  arguments.Take("exclude_glob", request.exclude_glob);
  arguments.Take("recursive", request.recursive);
  arguments.Take("hidden", request.hidden);
  arguments.Take("follow", request.follow);
  arguments.Take("no_ignore", request.no_ignore);
  arguments.Take("context", request.context);
  arguments.Take("max_results", request.max_results);
  arguments.Take("max_matches_per_file", request.max_matches_per_file);
  arguments.Take("max_files", request.max_files);
  arguments.Take("max_file_size_bytes", request.max_file_size_bytes);
  std::optional<std::int64_t> timeout;
  arguments.Take("timeout_ms", timeout);
  if (timeout) request.timeout = std::chrono::milliseconds(*timeout);
  arguments.Take("fuzzy", request.fuzzy);
  request.case_mode = CaseFrom(case_name);
  return request;
}

Result<SearchRequest> ParseSearchRequest(std::string_view json) {
  auto arguments = ParseArguments(SearchDefinition().fields, json, Leniency::kStrict);
  if (!arguments) return arguments.error();
  return ToRequest(*std::move(arguments));
}

std::unique_ptr<Tool> MakeSearchTool(EngineProvider engine) { return std::make_unique<SearchTool>(std::move(engine)); }

}  // namespace forge::tool
