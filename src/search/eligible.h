// The eligible files of one request, numbered, and what stood between them.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>

#include "backend/backend.h"
#include "search/eligible_stream.h"
#include "search/request.h"

namespace forge {

// Something that is not searched, at its place in the order.
struct Aside {
  std::uint64_t after = 0;  // how many files of E come before it
  bool denied = false;      // else: an error
  std::string path;         // relative to the search root
  std::string error;
};

// Numbers files from 1, and stops at max_files (D6: after the globs, before the
// size is looked at). Files that the index excludes have a number and are not
// handed out, so that everything that depends on numbers is the same with and
// without an index. Used by one thread at a time.
class EligibleFiles final : public FileSource {
 public:
  // A folder.
  EligibleFiles(std::unique_ptr<EligibleStream> stream, std::uint64_t max_files);
  // A single file, or none if the globs leave it out.
  explicit EligibleFiles(std::optional<std::string> file);

  bool Next(FileItem& item) override;

  // The next aside that comes before file number `before`, if any.
  std::optional<Aside> TakeAside(std::uint64_t before);

  std::uint64_t count() const { return count_; }        // files so far
  std::uint64_t excluded() const { return excluded_; }  // of those, not handed out
  bool cut() const { return cut_; }                     // there are more than max_files
  bool timed_out() const { return stream_ && stream_->timed_out(); }

 private:
  bool NextFromStream(FileItem& item);
  bool Skip(std::uint64_t files);

  std::unique_ptr<EligibleStream> stream_;
  std::optional<std::string> file_;
  std::uint64_t max_files_ = 1;
  std::uint64_t count_ = 0;
  std::uint64_t excluded_ = 0;
  bool cut_ = false;
  std::deque<Aside> asides_;
};

// Whether the globs of a request let a single file through (B12).
bool PassesGlobs(const CheckedRequest& request, const std::string& name);

}  // namespace forge
