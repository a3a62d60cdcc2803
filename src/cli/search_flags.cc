#include "cli/search_flags.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <utility>

#include "base/strings.h"
#include "cli/hyperlink.h"

namespace forge::cli {
namespace {

// Options that users of grep and ripgrep may try.
struct ForeignOption {
  const char* option;
  const char* advice;
};
constexpr ForeignOption kForeign[] = {
    {"-U", "a match never spans lines; search for one of the lines, and show the others with -A or -B"},
    {"--multiline", "a match never spans lines; search for one of the lines, and show the others with -A or -B"},
    {"--multiline-dotall", "a match never spans lines; search for one of the lines, and show others with -A or -B"},
    {"-z", "compressed files are not read; in a shell: zcat FILE | forge-search search PATTERN"},
    {"--search-zip", "compressed files are not read; in a shell: zcat FILE | forge-search search PATTERN"},
    {"--pre", "files are not converted; in a shell: CONVERTER FILE | forge-search search PATTERN"},
    {"--pre-glob", "files are not converted; in a shell: CONVERTER FILE | forge-search search PATTERN"},
    {"--null-data", "lines end with a line feed; in a shell: tr '\\0' '\\n' < FILE | forge-search search PATTERN"},
    {"--no-unicode", "classes are those of Unicode; for ASCII alone write [A-Za-z0-9_] instead of \\w"},
    {"--no-pcre2-unicode", "classes are those of Unicode; for ASCII alone write [A-Za-z0-9_] instead of \\w"},
    {"--no-ignore-vcs", "--no-ignore searches all that ignore files leave out"},
    {"--no-ignore-parent", "--no-ignore searches all that ignore files leave out"},
    {"--no-ignore-global", "--no-ignore searches all that ignore files leave out"},
    {"--no-ignore-exclude", "--no-ignore searches all that ignore files leave out"},
    {"--no-ignore-dot", "--no-ignore searches all that ignore files leave out"},
    {"--ignore-file", "write its globs: -g '!GLOB'"},
    {"--one-file-system", "leave out what is mounted there: -g '!folder/'"},
    {"--type-clear", "give a new type a name of its own: --type-add 'mine:*.c' -t mine"},
    {"--path-separator", "paths have '/'"},
    {"--debug", "--stats says what was searched; forge-search doctor examines the installation"},
    {"--trace", "--stats says what was searched; forge-search doctor examines the installation"},
    {"--include", "write a glob: -g '*.py'"},
    {"--exclude", "write a glob: -g '!*.py'"},
    {"--exclude-dir", "write a glob: -g '!folder/'"},
    {"-h", "-I prints no file names; --help explains"},
};

// \n, \t, \\ and \x7F, as ripgrep has them; any other text is itself.
std::string Unescaped(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::string_view rest = text.substr(i);
    int byte = 0;
    if (rest.starts_with("\\x") && rest.size() >= 4 &&
        std::from_chars(rest.data() + 2, rest.data() + 4, byte, 16).ptr == rest.data() + 4) {
      out += static_cast<char>(byte);
      i += 3;
    } else if (rest.starts_with("\\n") || rest.starts_with("\\t") || rest.starts_with("\\\\")) {
      out += rest[1] == 'n' ? '\n' : rest[1] == 't' ? '\t' : '\\';
      ++i;
    } else {
      out += rest[0];
    }
  }
  return out;
}

UsageError Bad(const char* option, const std::string& value, const std::string& why) {
  return {std::string(option) + " " + value + ": " + why, ""};
}

}  // namespace

void SearchFlags::Define(Options& options) {
  DefinePattern(options);
  DefineScope(options);
  DefineLimits(options);
  DefineOutput(options);
  DefineLook(options);
}

void SearchFlags::DefineLive(Options& o) {
  needs_pattern_ = false;
  o.Optional("PATTERN", first_, "What to find first: a regular expression (see -F)");
  o.Optional("PATH", rest_, "Files and folders to search (default: the working folder)");
  DefineRules(o);
  DefineScope(o);
}

