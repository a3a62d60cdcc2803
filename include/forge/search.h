// The Search tool as types: one request, one response.
//
// The fields of the request up to `fuzzy` are those of the tool's JSON schema
// (FR-LS-02a), with their defaults. The others are for callers of the library,
// such as the command line; their defaults change nothing. An absent optional
// takes the configured value. Each member has an initializer, so that
// {.pattern = "x"} compiles without a warning.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "forge/cancel.h"
#include "forge/index.h"
#include "forge/places.h"
#include "forge/progress.h"
#include "forge/shared_text.h"

namespace forge {

enum class CaseMode { kSmart, kSensitive, kInsensitive };

// What an answer says about a file.
enum class Report {
  kLines,   // its matching lines, with their context
  kCounts,  // how many lines match
  kFirst,   // whether a line matches; the file is read up to that line
  kNames,   // that it is there; no file is opened, and the pattern does not count
};

// Whether the configured max_matches_per_file counts, where a request has none of
// its own. For callers that bound their answers in another way.
enum class FileCap {
  kAlways,
  kUnlessNamed,  // not for a file that `path` names
  kNever,
};

struct SearchRequest {
  std::string pattern = {};
  std::string path = {};  // empty: the working folder
  CaseMode case_mode = CaseMode::kSmart;
  bool fixed_strings = false;
  bool word_regexp = false;
  std::vector<std::string> include_glob = {};
  std::vector<std::string> exclude_glob = {};
  bool recursive = true;
  bool hidden = false;
  bool follow = false;
  bool no_ignore = false;
  std::int64_t context = 0;
  std::optional<std::int64_t> max_results = {};
  std::optional<std::int64_t> max_matches_per_file = {};
  std::optional<std::int64_t> max_files = {};
  std::optional<std::int64_t> max_file_size_bytes = {};
  std::optional<std::chrono::milliseconds> timeout = {};  // "timeout_ms" in JSON
  std::optional<std::int64_t> fuzzy = {};                 // 1 to 4

  // What matches.
  std::vector<std::string> more_patterns = {};  // a line also matches if one of these does
  bool line_regexp = false;                     // a match is a whole line
  bool invert = false;                          // lines without a match are the matches; they have no column
  bool may_be_blank = false;                    // an empty pattern matches every line, instead of being refused

  // Which files.
  std::optional<std::int64_t> max_depth = {};       // 1: only the files directly in the folder
  std::vector<std::string> include_iglob = {};      // as include_glob, whatever the case of letters; either will do
  std::vector<std::string> exclude_iglob = {};      // as exclude_glob
  std::vector<std::string> type_glob = {};          // a file must match one of these as well
  std::vector<std::string> exclude_type_glob = {};  // and none of these; folders do not count
  bool text = false;                                // files with a NUL are searched like any other

  // What the answer holds.
  Report report = Report::kLines;
  std::optional<std::int64_t> before_context = {};  // instead of `context`
  std::optional<std::int64_t> after_context = {};   // instead of `context`
  bool passthru = false;                            // every line of every file: those that do not match are context
  bool every_match = false;                         // Event::places, and FileReport::matches
  bool exact_bytes = false;                         // paths and lines as they are, with bytes that are not UTF-8
  std::optional<std::string> replacement = {};      // Place::replacement: text with $1 or ${name} in it
  std::optional<std::int64_t> max_matches = {};     // at most so many matching lines in all; context does not count
  FileCap file_cap = FileCap::kAlways;
};

enum class LineEnding { kNone, kLf, kCrLf };

constexpr std::string_view BytesOf(LineEnding ending) {
  return ending == LineEnding::kNone ? "" : ending == LineEnding::kLf ? "\n" : "\r\n";
}

// One line of the answer. A match has a column and a text; a context line is a
// line near a match that does not match itself. With SearchRequest::invert it is
// the context that matches: then it has the column and the places, if the
// request wants every match.
struct Event {
  enum class Type { kMatch, kContext };

