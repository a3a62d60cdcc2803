// One file, read and matched in-process.
//
// Every byte that becomes part of an answer is read here, through SearchRoot;
// an external searcher only says where to look. So neither its idea of columns,
// encodings and binary files matters, nor what it was tricked into opening.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>

#include "backend/backend.h"

namespace forge {

// Reuses its buffers; one for each thread.
class FileScanner {
 public:
  // Files over a block are looked through block by block before they are read
  // whole; how large one is changes no answer.
  static constexpr std::size_t kBlock = 64 * 1024;

  FileScanner(const Query& query, const SearchRoot& root, const Deadline& deadline, std::size_t block = kBlock);

  // With another idea of what matches than the query's pattern.
  FileScanner(const Query& query, std::unique_ptr<LineMatcher> matcher, const Prefilter& prefilter,
              const SearchRoot& root, const Deadline& deadline, std::size_t block = kBlock);

  // Tries every line. A file for which there is not enough memory is an error of
  // its own, here and below.
  FileOutcome ScanAll(const FileItem& item);

  // Tries the lines that were seen while the file was in the state `seen_in`.
  // Nothing if it has changed since: then what was seen means nothing.
  std::optional<FileOutcome> ScanSeen(const FileItem& item, std::span<const SeenLine> seen,
                                      const os::FileInfo& seen_in);

  // True once a scan was cut short by the deadline; its outcome is then void.
  bool interrupted() const { return interrupted_; }

 private:
  FileOutcome TryAll(const FileItem& item);
  std::optional<FileOutcome> TrySeen(const FileItem& item, std::span<const SeenLine> seen, const os::FileInfo& seen_in);
  FileOutcome OutOfMemory(const FileItem& item);
  ScanResult ScanRaw();

  // Most files match nothing: they are opened, read once and closed, and nothing
  // else. False if this one needs more care, because it may be changing or its
  // file system gives files in portions.
  bool ScanAtRest(const FileItem& item, FileOutcome& outcome);
  // Whether a short read of the file, opened last, means its end.
  bool EndIsKnown(const os::Fd& fd) const;
  // The same for one whose first block is in raw_, and which has more.
  bool ScanLarge(const os::Fd& fd, std::int64_t began, bool likely, FileOutcome& outcome);
  // Whether any line of a large file matches, tried block by block. Most
  // files end here, and a block stays in the cache where a file would not.
  bool MayMatch(const os::Fd& fd);
  bool AnyLine(std::string_view text);

  // Opens and reads a regular file of admissible size into raw_. Anything else
  // is noted in the outcome, and false.
  bool ReadWhole(const FileItem& item, FileOutcome& outcome, os::Fd& fd, os::FileInfo& info);
  bool TakeSize(const os::OsResult<std::size_t>& size, FileOutcome& outcome);
  void Keep(const ScanResult& result, FileOutcome& outcome);

  const Query& query_;
  FileOpener opener_;
  const Deadline& deadline_;
  std::unique_ptr<LineMatcher> matcher_;
  const Prefilter& prefilter_;
  const std::size_t block_size_;
  os::Buffer raw_;
  os::AlignedBytes block_;
  std::string decoded_;
  bool interrupted_ = false;
};

}  // namespace forge