void SearchFlags::DefinePattern(Options& o) {
  SearchRequest& r = request;
  o.Needed("PATTERN", first_, "What to find: a regular expression (see -F)");
  o.Optional("PATH", rest_, "Files and folders to search; - is standard input (default: the working folder)");
  o.List("-e,--regexp", patterns_, "PATTERN", "A pattern; repeatable: a line with a match of any of them matches");
  o.List("-f,--file", files_, "FILE", "Take the lines of a file as patterns; repeatable");
  DefineRules(o);
  o.Flag("-x,--line-regexp", r.line_regexp, "Match whole lines only");
  o.Flag("-v,--invert-match", r.invert, "Lines that do not match");
  o.Flag("--type-list", list_types_, "Print the types and their globs");
  o.Flag("--files", list_files_, "Print the files that would be searched; takes no PATTERN");
  // Habits of grep and ripgrep: patterns are in PCRE2's syntax, and folders are
  // searched with what is in them.
  o.Ignored("-E,--extended-regexp");
  o.Ignored("-P,--pcre2,--perl-regexp");
  o.Ignored("-R,--recursive");
  o.Ignored("--line-buffered,--block-buffered,--no-config,--mmap,--no-mmap,--no-pcre2,--no-line-buffered");
  o.Ignored("--no-block-buffered,--crlf,--no-crlf,--unicode,--pcre2-unicode,--auto-hybrid-regex,--no-encoding");
  o.Ignored("--no-auto-hybrid-regex,--binary,--no-binary,--no-require-git,--no-ignore-files,--ignore-files");
  o.Ignored("--no-one-file-system,--no-pre,--no-search-zip,--no-multiline,--no-multiline-dotall,--ignore-messages");
  o.Ignored("--no-ignore-messages,--no-context-separators,--sort-files,--no-sort-files,--ignore-vcs,--ignore-dot");
  o.Ignored("--ignore-parent,--ignore-global,--ignore-exclude,--no-ignore-file-case-insensitive");
  o.IgnoredValue("-j,--threads");
  o.IgnoredValue("--dfa-size-limit,--regex-size-limit,--engine");
  o.HiddenText("--encoding", encoding_);
  o.Opposite("--no-invert-match", r.invert);
  o.Opposite("--no-fixed-strings", r.fixed_strings);
}

// What matches.
void SearchFlags::DefineRules(Options& o) {
  SearchRequest& r = request;
  o.Flag("-F,--fixed-strings", r.fixed_strings, "Take the pattern as plain text");
  o.Flag("-i,--ignore-case", r.case_mode, CaseMode::kInsensitive, "Ignore case");
  o.Flag("-s,--case-sensitive", r.case_mode, CaseMode::kSensitive, "Respect case");
  o.Flag("-S,--smart-case", r.case_mode, CaseMode::kSmart,
         "Ignore case unless the pattern has a capital letter (default)");
  o.Flag("-w,--word-regexp", r.word_regexp, "Match whole words only");
  o.Number("--fuzzy", r.fuzzy, "Accept up to N wrong, missing or extra characters, 1 to 4", {.max = 4});
}

void SearchFlags::DefineScope(Options& o) {
  SearchRequest& r = request;
  o.List("-g,--glob", globs_, "GLOB", "Only files that match; with a leading '!', only files that do not; repeatable");
  o.List("--iglob", iglobs_, "GLOB", "As -g, whatever the case of letters");
  o.List("-t,--type", with_types_, "TYPE", "Only files of this type, such as py; repeatable");
  o.List("-T,--type-not", without_types_, "TYPE", "No files of this type; repeatable");
  for (const char* option : {"--type", "--type-not"}) o.Suggest(option, types_.Names());
  o.List("--type-add", added_types_, "NAME:GLOB", "Add a glob to a type, or a new type; repeatable");
  o.Flag("-.,--hidden", r.hidden, "Also search hidden files and folders");
  o.Flag("-L,--follow", r.follow, "Follow symbolic links");
  o.Flag("--no-ignore", r.no_ignore, "Also search what .gitignore and the like leave out");
  o.Action(
      "-u,--unrestricted", [this] { ++unrestricted_; },
      "Search more: -u as --no-ignore, -uu also --hidden, -uuu also -a");
  o.Flag("-a,--text", r.text, "Also search files with NUL bytes");
  o.Flag("--glob-case-insensitive", iglobs_only_, "Take each -g as --iglob");
  o.Opposite("--no-glob-case-insensitive", iglobs_only_);
  o.Opposite("--no-hidden", r.hidden);
  o.Opposite("--no-follow", r.follow);
  o.Opposite("--ignore", r.no_ignore);
  o.Opposite("--no-text", r.text);
  o.Number("-d,--max-depth,--maxdepth", r.max_depth, "Go at most N folders deep; 1: only the files in PATH",
           {.min = 0});
  o.Flag("--no-recursive", no_recursive_, "The same as --max-depth 1");
  o.Size("--max-filesize,--max-file-size", r.max_file_size_bytes, "Skip larger files; N may end in K, M or G");
}