  Type type = Type::kMatch;
  SharedText path;                // relative to the working folder if inside it
  std::uint64_t line_number = 0;  // 1-based
  std::uint64_t column = 0;       // 1-based, in bytes of the file; 0 for a line without a match
  SharedText line;                // without its line ending; UTF-8, lossy
  SharedText match_text;          // leftmost match; empty for context
  std::uint64_t offset = 0;       // of the line, in bytes from the start of the file
  LineEnding ending = LineEnding::kNone;
  Places places = {};  // every match, with SearchRequest::every_match
};

// One file of the answer.
struct FileReport {
  std::string path;
  std::uint64_t matched_lines = 0;
  std::uint64_t matches = 0;  // in those lines, with SearchRequest::every_match
  std::uint64_t bytes = 0;    // that were searched
};

struct FileError {
  std::string path;
  std::string error;
};

// How a search ended. After every end but kComplete, files that come after the
// last one searched are missing from the answer, and `notes` says why; only a
// caller who ended it with `enough` is not told.
enum class SearchEnd {
  kNotSearched,  // no search has filled this response
  kComplete,     // every eligible file was searched
  kFull,         // max_results
  kTooMuchText,  // max_answer_bytes
  kStopped,      // the caller had `enough`
  kTimedOut,
  kCancelled,  // Search then returns an error
  kBackendFailed,
  kBackendNotStarted,  // or its end was lost
  kOutOfMemory,
};

// Whether the search could not go on by a fault that is not the request's.
constexpr bool IsFailure(SearchEnd end) {
  switch (end) {
    case SearchEnd::kNotSearched:
    case SearchEnd::kComplete:
    case SearchEnd::kFull:
    case SearchEnd::kTooMuchText:
    case SearchEnd::kStopped:
    case SearchEnd::kTimedOut:
    case SearchEnd::kCancelled: return false;
    case SearchEnd::kBackendFailed:
    case SearchEnd::kBackendNotStarted:
    case SearchEnd::kOutOfMemory: return true;
  }
  return true;
}

// Why the fuzzy fallback ran.
enum class FallbackReason { kLiteralNoMatches };
// Why it did not, or not to its end.
enum class FallbackSkip { kPatternTooShort, kCapabilityMissing, kBudgetExhausted };

// What a request did about changes that put the index in doubt.
enum class MaintenanceAction { kBypassExclusion };

// The words of the stats: "LITERAL_NO_MATCHES", "PATTERN_TOO_SHORT", ...
std::string_view Name(FallbackReason reason);
std::string_view Name(FallbackSkip skip);
std::string_view Name(MaintenanceAction action);

// How an answer was found; only with emit_stats, and never part of what must be
// equal (LSI 10.2). Names are those of the JSON fields; a time has "_ms" there.
struct SearchStats {
  std::int64_t stats_version = 1;
  IndexState index_safety_state = IndexState::kDisabled;
  IndexReason index_uncertain_reason = IndexReason::kNone;
  bool index_exclusion_used = false;
  std::optional<IndexStorage> storage_mode;  // "none" in JSON: there is no index
  std::optional<StorageFallback> storage_fallback_reason;
  bool fallback_used = false;
  std::optional<FallbackReason> fallback_reason;
  std::vector<std::int64_t> fuzzy_levels_tried;
  std::chrono::milliseconds elapsed{};
  std::uint64_t candidates_total = 0;
  std::uint64_t candidates_excluded = 0;
  std::uint64_t candidates_scanned = 0;
  // Additions (F25); absent where they do not apply.
  std::optional<BypassReason> index_bypass_reason;
  std::optional<MaintenanceAction> maintenance_action;
  std::optional<FallbackSkip> fallback_skip_reason;
  std::optional<std::int64_t> fallback_passes_skipped;
  std::optional<IndexPhase> build_phase;
  std::optional<std::uint64_t> build_files_total;
  std::optional<std::uint64_t> build_files_done;
  std::optional<std::chrono::milliseconds> build_elapsed;
  // What the notes count (R7).
  std::uint64_t files_too_large = 0;
  std::uint64_t files_binary = 0;  // with a match
  std::uint64_t files_capped = 0;  // by max_matches_per_file
  std::uint64_t paths_denied = 0;
};

// What lies in the tree but was not searched. Not a field of the tool's JSON,
// which has the notes.
struct LeftOut {
  std::uint64_t too_large = 0;  // files
  std::uint64_t binary = 0;     // files with a match and a NUL
  std::uint64_t capped = 0;     // files with more matches than were taken
  std::uint64_t denied = 0;     // files or folders
  bool more_files = false;      // than max_files
  // The first few of them, in order.
  std::vector<std::string> too_large_paths = {};
  std::vector<std::string> binary_paths = {};
  std::vector<std::string> capped_paths = {};
  std::vector<std::string> denied_paths = {};
};

// A change of the request, after a search that found nothing. Hints are found in
// a bounded time, so they are no part of the answer: a busy machine may find
// fewer. What one says is true.
struct Hint {
  enum class Change {
    kOneEdit,     // fuzzy = 1
    kNearly,      // fuzzy = 1 and case_mode = kInsensitive
    kAnyCase,     // case_mode = kInsensitive
    kSpelling,    // the words joined in another way (a_b, aB), or two letters exchanged
    kPlainText,   // fixed_strings = true
    kExpression,  // fixed_strings = false
    kPartOfWord,  // word_regexp = false
    kAnyPath,     // without path
    kAnyGlob,     // without include and exclude globs
    kAnyType,     // without type globs
    kBelow,       // recursive = true
    kHidden,      // hidden = true
    kNoIgnore,    // no_ignore = true
  };
  Change change = Change::kOneEdit;
  // Where it would have matched.
  std::string path = {};
  std::uint64_t line_number = 0;
  std::string match_text = {};
  // Not 0: it is not known whether the change would have matched, because there
  // was no time to look at so many files and folders, of which `path` is the
  // first. Then there is no line.
  std::uint64_t untried = 0;

