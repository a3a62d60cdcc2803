// What differs between external searchers: how to call one, how to read its
// output and its complaints, which versions to refuse.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "backend/backend.h"

namespace forge {

struct Version {
  int major = 0;
  int minor = 0;
  int patch = 0;
  friend auto operator<=>(const Version&, const Version&) = default;
};
std::string ToString(const Version& version);

// One place where the searcher saw something.
struct SeenRecord {
  std::string_view path;
  SeenLine line;
};

// Cuts a stream of output into records. Never holds more than one incomplete
// record. If something is not a record, the parsing ends for good.
class RecordParser {
 public:
  virtual ~RecordParser() = default;

  // Takes the next piece and calls `use` for each record that it completes.
  // False if the output is not what this searcher prints.
  bool Feed(std::string_view piece, const std::function<bool(const SeenRecord&)>& use);

  // Whether the stream ended between two records.
  bool AtEnd() const { return pending_.empty(); }

 protected:
  enum class Cut { kRecord, kNeedMore, kGarbage };
  // Reads one record from the front of `text`; `used` is its size.
  virtual Cut CutRecord(std::string_view text, SeenRecord& record, std::size_t& used) = 0;

 private:
  std::string pending_;
};

// What `--version` reported.
struct Searcher {
  std::string name;  // "ugrep"
  Version version;
  bool has_pcre2 = false;
  std::vector<std::string> capabilities;
  std::string problem;  // why it cannot be used; empty if it can
};

class SearcherKind {
 public:
  virtual ~SearcherKind() = default;
  virtual const char* name() const = 0;

  // Nothing if this is not the output of this searcher.
  virtual std::optional<Searcher> Identify(std::string_view version_output) const = 0;

  virtual bool supports_fuzzy() const = 0;
  virtual Status Check(const Searcher& searcher, const Query& query) const = 0;

  // The arguments up to and including "--"; files follow. `careful` selects the
  // slower way, for a second run after the searcher died.
  virtual std::vector<std::string> Arguments(const Query& query, bool careful) const = 0;
  virtual std::unique_ptr<RecordParser> MakeParser() const = 0;

  // The part of a line on standard error that starts with the path of a file,
  // or "" if the line is not about a file.
  virtual std::string_view ComplaintAbout(std::string_view line) const = 0;
};

const SearcherKind& Ugrep();
const SearcherKind& Ripgrep();

// How many lines of a file the searcher need report: one more than an answer may
// show. Nothing if it has to report all.
std::optional<std::uint64_t> MostSeen(const Query& query);

// "ugrep 3.11.2 x86_64 ..." -> 3.11.2, if the text starts with `name`.
std::optional<Version> ParseVersion(std::string_view text, std::string_view name);

}  // namespace forge
