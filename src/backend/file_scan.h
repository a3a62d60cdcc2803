// One file, read and matched in-process.
//
// Every byte of an answer is read here, through SearchRoot; an external
// searcher only says where to look. So its own rules for columns, encodings and
// binary files do not matter, nor which file it was tricked into opening.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "backend/backend.h"

namespace forge {

// Reuses its buffers; each thread has its own.
class FileScanner {
 public:
  // Looks through a large file portion by portion before it reads it
  // whole. The size of a portion changes no answer.
  static constexpr std::size_t kPortion = 64 * 1024;

  FileScanner(const Query& query, const SearchRoot& root, const Deadline& deadline, std::size_t portion = kPortion);

  // With other rules for what matches than the query's pattern.
  FileScanner(const Query& query, std::unique_ptr<LineMatcher> matcher, const Prefilter& prefilter,
              const SearchRoot& root, const Deadline& deadline, std::size_t portion = kPortion);

  // Tries every line. If there is not enough memory for a file, that is an
  // error of that file, here and below.
  FileOutcome ScanAll(const FileItem& item);

  // Tries the lines that the searcher saw while the file was in the state
  // `seen_in`. Nothing if the file has changed since: then those lines mean
  // nothing.
  std::optional<FileOutcome> ScanSeen(const FileItem& item, std::span<const SeenLine> seen,
                                      const os::FileInfo& seen_in);

  // True once the deadline has cut a scan short; its outcome is then void.
  bool interrupted() const { return interrupted_; }

 private:
  FileOutcome TryAll(const FileItem& item);
  std::optional<FileOutcome> TrySeen(const FileItem& item, std::span<const SeenLine> seen, const os::FileInfo& seen_in);
  FileOutcome OutOfMemory(const FileItem& item);
  ScanResult ScanBytes(std::string_view bytes);
  ScanResult ScanRaw() { return ScanBytes(raw_.view()); }
  // Tries lines in these parts only; everywhere if there are none.
  ScanResult ScanInside(std::string_view bytes, const std::vector<TextPart>& parts, const ScanLimits& limits);
  ScanResult ScanRawOf(const FileItem& item, const os::Fd& fd);
  bool IsTranscoded(std::string_view text) const;

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
  // Whether a short read of the file opened last means its end.
  bool EndIsKnown(const os::Fd& fd) const;
  // The same for a file whose first portion is in raw_ and that has more.
  bool ScanLarge(const FileItem& item, const os::Fd& fd, std::int64_t began, FileOutcome& outcome);
  // Whether any line of a large file matches, tried portion by portion. Most files
  // end here; and a portion stays in the processor's cache, where a whole file
  // would not.
  bool MayMatch(const os::Fd& fd);
  bool AnyLine(std::string_view text);

  // Opens and reads a regular file of allowed size into raw_. Otherwise false,
  // and the outcome says why.
  bool ReadWhole(const FileItem& item, FileOutcome& outcome, os::Fd& fd, os::FileInfo& info);
  bool TakeSize(const os::OsResult<std::size_t>& size, FileOutcome& outcome);
  void Keep(const ScanResult& result, FileOutcome& outcome);

  const Query& query_;
  FileOpener opener_;
  const Deadline& deadline_;
  std::unique_ptr<LineMatcher> matcher_;
  const Prefilter& prefilter_;
  const std::size_t portion_size_;
  os::Buffer raw_;
  os::AlignedBytes portion_;
  std::string decoded_;
  bool interrupted_ = false;
};

}  // namespace forge