  friend bool operator==(const Hint&, const Hint&) = default;
};

struct SearchResponse {
  SearchEnd end = SearchEnd::kNotSearched;  // not a field of the tool's JSON
  std::string pattern;
  std::string path;            // absolute, canonical
  std::vector<Event> matches;  // none without SearchOptions::keep_events
  bool truncated = false;
  bool timed_out = false;
  std::uint64_t files_scanned = 0;
  std::uint64_t bytes_searched = 0;  // not a field of the tool's JSON; files that the index left out have none
  std::vector<FileError> errors;
  LeftOut left_out;
  // Only after a failure (IsFailure). A backend that was not started has the code
  // that a shell gives, 126 or 127; without a process there is no code.
  std::optional<int> exit_code;
  std::optional<std::string> stderr_text;  // what the backend said, or we say for it
  // What was left out and why, one sentence each; `content` ends with them. Not
  // a field of the tool's JSON.
  std::vector<std::string> notes;
  std::vector<Hint> hints;           // with SearchOptions::hints; not a field of the tool's JSON
  std::string fallback_note;         // the note of a fuzzy fallback, which is also one of `notes`
  std::string content;               // the same for a human reader; likewise
  std::optional<SearchStats> stats;  // with emit_stats
};

// What one answer may cost. The names are those of the configuration, where they
// are explained (default_timeout_ms and default_max_results are the first two).
struct AnswerLimits {
  std::chrono::milliseconds timeout{};
  std::int64_t max_results = 0;
  std::int64_t max_matches_per_file = 0;
  std::int64_t max_files = 0;
  std::int64_t max_file_size_bytes = 0;

  friend bool operator==(const AnswerLimits&, const AnswerLimits&) = default;
};

// How to run one search.
struct SearchOptions {
  CancelToken cancel = {};
  // Called in the order of the answer, as soon as an event is certain to be
  // part of it, on the thread that called Search. The response holds the event
  // as well.
  std::function<void(const Event&)> on_event = {};
  // Called for each file that has a match, after its events. With on_any_file
  // for every file that was searched; the index then leaves out none.
  std::function<void(const FileReport&)> on_file = {};
  bool on_any_file = false;
  // What the answer calls the file or folder that is searched; "": paths in the
  // folder start at it. Absent: relative to the working folder, else absolute.
  std::optional<std::string> show_as = {};
  // Called after each event and file: true ends the search there. The response then
  // holds what was found so far, and is `truncated`. For callers that count in
  // something other than lines.
  std::function<bool()> enough = {};
  // Called after each file, on the same thread.
  ProgressSink on_progress = {};
  // False for a search that a user did not ask for, such as one for hints. Keys
  // that count searches (index_auto_reeval_calls) do not count it.
  bool counted = true;
  // True: a search that finds nothing also looks for what would have matched. Adds
  // a tenth of a second at most.
  bool hints = false;
  // False: the response holds neither `matches` nor `content`, so an answer of
  // any size needs little memory. For callers with on_event.
  bool keep_events = true;
  // Instead of those in the engine's configuration. For one engine that serves
  // people, who want everything, and agents, who cannot read so much.
  std::optional<AnswerLimits> limits = {};
};

}  // namespace forge
