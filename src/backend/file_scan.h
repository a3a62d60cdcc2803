// One file, read and matched in-process.
//
// Every byte of an answer is read here, through SearchRoot; an external
// searcher only says where to look. So its own rules for columns, encodings and
// binary files do not matter, nor which file it was tricked into opening.
//
// Memory is bounded. A file is read whole only up to some size; of a larger one,
// and of one with very many events, the events are streamed. That takes two
// passes: a file with a NUL has no events, and only its end shows that there is
// none. The streamed events are out before the end shows whether the file was
// changed meanwhile; then the outcome says so.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "backend/backend.h"

namespace forge {

// What a scanner holds at once. None of it changes an answer, but for the last one:
// that may change whether a binary file with such a line counts as matching.
struct ScanBounds {
  std::size_t portion = 64 * 1024;               // of a large file, which we look through before we read it whole
  std::uint64_t file = 32 * 1024 * 1024;         // bytes of a file that is read whole
  std::uint64_t events = 32 * 1024;              // of one outcome
  std::uint64_t text = 16 * 1024 * 1024;         // bytes of those events
  std::size_t piece = 256 * 1024;                // of a file that is streamed
  std::uint64_t binary_line = 32 * 1024 * 1024;  // bytes; a longer line of a binary file is taken as several
};

// Gets an event without its path. False: enough.
using TakeEvent = std::function<bool(Event&&)>;

// Reuses its buffers; each thread has its own. Outcomes have no path: the caller has it.
class FileScanner {
 public:
  FileScanner(const Query& query, const SearchRoot& root, const Deadline& deadline, const ScanBounds& bounds = {});

  // With other rules for what matches than the query's pattern.
  FileScanner(const Query& query, std::unique_ptr<LineMatcher> matcher, const Prefilter& prefilter,
              const SearchRoot& root, const Deadline& deadline, const ScanBounds& bounds = {});

  // Tries every line; the outcome may be deferred. If there is not enough memory
  // for a file, that is an error of that file, here and below. The outcome uses the
  // memory of `spent`, the events of an earlier one.
  FileOutcome ScanAll(const FileItem& item, std::vector<Event> spent = {});

  // The outcome of a file that was deferred, after its events. Void if `take` had
  // enough.
  FileOutcome Stream(const FileItem& item, const TakeEvent& take);

  // Tries the lines that the searcher saw while the file was in the state
  // `seen_in`. Nothing if the file has changed since: then those lines mean
  // nothing.
  std::optional<FileOutcome> ScanSeen(const FileItem& item, std::span<const SeenLine> seen,
                                      const os::FileInfo& seen_in);

  // True once the deadline has cut a scan short; its outcome is then void.
  bool interrupted() const { return interrupted_; }

 private:
  FileOutcome TryAll(const FileItem& item, std::vector<Event> spent);
  FileOutcome TryStream(const FileItem& item, const TakeEvent& take);
  std::optional<FileOutcome> TrySeen(const FileItem& item, std::span<const SeenLine> seen, const os::FileInfo& seen_in);
  FileOutcome OutOfMemory(const FileItem& item);
  ScanResult ScanBytes(std::string_view bytes);
  ScanResult ScanWhole(std::string_view text, const ScanLimits& limits);
  ScanResult ScanRaw() { return ScanBytes(raw_.view()); }
  // Tries lines in these parts only; everywhere if there are none.
  ScanResult ScanInside(std::string_view bytes, const std::vector<TextPart>& parts, const ScanLimits& limits);
  // Whether raw_ is the content that the parts of the file belong to.
  bool PartsHold(const FileItem& item, const os::Fd& fd) const;
  bool IsTranscoded(std::string_view text) const;
  // What a scan in memory need find: one event too many says that we cannot hold
  // them.
  ScanLimits Held(ScanLimits limits) const;

  // The text of a file that the index vouches for, if it is in memory; see
  // backend/text_cache.h for the proof. False if it is not.
  bool ScanKept(const FileItem& item, FileOutcome& outcome);
  bool WantsToKeep(const FileItem& item) const;
  // Puts raw_ there, the whole content of the file.
  void KeepText(const FileItem& item, const os::Fd& fd);

  // Most files match nothing: for those we only open, read once and close.
  // False if this file needs more care, because it may be changing or its file
  // system returns files in portions.
  bool ScanAtRest(const FileItem& item, FileOutcome& outcome);
  // A large file of which the index knows the parts that may match: reads only
  // these. False if the file needs to be read whole, or is not in the state that the
  // parts belong to.
  bool ScanPartsOnly(const FileItem& item, const os::Fd& fd, FileOutcome& outcome);
  // Whether a short read of the file opened last means its end.
  bool EndIsKnown(const os::Fd& fd) const;
  // The same for a file whose first portion is in raw_ and that has more.
  bool ScanLarge(const FileItem& item, const os::Fd& fd, std::int64_t began, FileOutcome& outcome);
  // Whether any line of a large file matches, tried portion by portion. Most files
  // end here; and a portion stays in the processor's cache, where a whole file
  // would not.
  bool MayMatch(const os::Fd& fd);
  bool AnyLine(std::string_view text);

  // A file that is too large to be held.
  FileOutcome ScanHuge(const FileItem& item);
  // Its text, piece by piece, until `use` returns false. False if the whole text
  // was not read; the outcome says why, or the deadline has passed.
  bool ReadPieces(const os::Fd& fd, const os::FileInfo& info, const std::function<bool(std::string_view)>& use,
                  FileOutcome& outcome);
  void StreamOpened(const os::Fd& fd, const os::FileInfo& info, const TakeEvent& take, FileOutcome& outcome);

  // Opens a regular file of allowed size, and reads it into raw_. Otherwise false,
  // and the outcome says why.
  bool OpenRegular(const FileItem& item, FileOutcome& outcome, os::Fd& fd, os::FileInfo& info);
  bool ReadWhole(const os::Fd& fd, const os::FileInfo& info, FileOutcome& outcome);
  bool TakeSize(const os::OsResult<std::size_t>& size, FileOutcome& outcome);
  // The memory of the last scan's events, for the next one.
  std::vector<LineEvent> TakeLines() {
    lines_.clear();
    return std::move(lines_);
  }
  void Keep(ScanResult result, FileOutcome& outcome);
  void KeepCounts(const ScanResult& result, FileOutcome& outcome);
  // The outcome is deferred if they take more bytes than this.
  void KeepEvents(const ScanResult& result, std::uint64_t most_bytes, FileOutcome& outcome);

  const Query& query_;
  FileOpener opener_;
  const Deadline& deadline_;
  std::unique_ptr<LineMatcher> matcher_;
  const Prefilter& prefilter_;
  const ScanBounds bounds_;
  os::Buffer raw_;
  os::AlignedBytes portion_;
  std::string decoded_;
  std::vector<LineEvent> lines_;
  TextRoom room_;
  std::vector<TextPart> inside_;
  bool interrupted_ = false;
};

}  // namespace forge