void SearchFlags::DefineLimits(Options& o) {
  SearchRequest& r = request;
  o.Number("-C,--context", r.context, "Show N lines before and after each match; -N means the same", {.min = 0});
  o.Number("-A,--after-context", r.after_context, "Show N lines after each match", {.min = 0});
  o.Number("-B,--before-context", r.before_context, "Show N lines before each match", {.min = 0});
  o.Flag("--passthru,--passthrough", r.passthru, "Print all lines, also those that do not match");
  o.Number("-m,--max-count", r.max_matches_per_file, "At most N matching lines from one file", {.min = 0});
  o.Number("--max-results", r.max_matches, "At most N matching lines in all");
  o.Number("--max-files", r.max_files, "Look at no more than N files");
  o.Milliseconds("--timeout-ms", r.timeout, "Stop after N milliseconds, with what was found");
}

void SearchFlags::DefineOutput(Options& o) {
  using Mode = std::optional<OutputMode>;
  o.Flag<Mode>("-l,--files-with-matches", names_, OutputMode::kFiles, "Print only the names of files with a match");
  o.Flag<Mode>("--files-without-match", names_, OutputMode::kFilesWithout,
               "Print only the names of files without a match");
  o.Flag<Mode>("-c,--count", count_, OutputMode::kCount, "Print how many lines match, for each file with a match");
  o.Flag<Mode>("--count-matches", count_, OutputMode::kCountMatches,
               "Print how many matches there are, for each such file");
  o.Flag("--include-zero", include_zero, "With -c, print files without a match as well");
  o.Flag("-q,--quiet", quiet, "Print nothing; the exit status says whether there is a match");
  o.Flag("-o,--only-matching", only_matching, "Print each match by itself instead of its line");
  o.Text("-r,--replace", replacement_, "TEXT", "Print TEXT instead of each match; $1 or ${name} is a group");
  o.Json("Print JSON Lines, as ripgrep does");
  o.Flag("--stats", stats, "Print statistics at the end");
  o.Flag("--no-messages", no_messages, "Say nothing about files that cannot be read");
  o.Opposite("--messages", no_messages);
  o.Opposite("--no-stats", stats);
  o.Opposite("--no-trim", trim);
  o.Opposite("--no-byte-offset", byte_offset);
  o.Opposite("--no-max-columns-preview", preview);
}

