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
  FileScanner(const Query& query, const SearchRoot& root, const Deadline& deadline);

  // With another idea of what matches than the query's pattern.
  FileScanner(const Query& query, std::unique_ptr<LineMatcher> matcher, const Prefilter& prefilter,
              const SearchRoot& root, const Deadline& deadline);

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
  enum class Read { kText, kNothing };

  FileOutcome TryAll(const FileItem& item);
  std::optional<FileOutcome> TrySeen(const FileItem& item, std::span<const SeenLine> seen, const os::FileInfo& seen_in);
  FileOutcome OutOfMemory(const FileItem& item);

  // Most files are small and match nothing: opened, read and closed, and nothing
  // else. False if this one needs more care.
  bool ScanSmall(const FileItem& item, FileOutcome& outcome);

  // Opens and reads a regular file of admissible size into raw_. Anything else
  // is noted in the outcome. With `look_first`, a large file in which nothing
  // can match is not read.
  Read Open(const FileItem& item, bool look_first, FileOutcome& outcome, os::Fd& fd, os::FileInfo& info);
  // Whether any line of a large file matches, tried block by block. Most
  // files end here, and a block stays in the cache where a file would not.
  bool MayMatch(const os::Fd& fd);
  bool AnyLine(std::string_view text);
  void Keep(const ScanResult& result, FileOutcome& outcome);

  const Query& query_;
  FileOpener opener_;
  const Deadline& deadline_;
  std::unique_ptr<LineMatcher> matcher_;
  const Prefilter& prefilter_;
  os::Buffer raw_;
  os::AlignedBytes block_;
  std::string decoded_;
  bool interrupted_ = false;
};

}  // namespace forge
