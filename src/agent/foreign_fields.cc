#include "agent/foreign_fields.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "agent/glob_words.h"
#include "base/strings.h"
#include "tool/parse.h"

namespace forge::agent {
namespace {

using Json = nlohmann::json;

// How a foreign value becomes ours.
enum class Shape {
  kSame,
  kNot,         // true is our false
  kIgnoreCase,  // true: case = "insensitive"
  kKeepCase,    // true: case = "sensitive"
  kExtension,   // "ts": the glob *.ts
  kLimit,       // 0 and -1 are no limit: absent
  kPattern,     // a text is the pattern; true and false say whether it is a regular expression
  kOutput,      // a word for what the answer shows
  kFiles,       // true: output = "files"
  kCount,       // true: output = "count"; a number is a limit
  kDrop,        // it changes nothing here
};

struct Row {
  std::string_view name;  // lower case, without "_" and leading "--"; one letter after "-" as it is
  std::string_view field;
  Shape shape = Shape::kSame;
};

// Words with one reading.
constexpr Row kRows[] = {
    {"query", "pattern"},
    {"q", "pattern"},
    {"search", "pattern"},
    {"searchquery", "pattern"},
    {"searchterm", "pattern"},
    {"searchpattern", "pattern"},
    {"searchstring", "pattern"},
    {"searchtext", "pattern"},
    {"substringpattern", "pattern"},
    {"regexpattern", "pattern"},
    {"needle", "pattern"},
    {"term", "pattern"},
    {"keyword", "pattern"},
    {"string", "pattern"},
    {"expression", "pattern"},
    {"symbol", "pattern"},
    {"-e", "pattern"},
    {"patterns", "pattern"},
    {"queries", "pattern"},
    {"keywords", "pattern"},
    {"searchterms", "pattern"},
    {"regexp", "pattern", Shape::kPattern},
    {"regex", "pattern", Shape::kPattern},
    {"text", "pattern", Shape::kPattern},
    {"isregex", "fixed_strings", Shape::kNot},
    {"isregexp", "fixed_strings", Shape::kNot},
    {"useregex", "fixed_strings", Shape::kNot},
    {"literal", "fixed_strings"},
    {"isliteral", "fixed_strings"},
    {"fixedstring", "fixed_strings"},
    {"fixed", "fixed_strings"},
    {"plaintext", "fixed_strings"},
    {"-F", "fixed_strings"},
    {"-w", "word_regexp"},
    {"word", "word_regexp"},
    {"wordmatch", "word_regexp"},
    {"wholeword", "word_regexp"},
    {"wholewords", "word_regexp"},
    {"matchwholeword", "word_regexp"},
    {"-i", "case", Shape::kIgnoreCase},
    {"ignorecase", "case", Shape::kIgnoreCase},
    {"caseinsensitive", "case", Shape::kIgnoreCase},
    {"insensitive", "case", Shape::kIgnoreCase},
    {"-s", "case", Shape::kKeepCase},
    {"casesensitive", "case", Shape::kKeepCase},
    {"casesensitivity", "case"},
    {"casemode", "case"},
    {"matchcase", "case", Shape::kKeepCase},
    {"paths", "path"},
    {"dir", "path"},
    {"dirs", "path"},
    {"dirpath", "path"},
    {"directory", "path"},
    {"directories", "path"},
    {"targetdirectory", "path"},
    {"targetdirectories", "path"},
    {"folder", "path"},
    {"root", "path"},
    {"cwd", "path"},
    {"basepath", "path"},
    {"rootpath", "path"},
    {"searchpath", "path"},
    {"searchdirectory", "path"},
    {"relativepath", "path"},
    {"relativeworkspacepath", "path"},
    {"file", "path"},
    {"files", "path"},
    {"filepath", "path"},
    {"filename", "path"},
    {"uri", "path"},
    {"glob", "include_glob"},
    {"globs", "include_glob"},
    {"globpattern", "include_glob"},
    {"-g", "include_glob"},
    {"include", "include_glob"},
    {"includes", "include_glob"},
    {"includeglobs", "include_glob"},
    {"includepattern", "include_glob"},
    {"includepatterns", "include_glob"},
    {"includefiles", "include_glob"},
    {"filestoinclude", "include_glob"},
    {"pathsincludeglob", "include_glob"},
    {"filepattern", "include_glob"},
    {"filepatterns", "include_glob"},
    {"fileglob", "include_glob"},
    {"filenamepattern", "include_glob"},
    {"name", "include_glob"},
    {"extension", "include_glob", Shape::kExtension},
    {"extensions", "include_glob", Shape::kExtension},
    {"ext", "include_glob", Shape::kExtension},
    {"fileextension", "include_glob", Shape::kExtension},
    {"fileextensions", "include_glob", Shape::kExtension},
    {"exclude", "exclude_glob"},
    {"excludes", "exclude_glob"},
    {"excludeglobs", "exclude_glob"},
    {"excludepattern", "exclude_glob"},
    {"excludepatterns", "exclude_glob"},
    {"excludefiles", "exclude_glob"},
    {"excludedir", "exclude_glob"},
    {"excludedirs", "exclude_glob"},
    {"filestoexclude", "exclude_glob"},
    {"pathsexcludeglob", "exclude_glob"},
    {"ignore", "exclude_glob"},
    {"-t", "type"},
    {"types", "type"},
    {"filetype", "type"},
    {"filetypes", "type"},
    {"language", "type"},
    {"lang", "type"},
    {"-A", "after"},
    {"a", "after"},
    {"aftercontext", "after"},
    {"contextafter", "after"},
    {"linesafter", "after"},
    {"contextlinesafter", "after"},
    {"-B", "before"},
    {"b", "before"},
    {"beforecontext", "before"},
    {"contextbefore", "before"},
    {"linesbefore", "before"},
    {"contextlinesbefore", "before"},
    {"-C", "context"},
    {"c", "context"},
    {"contextlines", "context"},
    {"contextsize", "context"},
    {"numcontextlines", "context"},
    {"linesofcontext", "context"},
    {"surroundinglines", "context"},
    {"headlimit", "max_results", Shape::kLimit},
    {"limit", "max_results", Shape::kLimit},
    {"maxmatches", "max_results", Shape::kLimit},
    {"maxtotal", "max_results", Shape::kLimit},
    {"maxlines", "max_results", Shape::kLimit},
    {"maxresultscount", "max_results", Shape::kLimit},
    {"resultlimit", "max_results", Shape::kLimit},
    {"numresults", "max_results", Shape::kLimit},
    {"pagesize", "max_results", Shape::kLimit},
    {"topk", "max_results", Shape::kLimit},
    {"max", "max_results", Shape::kLimit},
    {"n", "max_results", Shape::kLimit},
    {"-m", "max_matches_per_file", Shape::kLimit},
    {"maxcount", "max_matches_per_file", Shape::kLimit},
    {"maxmatchperfile", "max_matches_per_file", Shape::kLimit},
    {"maxcountperfile", "max_matches_per_file", Shape::kLimit},
    {"maxresultsperfile", "max_matches_per_file", Shape::kLimit},
    {"skip", "offset"},
    {"start", "offset"},
    {"startindex", "offset"},
    {"from", "offset"},
    {"outputmode", "output", Shape::kOutput},
    {"outputformat", "output", Shape::kOutput},
    {"format", "output", Shape::kOutput},
    {"mode", "output", Shape::kOutput},
    {"resulttype", "output", Shape::kOutput},
    {"-l", "output", Shape::kFiles},
    {"fileswithmatches", "output", Shape::kFiles},
    {"filesonly", "output", Shape::kFiles},
    {"filenamesonly", "output", Shape::kFiles},
    {"listfiles", "output", Shape::kFiles},
    {"-c", "output", Shape::kCount},
    {"count", "output", Shape::kCount},
    {"countonly", "output", Shape::kCount},
    {"countmatches", "output", Shape::kCount},
    {"includehidden", "hidden"},
    {"searchhidden", "hidden"},
    {"showhidden", "hidden"},
    {"includeignored", "no_ignore"},
    {"searchignored", "no_ignore"},
    {"noignore", "no_ignore"},
    {"respectgitignore", "no_ignore", Shape::kNot},
    {"usegitignore", "no_ignore", Shape::kNot},
    {"skipignoredfiles", "no_ignore", Shape::kNot},
    {"-r", "recursive"},
    {"-R", "recursive"},
    {"-L", "follow"},
    {"followsymlinks", "follow"},
    {"followlinks", "follow"},
    {"-v", "invert"},
    {"invertmatch", "invert"},
    {"-x", "line_regexp"},
    {"wholeline", "line_regexp"},
    {"-a", "binary_as_text"},
    {"depth", "max_depth"},
    {"column", "columns"},
    {"showcolumns", "columns"},
    {"timeoutmilliseconds", "timeout_ms"},
    {"maxfilesize", "max_file_size_bytes"},
    // Always so, or of no meaning to a search.
    {"-n", "", Shape::kDrop},
    {"linenumber", "", Shape::kDrop},
    {"linenumbers", "", Shape::kDrop},
    {"showlinenumbers", "", Shape::kDrop},
    {"-H", "", Shape::kDrop},
    {"withfilename", "", Shape::kDrop},
    {"-E", "", Shape::kDrop},
    {"-P", "", Shape::kDrop},
    {"pcre2", "", Shape::kDrop},
    {"heading", "", Shape::kDrop},
    {"color", "", Shape::kDrop},
    {"-o", "", Shape::kDrop},
    {"onlymatching", "", Shape::kDrop},
    {"smartcase", "", Shape::kDrop},
    {"explanation", "", Shape::kDrop},
    {"description", "", Shape::kDrop},
    {"reason", "", Shape::kDrop},
    {"reasoning", "", Shape::kDrop},
    {"thought", "", Shape::kDrop},
    {"title", "", Shape::kDrop},
    {"toolsummary", "", Shape::kDrop},
    {"matchperline", "", Shape::kDrop},
    {"waitforprevioustools", "", Shape::kDrop},
    {"allowexternal", "", Shape::kDrop},
    {"restrictsearchtocodefiles", "", Shape::kDrop},
};

// Fields of other tools that none of ours is. A value that asks for nothing
// (false, 0, "") is let pass.
struct Advice {
  std::string_view name;
  std::string_view sentence;
};
constexpr Advice kAdvice[] = {
    {"multiline",
     "a match lies within one line; search for one of the lines, and set `after` or `context` to see more"},
    {"multilinedotall", "a match lies within one line; search for one of the lines, and set `after` or `context`"},
    {"-U", "a match lies within one line; search for one of the lines, and set `after` or `context` to see more"},
    {"dotall", "a match lies within one line; search for one of the lines, and set `after` or `context` to see more"},
    {"replace", "this tool never changes a file; leave it out"},
    {"replacement", "this tool never changes a file; leave it out"},
    {"sort", "matches always come in the order of their paths; leave it out"},
    {"sortby", "matches always come in the order of their paths; leave it out"},
    {"orderby", "matches always come in the order of their paths; leave it out"},
    {"timeout", "write `timeout_ms`, in milliseconds"},
    {"timeoutseconds", "write `timeout_ms`, in milliseconds"},
    {"page", "write `offset`, the number of matches to skip"},
    {"cursor", "write `offset`, the number of matches to skip"},
    {"fileswithoutmatch", "there is no such list; `output` = \"files\" names the files with a match"},
    {"command", "write what to find as `pattern`, and where as `path`, instead of a command"},
    {"maxchars", "write `max_results`; the text is short in any case"},
    {"maxanswerchars", "write `max_results`; the text is short in any case"},
    {"maxtokens", "write `max_results`; the text is short in any case"},
    {"maxcolumns", "long lines are always shortened around the match; leave it out"},
};

struct Word {
  std::string_view theirs;
  std::string_view ours;
};
constexpr Word kOutputs[] = {
    {"content", "content"},    {"lines", "content"},
    {"matches", "content"},    {"text", "content"},
    {"full", "content"},       {"default", "content"},
    {"files", "files"},        {"file", "files"},
    {"paths", "files"},        {"fileswithmatches", "files"},
    {"filesonly", "files"},    {"filenames", "files"},
    {"filepaths", "files"},    {"l", "files"},
    {"count", "count"},        {"counts", "count"},
    {"countmatches", "count"}, {"c", "count"},
};
constexpr Word kCases[] = {
    {"smart", "smart"},
    {"sensitive", "sensitive"},
    {"insensitive", "insensitive"},
    {"ignore", "insensitive"},
    {"ignorecase", "insensitive"},
    {"i", "insensitive"},
    {"caseinsensitive", "insensitive"},
    {"casesensitive", "sensitive"},
    {"exact", "sensitive"},
    {"respect", "sensitive"},
    {"match", "sensitive"},
    {"auto", "smart"},
};

// "maxResults", "max-results" and "--max_results" are one name; "-A" is not "-a".
std::string Plain(std::string_view name) {
  if (name.size() == 2 && name.front() == '-') return std::string(name);
  std::string out;
  for (const char c : name) {
    if (c == '_' || c == '-' || c == ' ') continue;
    out += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return out;
}

// Our own fields, under their own names.
constexpr std::string_view kOurs[] = {"pattern",        "path",
                                      "case",           "fixed_strings",
                                      "word_regexp",    "include_glob",
                                      "exclude_glob",   "recursive",
                                      "hidden",         "follow",
                                      "no_ignore",      "context",
                                      "max_results",    "max_matches_per_file",
                                      "max_files",      "max_file_size_bytes",
                                      "timeout_ms",     "fuzzy",
                                      "output",         "offset",
                                      "type",           "before",
                                      "after",          "columns",
                                      "invert",         "line_regexp",
                                      "binary_as_text", "max_depth"};

// Those that are true or false, however that is written.
constexpr std::string_view kFlags[] = {"fixed_strings", "word_regexp", "recursive", "hidden",      "follow",
                                       "no_ignore",     "columns",     "invert",    "line_regexp", "binary_as_text"};

Shape ShapeOfOurs(std::string_view field) {
  if (field == "max_results") return Shape::kLimit;
  return field == "output" ? Shape::kOutput : Shape::kSame;
}

const std::map<std::string, Row, std::less<>>& Names() {
  static const auto names = [] {
    std::map<std::string, Row, std::less<>> made;
    for (const std::string_view field : kOurs) made.emplace(Plain(field), Row{field, field, ShapeOfOurs(field)});
    for (const Row& row : kRows) made.emplace(row.name, row);
    return made;
  }();
  return names;
}

template <typename List>
std::optional<std::string> Meaning(const List& words, const Json& value) {
  if (!value.is_string()) return std::nullopt;
  const std::string plain = Plain(value.template get_ref<const std::string&>());
  for (const Word& word : words) {
    if (word.theirs == plain) return std::string(word.ours);
  }
  return std::nullopt;
}

std::optional<bool> Truth(const Json& value) {
  if (value.is_boolean()) return value.get<bool>();
  if (value == 1 || value == "true" || value == "True" || value == "yes") return true;
  if (value == 0 || value == "false" || value == "False" || value == "no") return false;
  return std::nullopt;
}

bool IsNumber(const Json& value) {
  if (value.is_number()) return true;
  if (!value.is_string()) return false;
  const auto& text = value.get_ref<const std::string&>();
  return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
}

bool IsEmptyText(const Json& value) { return value.is_string() && value.get_ref<const std::string&>().empty(); }

bool IsNoLimit(const Json& value) {
  return value == 0 || value == -1 || value == "0" || value == "-1" || IsEmptyText(value);
}

bool AsksForNothing(const Json& value) {
  return value.is_null() || IsEmptyText(value) || value == 0 || Truth(value) == false ||
         (value.is_array() && value.empty());
}

// A text, a JSON list as text, or a list; as texts. Other items stay as they are,
// for the check of types.
std::vector<Json> Items(const Json& value) {
  if (value.is_array()) return {value.begin(), value.end()};
  if (value.is_string() && value.get_ref<const std::string&>().starts_with('[')) {
    if (const auto parsed = tool::ParseJson(value.get_ref<const std::string&>()); parsed && parsed->is_array()) {
      return {parsed->begin(), parsed->end()};
    }
  }
  return {value};
}

class Translation {
 public:
  Status Take(const std::string& name, Json value) {
    if (value.is_null()) return {};
    const std::string plain = Plain(name);
    if (const auto found = Names().find(plain); found != Names().end()) return Take(name, found->second, value);
    for (const Advice& advice : kAdvice) {
      if (advice.name != plain) continue;
      if (AsksForNothing(value) || (plain.starts_with("sort") && value == "path")) return {};
      return BadArgs(Echo(name) + ": " + std::string(advice.sentence) + ".");
    }
    if (const std::string near = NearField(plain); !near.empty()) {
      return BadArgs("unknown field \"" + Echo(name, 60) + "\"; did you mean \"" + near + "\"?");
    }
    out_[name] = std::move(value);  // the check of fields refuses it
    return {};
  }

  Result<Json> Finish() {
    if (alternatives_ && out_.value("fixed_strings", Json(false)) == true) {
      return BadArgs("pattern: is a list; write one, with | between the alternatives, without `fixed_strings`.");
    }
    if (!exclude_.empty()) out_["exclude_glob"] = exclude_;
    return std::move(out_);
  }

 private:
  // Our field that this may mean, if there is one.
  static std::string NearField(std::string_view plain) {
    std::vector<std::string_view> known;
    for (const auto& [name, row] : Names()) {
      if (!row.field.empty()) known.push_back(name);
    }
    const std::string_view near = NearestWord(plain, known);
    return near.empty() ? "" : std::string(Names().find(near)->second.field);
  }

  Status Take(const std::string& name, const Row& row, const Json& value) {
    const auto truth = Truth(value);
    switch (row.shape) {
      case Shape::kSame: return TakeSame(name, row.field, value);
      case Shape::kNot: return Put(name, row.field, truth ? Json(!*truth) : value);
      case Shape::kIgnoreCase: return truth ? Put(name, "case", *truth ? "insensitive" : "sensitive") : Status();
      case Shape::kKeepCase: return truth ? Put(name, "case", *truth ? "sensitive" : "insensitive") : Status();
      case Shape::kExtension: return TakeGlobs(name, row.field, value, true);
      case Shape::kLimit: return IsNoLimit(value) ? Status() : Put(name, row.field, value);
      case Shape::kPattern: return truth ? Put(name, "fixed_strings", !*truth) : Put(name, row.field, value);
      case Shape::kOutput: return TakeWord(name, row.field, value, kOutputs);
      case Shape::kFiles: return truth == true ? Put(name, "output", "files") : Status();
      case Shape::kCount: return TakeCount(name, value);
      case Shape::kDrop: return {};
    }
    return {};
  }

  Status TakeSame(const std::string& name, std::string_view field, const Json& value) {
    if (field == "include_glob" || field == "exclude_glob") return TakeGlobs(name, field, value, false);
    if (field == "path") return TakePath(name, value);
    if (field == "pattern") return TakePattern(name, value);
    if (field == "type") return TakeTypes(name, value);
    if (field == "case") return TakeWord(name, field, value, kCases);
    if (IsEmptyText(value)) return {};
    const auto truth = std::ranges::find(kFlags, field) == std::end(kFlags) ? std::nullopt : Truth(value);
    return Put(name, field, truth ? Json(*truth) : value);
  }

  template <typename List>
  Status TakeWord(const std::string& name, std::string_view field, const Json& value, const List& words) {
    if (IsEmptyText(value)) return {};
    const auto meaning = Meaning(words, value);
    return Put(name, field, meaning ? Json(*meaning) : value);
  }

  // A list means any of them.
  Status TakePattern(const std::string& name, const Json& value) {
    if (value.is_number()) return Put(name, "pattern", value.dump());
    const bool texts = value.is_array() && !value.empty() && std::ranges::all_of(value, &Json::is_string);
    if (!texts) return Put(name, "pattern", value);
    std::string pattern;
    for (const Json& item : value) pattern += (pattern.empty() ? "" : "|") + item.get_ref<const std::string&>();
    alternatives_ = alternatives_ || value.size() > 1;
    return Put(name, "pattern", pattern);
  }

  // {"count": true} wants counts, {"count": 20} wants twenty.
  Status TakeCount(const std::string& name, const Json& value) {
    if (!value.is_boolean() && IsNumber(value)) return Put(name, "max_results", value);
    return Truth(value) == true ? Put(name, "output", "count") : Status();
  }

  // One text, with commas.
  Status TakeTypes(const std::string& name, const Json& value) {
    std::string types;
    for (const Json& item : Items(value)) {
      if (!item.is_string()) return Put(name, "type", value);
      types += (types.empty() ? "" : ",") + item.get_ref<const std::string&>();
    }
    return types.empty() ? Status() : Put(name, "type", types);
  }

  // One path, or several: these become `paths`.
  Status TakePath(const std::string& name, const Json& value) {
    std::vector<Json> items = Items(value);
    std::erase_if(items, [](const Json& item) { return IsEmptyText(item) || item.is_null(); });
    if (items.empty()) return {};
    return items.size() == 1 ? Put(name, "path", items.front()) : Put(name, "paths", Json(items));
  }

  Status TakeGlobs(const std::string& name, std::string_view field, const Json& value, bool extensions) {
    Json globs = Json::array();
    for (Json& item : Items(value)) {
      if (!item.is_string()) {
        globs.push_back(std::move(item));
        continue;
      }
      for (std::string& word : GlobsIn(item.get_ref<const std::string&>())) {
        if (extensions) word = GlobOfExtension(word);
        const bool leaves_out = field == "exclude_glob" || word.starts_with('!');
        if (leaves_out) {
          exclude_.push_back(word.substr(word.starts_with('!') ? 1 : 0));
        } else {
          for (std::string& glob : AlsoAsFolder(word)) globs.push_back(std::move(glob));
        }
      }
    }
    return globs.empty() ? Status() : Put(name, field, std::move(globs));
  }

  Status Put(const std::string& name, std::string_view field, Json value) {
    const auto [from, is_new] = from_.emplace(field, name);
    if (!is_new && out_[std::string(field)] != value) {
      return BadArgs(Echo(from->second) + " and " + Echo(name) + " both mean `" + std::string(field) +
                     "`, and their values differ; give one of them.");
    }
    out_[std::string(field)] = std::move(value);
    return {};
  }

  Json out_ = Json::object();
  Json exclude_ = Json::array();
  bool alternatives_ = false;                             // the pattern was a list
  std::map<std::string, std::string, std::less<>> from_;  // field: the name that gave it
};

// {"arguments": {...}}: a model that wrote the whole call.
Json Unwrapped(Json arguments) {
  for (const char* const wrapper : {"arguments", "args", "input", "params", "parameters"}) {
    const auto found = arguments.find(wrapper);
    if (found == arguments.end() || !found->is_object() || arguments.contains("pattern")) continue;
    return Json(*found);
  }
  return arguments;
}

}  // namespace

Result<Json> TranslateFields(Json&& arguments) {
  Translation translation;
  const Json given = Unwrapped(std::move(arguments));
  for (const auto& [name, value] : given.items()) {
    if (Status status = translation.Take(name, value); !status) return status.error();
  }
  return translation.Finish();
}

}  // namespace forge::agent