void SearchFlags::DefineLook(Options& o) {
  o.Flag("-n,--line-number", line_numbers, Choice::kYes, "Print line numbers (default on a terminal)");
  o.Flag("-N,--no-line-number", line_numbers, Choice::kNo, "Print no line numbers");
  o.Flag("-H,--with-filename", with_filename, Choice::kYes, "Print file names (default unless one file is searched)");
  o.Flag("-I,--no-filename", with_filename, Choice::kNo, "Print no file names");
  o.Flag("--column", column, Choice::kYes, "Print the column of the first match");
  o.Flag("--no-column", column, Choice::kNo, "Print no columns");
  o.Flag("-b,--byte-offset", byte_offset, "Print the offset of each line in its file");
  o.Flag("--vimgrep", vimgrep, "Print each match with its line and column, for editors");
  o.Flag("--heading", heading, Choice::kYes, "Print the name of a file above its matches (default on a terminal)");
  o.Flag("--no-heading", heading, Choice::kNo, "Print the name of the file in each line");
  o.Text("--context-separator", context_separator, "TEXT", "Print TEXT between groups of lines (default: --)");
  o.Flag("--no-context-separator", no_separator_, "Print nothing between groups of lines");
  o.Text("--field-match-separator", match_separator, "TEXT", "Print TEXT after the fields of a match (default: :)");
  o.Text("--field-context-separator", field_separator, "TEXT", "Print TEXT after the fields of context (default: -)");
  o.Flag("--trim", trim, "Leave out white space at the beginning of lines");
  o.Flag("-0,--null", null, "Print a NUL byte after each file name");
  o.Number("-M,--max-columns", max_columns, "Leave out lines longer than N bytes; 0: none", {.min = 0});
  o.Flag("--max-columns-preview", preview, "Print the beginning of lines that -M leaves out");
  const std::vector<std::string> keys = {"path", "modified", "accessed", "created", "none"};
  o.Choice("--sort", sorted_, keys, "KEY", "Order files by path (default), modified, accessed or created");
  o.Choice("--sortr", sorted_back_, keys, "KEY", "The same, in reverse");
  o.OnGiven("--sort", [this] { reverse = false; });
  o.OnGiven("--sortr", [this] { reverse = true; });
  o.Choice<ColorChoice>("--color", color_,
                        {{"auto", ColorChoice::kAuto},
                         {"always", ColorChoice::kAlways},
                         {"ansi", ColorChoice::kAlways},
                         {"never", ColorChoice::kNever}},
                        "WHEN", "auto (default), always or never");
  o.OnGiven("--color", [this] { color = color_; });  // -p sets it too; the last one wins
  o.List("--colors", color_specs_, "SPEC", "Change a colour, as match:fg:blue or path:style:bold; repeatable");
  o.Text("--hyperlink-format", hyperlink, "FORMAT", "Make links of file names: default, vscode, or text with {path}");
  o.Action(
      "-p,--pretty",
      [this] {
        color = ColorChoice::kAlways;
        heading = Choice::kYes;
        line_numbers = Choice::kYes;
      },
      "The same as --color always --heading -n");
}

std::optional<UsageError> SearchFlags::Resolve() {
  SearchRequest& r = request;
  r.recursive = !no_recursive_;
  r.no_ignore |= unrestricted_ > 0;
  r.hidden |= unrestricted_ > 1;
  r.text |= unrestricted_ > 2;
  r.replacement = replacement_;
  r.exact_bytes = true;
  r.may_be_blank = true;
  ResolveMode();
  ResolveGlobs();
  if (auto error = ResolveTypes()) return error;
  if (auto error = ResolveLook()) return error;
  ResolveSort();
  return ResolvePattern();
}

void SearchFlags::ResolveMode() {
  if (names_) mode = *names_;
  if (count_) mode = *count_;
  if (quiet) mode = OutputMode::kQuiet;
  if (list_files_) mode = OutputMode::kNames;
  if (list_types_) mode = OutputMode::kTypes;
}

void SearchFlags::ResolveGlobs() {
  const auto take = [](const std::vector<std::string>& globs, std::vector<std::string>& include,
                       std::vector<std::string>& exclude) {
    for (const std::string& glob : globs) {
      if (glob.empty()) continue;
      const bool excludes = glob.starts_with('!');
      (excludes ? exclude : include).push_back(glob.substr(excludes ? 1 : 0));
    }
  };
  SearchRequest& r = request;
  if (iglobs_only_) {
    take(globs_, r.include_iglob, r.exclude_iglob);
  } else {
    take(globs_, r.include_glob, r.exclude_glob);
  }
  take(iglobs_, r.include_iglob, r.exclude_iglob);
}

std::optional<UsageError> SearchFlags::ResolveTypes() {
  for (const std::string& rule : added_types_) {
    if (const auto problem = types_.Add(rule)) return Bad("--type-add", rule, *problem);
  }
  const auto take = [&](const char* option, const std::vector<std::string>& names,
                        std::vector<std::string>& out) -> std::optional<UsageError> {
    for (const std::string& name : names) {
      const auto globs = types_.Globs(name);
      if (globs) {
        out.insert(out.end(), globs->begin(), globs->end());
        continue;
      }
      const std::string near(types_.Nearest(name));
      return UsageError{std::string(option) + " " + name + ": there is no such type",
                        near.empty() ? "--type-list lists them" : "did you mean " + near + "?"};
    }
    return std::nullopt;
  };
  if (auto error = take("-t", with_types_, request.type_glob)) return error;
  return take("-T", without_types_, request.exclude_type_glob);
}

