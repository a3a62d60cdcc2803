// The interface of all searchers of files: ripgrep, ugrep and our own.
//
//   FileSource  ──►  Backend  ──►  OutcomeSink
//   files of E       reads and      what each file
//   in order         matches        contributed, in order
//
// A backend pulls files, decides for itself how many at a time, and reports
// every file exactly once, in the order pulled, with the file's asides. It stops
// when the sink has enough, at the deadline, or on cancellation; what it has
// reported until then is a prefix of what it would have reported (D5).
//
// The outcome of most files holds their events. Where it would hold too much, the
// sink gets the events one by one, when it is the file's turn, and the outcome
// after them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "backend/event.h"
#include "backend/line_finder.h"
#include "backend/text_cache.h"
#include "base/deadline.h"
#include "base/size_limit.h"
#include "forge/engine.h"
#include "forge/search.h"
#include "match/prefilter.h"
#include "match/scan.h"
#include "pattern/pattern.h"
#include "scope/search_root.h"

namespace forge {

// One request, ready to run. Shared by threads, never changed.
struct Query {
  const Pattern& pattern;
  const Prefilter& prefilter;  // for the pattern
  std::optional<int> fuzzy;    // level; then the backend's own metric decides
  std::string text;            // the pattern as given
  bool fixed_strings = false;
  bool word_regexp = false;
  ScanLimits limits;
  SizeLimit size_limit;
  LineFinder finder = FinderFor(pattern);  // for external searchers
  EventDetail detail = {};
  TextCache* texts = nullptr;  // where files that the index vouches for may be; null: nowhere
  TextCache::Turn turn = 0;
};

// Entries between two files that are not searched. They travel with the file
// that follows them, from the source to the sink: the sink never asks the
// source, because other threads use the source at the same time.
struct Asides {
  struct Failure {
    std::string path;  // relative to the search root
    std::string error;
  };
  static constexpr std::size_t kMostNamed = 3;
  std::uint64_t denied = 0;                    // entries that a deny pattern matches
  std::vector<std::string> denied_paths = {};  // the first of them, relative to the search root
  std::vector<Failure> failures = {};
};

// What one file contributed.
struct FileOutcome {
  std::uint64_t position = 0;  // as numbered by the source
  std::string path;            // relative to the search root
  std::vector<Event> events;   // without their path, because the sink knows it
  std::string error;           // empty if there was none
  bool too_large = false;      // skipped for its size
  bool binary = false;         // matches, but contains a NUL
  bool capped = false;         // has more matches than were reported
  bool deferred = false;       // too much to hold: not yet an outcome, FileScanner::Stream makes it
  std::uint64_t matched_lines = 0;
  std::uint64_t matches = 0;  // in those lines
  std::uint64_t bytes = 0;    // of the file, as far as it was searched
  Asides asides = {};         // of its FileItem
};

struct FileItem {
  std::uint64_t position = 0;
  std::string path;    // relative to the search root
  bool alone = false;  // files before it were left out; the files near it may be left out, too
  Asides asides = {};  // between this file and the one before it
  // The state that the file is in, if the index vouches for it in this request
  // (R1); else null. It lives as long as the source.
  const os::FileInfo* vouched = nullptr;
  // Of that state: the parts where a line may match, if not all of it.
  std::vector<TextPart> parts = {};
};

class FileSource {
 public:
  virtual ~FileSource() = default;
  virtual bool Next(FileItem& item) = 0;
};

class OutcomeSink {
 public:
  virtual ~OutcomeSink() = default;
  // False: enough. What it leaves of the outcome is freed by the caller, which knows the
  // thread that made it.
  virtual bool Take(FileOutcome&& outcome) = 0;
  // An event of a file whose outcome follows, and does not hold it.
  virtual bool TakeEvent(const FileItem& file, Event&& event) = 0;
};

// How a run ended (FR-LSI-EXIT-01). The sink knows whether there were matches.
// There is no default: a backend has to say it.
struct RunReport {
  explicit RunReport(SearchEnd how, std::string why = {}) : end(how), message(std::move(why)) {}

  SearchEnd end;  // kStopped: the sink had enough
  // A failure only:
  std::string message;
  std::optional<int> exit_code;
  std::string stderr_text;
};

// Of a file that something else has replaced since the walk.
inline constexpr const char* kNotRegular = "is no longer a regular file";

class Backend {
 public:
  virtual ~Backend() = default;
  virtual bool supports_fuzzy() const = 0;
  // Whether match/fuzzy.h decides what is near enough. The index excludes files
  // from a fuzzy search only then: its plans are proved for that metric alone.
  virtual bool uses_our_fuzzy_metric() const = 0;
  virtual const std::string& id() const = 0;  // "ugrep@3.11.2"

  // If this backend cannot run the query, the reason: for example, a build
  // without PCRE2. Better no answer than a short one (R2).
  virtual Status Check(const Query& query) const = 0;

  // Thread-safe.
  virtual RunReport Run(const Query& query, const SearchRoot& root, FileSource& source, OutcomeSink& sink,
                        const Deadline& deadline) const = 0;
};

}  // namespace forge
