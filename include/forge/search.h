// The Search tool as types: one request, one response.
//
// Every field of the request is a field of the tool's JSON schema (FR-LS-02a),
// with its default. An absent optional takes the configured value.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "forge/cancel.h"
#include "forge/progress.h"

namespace forge {

enum class CaseMode { kSmart, kSensitive, kInsensitive };

struct SearchRequest {
  std::string pattern;
  std::string path;  // empty: the working folder
  CaseMode case_mode = CaseMode::kSmart;
  bool fixed_strings = false;
  bool word_regexp = false;
  std::vector<std::string> include_glob;
  std::vector<std::string> exclude_glob;
  bool recursive = true;
  bool hidden = false;
  bool follow = false;
  bool no_ignore = false;
  std::int64_t context = 0;
  std::optional<std::int64_t> max_results;
  std::optional<std::int64_t> max_matches_per_file;
  std::optional<std::int64_t> max_files;
  std::optional<std::int64_t> max_file_size_bytes;
  std::optional<std::int64_t> timeout_ms;
  std::optional<std::int64_t> fuzzy;  // 1 to 4
};

// One line of the answer. A match has a column and a text; a context line is a
// line near a match that does not match itself.
struct Event {
  enum class Type { kMatch, kContext };

  Type type = Type::kMatch;
  std::string path;               // relative to the working folder if inside it
  std::uint64_t line_number = 0;  // 1-based
  std::uint64_t column = 0;       // 1-based, in bytes of the file; 0 for context
  std::string line;               // without its line ending; UTF-8, lossy
  std::string match_text;         // leftmost match; empty for context
};

struct FileError {
  std::string path;
  std::string error;
};

struct SearchResponse {
  std::string pattern;
  std::string path;  // absolute, canonical
  std::vector<Event> matches;
  bool truncated = false;
  bool timed_out = false;
  std::uint64_t files_scanned = 0;
  std::vector<FileError> errors;
  std::optional<int> exit_code;            // only after a backend error
  std::optional<std::string> stderr_text;  // likewise
  // What was left out and why, one sentence each; `content` ends with them. Not
  // a field of the tool's JSON.
  std::vector<std::string> notes;
  std::string content;  // the same for a human reader
};

// How to run one search.
struct SearchOptions {
  CancelToken cancel;
  // Called in the order of the answer, as soon as an event is certain to be
  // part of it, on the thread that called Search. The response holds the event
  // as well.
  std::function<void(const Event&)> on_event;
  // Called after each file, on the same thread.
  ProgressSink on_progress = {};
};

}  // namespace forge