std::optional<UsageError> SearchFlags::ResolveLook() {
  for (const std::string& spec : color_specs_) {
    if (const auto problem = colors.Change(spec)) return Bad("--colors", spec, *problem);
  }
  const auto format = LinkFormat(hyperlink);
  if (!format) return Bad("--hyperlink-format", hyperlink, "is no known name, and has no {path}");
  hyperlink = *format;
  if (max_columns == 0) max_columns.reset();
  for (std::string* text : {&*context_separator, &match_separator, &field_separator}) *text = Unescaped(*text);
  if (no_separator_) context_separator.reset();
  static constexpr std::string_view kRead[] = {"auto", "utf-8", "utf8", "UTF-8", "UTF8", "ascii"};
  if (!encoding_.empty() && std::find(std::begin(kRead), std::end(kRead), encoding_) == std::end(kRead)) {
    return UsageError{"--encoding " + encoding_ + ": cannot be chosen",
                      "UTF-8 and, with a byte order mark, UTF-16 and UTF-32 are read; in a shell: iconv -f " +
                          encoding_ + " FILE | forge-search search PATTERN"};
  }
  return std::nullopt;
}

void SearchFlags::ResolveSort() {
  static constexpr std::pair<std::string_view, SortKey> kKeys[] = {{"path", SortKey::kPath},
                                                                   {"modified", SortKey::kModified},
                                                                   {"accessed", SortKey::kAccessed},
                                                                   {"created", SortKey::kCreated}};
  for (const auto& [name, key] : kKeys) {
    if (name == (reverse ? sorted_back_ : sorted_)) sort = key;
  }
}

// With -e or -f, the first positional argument is a path.
std::optional<UsageError> SearchFlags::ResolvePattern() {
  paths = rest_;
  if (mode == OutputMode::kTypes) return std::nullopt;
  if (!needs_pattern_) {
    request.pattern = first_.value_or("");
    return std::nullopt;
  }
  const bool takes_pattern = patterns_.empty() && files_.empty() && mode != OutputMode::kNames;
  if (takes_pattern && !first_) return UsageError{"search needs a PATTERN", ""};
  if (takes_pattern) {
    request.pattern = *first_;
    return std::nullopt;
  }
  if (first_) paths.insert(paths.begin(), *first_);
  if (patterns_.empty()) return std::nullopt;
  request.pattern = patterns_.front();
  request.more_patterns.assign(patterns_.begin() + 1, patterns_.end());
  return std::nullopt;
}

std::optional<UsageError> SearchFlags::ReadPatternFiles(
    const std::function<Result<std::string>(const std::string&)>& read) {
  if (files_.empty()) return std::nullopt;
  std::vector<std::string> all = patterns_;
  for (const std::string& file : files_) {
    const auto text = read(file);
    if (!text) return UsageError{"-f " + file + ": " + text.error().message, ""};
    std::vector<std::string_view> lines = Split(*text, '\n');
    if (!lines.empty() && lines.back().empty()) lines.pop_back();
    for (std::string_view line : lines) {
      if (line.ends_with('\r')) line.remove_suffix(1);
      all.emplace_back(line);
    }
  }
  if (all.empty()) {
    MatchNothing();
    return std::nullopt;
  }
  request.pattern = all.front();
  request.more_patterns.assign(all.begin() + 1, all.end());
  return std::nullopt;
}

// As if there were no pattern.
void SearchFlags::MatchNothing() {
  request.pattern = "(?!)";
  request.more_patterns.clear();
  request.fixed_strings = request.word_regexp = request.line_regexp = false;
}

std::optional<UsageError> AdviceForForeignOption(const std::string& option) {
  for (const ForeignOption& foreign : kForeign) {
    const bool is_long = option.starts_with("--");
    if (is_long ? option == foreign.option : option.starts_with(foreign.option)) {
      return UsageError{"there is no option " + std::string(foreign.option), foreign.advice};
    }
  }
  return std::nullopt;
}

}  // namespace forge::cli
