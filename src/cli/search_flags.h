// The options of `search`: as they are written, and what they mean.
//
//   search -e -foo -g '!*_test.cc' src   ->   {.pattern = "-foo",
//                                               .exclude_glob = {"*_test.cc"}}, paths {"src"}
//
// Letters and meanings are ripgrep's. A new option is a line in Define(). If it
// means the same as a field of the request, it is bound to that field. If several
// words have one meaning together, they are members here, and Resolve() puts
// their meaning into the request.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/printer.h"
#include "forge/search.h"
#include "tool/file_types.h"

namespace forge::cli {

enum class OutputMode {
  kLines,
  kFiles,         // -l
  kFilesWithout,  // --files-without-match
  kCount,         // -c
  kCountMatches,  // --count-matches
  kQuiet,         // -q
  kNames,         // --files
  kTypes,         // --type-list
};

enum class SortKey { kNone, kPath, kModified, kAccessed, kCreated };

// Yes, no, or what suits the output.
enum class Choice { kDefault, kYes, kNo };

struct SearchFlags {
  SearchRequest request;           // without its path
  std::vector<std::string> paths;  // as written; none: where the search starts by default
  OutputMode mode = OutputMode::kLines;

  ColorChoice color = ColorChoice::kAuto;
  Choice heading = Choice::kDefault;
  Choice line_numbers = Choice::kDefault;
  Choice with_filename = Choice::kDefault;
  Choice column = Choice::kDefault;
  bool byte_offset = false;
  bool only_matching = false;
  bool vimgrep = false;
  bool trim = false;
  bool null = false;
  bool preview = false;
  bool stats = false;
  bool include_zero = false;
  bool quiet = false;
  bool no_messages = false;
  std::optional<std::int64_t> max_columns;
  std::string hyperlink = "none";
  std::optional<std::string> context_separator = "--";  // none: nothing between groups
  std::string match_separator = ":";
  std::string field_separator = "-";  // of context
  SortKey sort = SortKey::kNone;
  bool reverse = false;  // the last of --sort and --sortr counts
  Colors colors;

  void Define(Options& options);
  // The options of `live`: those that say what matches, and in which files.
  void DefineLive(Options& options);
  std::optional<UsageError> Resolve();

  // Reads the files of -f. For Run(): nothing is read before it.
  std::optional<UsageError> ReadPatternFiles(const std::function<Result<std::string>(const std::string&)>& read);

  const tool::FileTypes& types() const { return types_; }
  bool has_context() const {
    return request.before_context.value_or(request.context) > 0 || request.after_context.value_or(request.context) > 0;
  }

 private:
  // As written.
  std::optional<std::string> first_;   // PATTERN; with -e, -f and --files a PATH
  std::vector<std::string> rest_;      // PATHs
  std::vector<std::string> patterns_;  // -e
  std::vector<std::string> files_;     // -f
  std::vector<std::string> globs_;
  std::vector<std::string> iglobs_;
  std::vector<std::string> with_types_;
  std::vector<std::string> without_types_;
  std::vector<std::string> added_types_;
  std::vector<std::string> color_specs_;
  // What is printed. --files wins over -q, that over a count, and that over -l.
  std::optional<OutputMode> count_;
  std::optional<OutputMode> names_;  // of files with a match, or without one
  bool list_files_ = false;
  bool list_types_ = false;
  std::string sorted_;
  std::string sorted_back_;
  ColorChoice color_ = ColorChoice::kAuto;  // the last one given
  std::string encoding_;
  std::optional<std::string> replacement_;
  int unrestricted_ = 0;
  bool needs_pattern_ = true;
  bool no_recursive_ = false;
  bool iglobs_only_ = false;
  bool no_separator_ = false;
  tool::FileTypes types_;

  void DefinePattern(Options& options);
  void DefineRules(Options& options);
  void DefineScope(Options& options);
  void DefineLimits(Options& options);
  void DefineOutput(Options& options);
  void DefineLook(Options& options);
  std::optional<UsageError> ResolvePattern();
  std::optional<UsageError> ResolveTypes();
  std::optional<UsageError> ResolveLook();
  void ResolveGlobs();
  void ResolveMode();
  void MatchNothing();
  void ResolveSort();
};

// What to do instead of an option of grep or ripgrep that `search` lacks.
std::optional<UsageError> AdviceForForeignOption(const std::string& option);

}  // namespace forge::cli
