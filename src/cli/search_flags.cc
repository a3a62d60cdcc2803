#include "cli/search_flags.h"

namespace forge::cli {
namespace {

// Options that users of grep and ripgrep may try.
struct ForeignOption {
  const char* option;
  const char* advice;
};
constexpr ForeignOption kForeign[] = {
    {"-A", "-C N shows lines before and after"},
    {"-B", "-C N shows lines before and after"},
    {"-n", "line numbers are always printed; leave it out"},
    {"-H", "file names are always printed; leave it out"},
    {"-r", "folders are always searched with their subfolders; leave it out"},
    {"-R", "folders are always searched with their subfolders; leave it out"},
    {"-E", "patterns are regular expressions already; leave it out"},
    {"-P", "patterns are in PCRE2's syntax already; leave it out"},
    {"-l", "there is no list of files; in a shell: ... | cut -d: -f1 | uniq"},
    {"-c", "there is no count; in a shell: ... | cut -d: -f1 | uniq -c"},
    {"-v", "lines that do not match cannot be listed"},
    {"-t", "write a glob: -g '*.py'"},
    {"-T", "write a glob: -g '!*.py'"},
    {"-o", "--json gives the matched text"},
    {"-u", "--no-ignore and --hidden search more"},
    {"-U", "a match never spans lines"},
    {"-q", "send the output to /dev/null; the exit status says whether there is a match"},
};

}  // namespace

void SearchFlags::Define(Options& options) {
  DefinePattern(options);
  DefineScope(options);
  DefineOutput(options);
}

void SearchFlags::DefinePattern(Options& o) {
  SearchRequest& r = request;
  o.Needed("PATTERN", first, "What to find: a regular expression (see -F)");
  o.Optional("PATH", second, "The file or folder to search (default: the working folder)");
  o.List("-e,--regexp", patterns, "PATTERN", "The pattern, if it starts with '-' or is '++'");
  o.Flag("-F,--fixed-strings", r.fixed_strings, "Take the pattern as plain text");
  o.Flag("-i,--ignore-case", r.case_mode, CaseMode::kInsensitive, "Ignore case");
  o.Flag("-s,--case-sensitive", r.case_mode, CaseMode::kSensitive, "Respect case");
  o.Flag("-S,--smart-case", r.case_mode, CaseMode::kSmart,
         "Ignore case unless the pattern has a capital letter (default)");
  o.Flag("-w,--word-regexp", r.word_regexp, "Match whole words only");
}

void SearchFlags::DefineScope(Options& o) {
  SearchRequest& r = request;
  o.List("-g,--glob", globs, "GLOB", "Only files that match; with a leading '!', only files that do not; repeatable");
  o.Number("-C,--context", r.context, "Show N lines before and after each match", {.min = 0});
  o.Number("-m,--max-count", r.max_matches_per_file, "At most N matches from one file");
  o.Number("--max-results", r.max_results, "At most N lines in all, context included");
  o.Number("--max-files", r.max_files, "Look at no more than N files");
  o.Size("--max-file-size,--max-filesize", r.max_file_size_bytes, "Skip larger files; N may end in K, M or G");
  o.Milliseconds("--timeout-ms", r.timeout, "Stop after N milliseconds, with what was found");
  o.Number("--fuzzy", r.fuzzy, "Accept up to N wrong, missing or extra characters, 1 to 4", {.max = 4});
  o.Flag("-.,--hidden", r.hidden, "Also search hidden files and folders");
  o.Flag("-L,--follow", r.follow, "Follow symbolic links");
  o.Flag("--no-ignore", r.no_ignore, "Also search what .gitignore and the like leave out");
  o.Flag("--no-recursive", no_recursive, "Only the files directly in the folder");
}

void SearchFlags::DefineOutput(Options& o) {
  o.Json("Print JSON Lines, in ripgrep's shape");
  o.Choice<ColorChoice>(
      "--color", color,
      {{"auto", ColorChoice::kAuto}, {"always", ColorChoice::kAlways}, {"never", ColorChoice::kNever}}, "WHEN",
      "auto (default), always or never");
}

std::optional<UsageError> SearchFlags::Resolve() {
  request.recursive = !no_recursive;
  for (const std::string& glob : globs) {
    const bool excludes = glob.starts_with('!');
    (excludes ? request.exclude_glob : request.include_glob).push_back(glob.substr(excludes ? 1 : 0));
  }
  return ResolvePattern();
}

// With -e, the first positional argument is the path.
std::optional<UsageError> SearchFlags::ResolvePattern() {
  if (patterns.empty()) {
    if (!first) return UsageError{"search needs a PATTERN", ""};
    request.pattern = *first;
    request.path = second.value_or("");
    return std::nullopt;
  }
  if (patterns.size() > 1) {
    return UsageError{"-e is given " + std::to_string(patterns.size()) + " times", "write alternatives as -e 'a|b'"};
  }
  if (second) return UsageError{"unexpected argument \"" + *second + "\": -e already gave the pattern", ""};
  request.pattern = patterns.front();
  request.path = first.value_or("");
  return std::nullopt;
}

std::optional<UsageError> AdviceForForeignOption(const std::string& option) {
  if (option.starts_with("--")) return std::nullopt;
  for (const ForeignOption& foreign : kForeign) {
    if (option.starts_with(foreign.option)) {
      return UsageError{"there is no option " + option.substr(0, 2), foreign.advice};
    }
  }
  return std::nullopt;
}

}  // namespace forge::cli
