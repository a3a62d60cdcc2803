#include "backend/native.h"

#include <utility>

#include "backend/file_scan.h"

namespace forge {

RunReport NativeBackend::Run(const Query& query, const SearchRoot& root, FileSource& source, OutcomeSink& sink,
                             const Deadline& deadline) const {
  FileScanner scanner(query, root, deadline);
  FileItem item;
  while (source.Next(item)) {
    FileOutcome outcome = scanner.ScanAll(item);
    if (scanner.interrupted() || deadline.over()) break;
    if (!sink.Take(std::move(outcome))) return {RunReport::End::kStopped, {}, {}, {}};
  }
  if (!deadline.over()) return {};
  return {deadline.cancelled() ? RunReport::End::kCancelled : RunReport::End::kTimedOut, {}, {}, {}};
}

}  // namespace forge
