// The eligible files of one request, numbered, each with what stood before it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "backend/backend.h"
#include "search/eligible_stream.h"
#include "search/request.h"

namespace forge {

// Numbers files from 1, and stops at max_files (D6: after the globs, before the
// size check). A file that the index excludes has a number but is not handed
// out, so that everything that depends on numbers is the same with and without
// an index. One thread at a time uses it.
class EligibleFiles final : public FileSource {
 public:
  // A folder.
  EligibleFiles(std::unique_ptr<EligibleStream> stream, std::uint64_t max_files);
  // A single file, or none if the globs leave it out.
  explicit EligibleFiles(std::optional<std::string> file);

  bool Next(FileItem& item) override;

  // What stood after the last file. For the end of a run, when no other thread
  // uses this any more.
  Asides TakeRest() { return std::exchange(asides_, {}); }

  std::uint64_t count() const { return count_; }        // files so far
  std::uint64_t excluded() const { return excluded_; }  // files of count() that were not handed out
  bool cut() const { return cut_; }                     // there are more than max_files
  bool timed_out() const { return stream_ && stream_->timed_out(); }

 private:
  bool NextFromStream(FileItem& item);
  bool Skip(std::uint64_t files);
  void AddAside(WalkEntry& entry);

  std::unique_ptr<EligibleStream> stream_;
  EligibleEntry next_;
  std::optional<std::string> file_;
  std::uint64_t max_files_ = 1;
  std::uint64_t count_ = 0;
  std::uint64_t excluded_ = 0;
  bool cut_ = false;
  Asides asides_;  // since the last file
};

}  // namespace forge
