#include "backend/native.h"

#include <algorithm>
#include <memory>
#include <new>
#include <span>
#include <thread>
#include <utility>
#include <vector>

#include "backend/file_scan.h"
#include "backend/ordered_work.h"
#include "base/strings.h"
#include "match/fuzzy.h"

namespace forge {
namespace {

unsigned DefaultThreads() { return std::clamp(std::thread::hardware_concurrency(), 1U, 16U); }

std::size_t BeginOf(const FileItem& item) { return item.parts.empty() ? 0 : item.parts.front().begin; }

// Each thread scans with its own buffers; the pattern is shared.
class Scanners {
 public:
  Scanners(const Query& query, const SearchRoot& root, const Deadline& deadline, unsigned threads)
      : query_(query), root_(root), deadline_(deadline), scanners_(threads) {
    if (!query.fuzzy) return;
    fuzzy_.emplace(query.text, *query.fuzzy, query.pattern.ignores_case(), query.word_regexp);
    fuzzy_filter_ = fuzzy_->MakePrefilter();
  }

  void Prepare(std::span<const FileItem> items) const {
    if (query_.texts != nullptr) query_.texts->Expect(items, &FileItem::vouched, BeginOf);
  }

  bool Work(unsigned worker, const FileItem& item, FileOutcome& outcome) {
    FileScanner& scanner = Of(worker);
    outcome = scanner.ScanAll(item, std::move(outcome.events));
    return !scanner.interrupted() && !deadline_.over();
  }

  // For the calling thread, which is worker 0.
  bool Stream(const FileItem& item, FileOutcome& outcome, const TakeEvent& take) {
    FileScanner& scanner = Of(0);
    outcome = scanner.Stream(item, take);
    return !scanner.interrupted();
  }

 private:
  FileScanner& Of(unsigned worker) {
    std::unique_ptr<FileScanner>& scanner = scanners_[worker];
    if (!scanner) scanner = Make();
    return *scanner;
  }

  std::unique_ptr<FileScanner> Make() const {
    if (!fuzzy_) return std::make_unique<FileScanner>(query_, root_, deadline_);
    return std::make_unique<FileScanner>(query_, std::make_unique<FuzzyMatcher>(*fuzzy_, deadline_), fuzzy_filter_,
                                         root_, deadline_);
  }

  const Query& query_;
  const SearchRoot& root_;
  const Deadline& deadline_;
  std::optional<FuzzyPattern> fuzzy_;
  Prefilter fuzzy_filter_;
  std::vector<std::unique_ptr<FileScanner>> scanners_;
};

}  // namespace

NativeBackend::NativeBackend(unsigned threads)
    : threads_(threads == 0 ? DefaultThreads() : threads), helpers_(threads_ - 1) {}

Status NativeBackend::Check(const Query& query) const {
  if (!query.fuzzy || query.fixed_strings) return {};
  if (IsPlainText(query.text)) return {};
  return BadArgs("fuzzy: works with plain text, not with a regular expression; set fixed_strings, or leave fuzzy out");
}

RunReport NativeBackend::Run(const Query& query, const SearchRoot& root, FileSource& source, OutcomeSink& sink,
                             const Deadline& deadline) const {
  try {
    Scanners scanners(query, root, deadline, threads_);
    OrderedWork work(
        helpers_, source, sink,
        [&](unsigned worker, const FileItem& item, FileOutcome& outcome) {
          return scanners.Work(worker, item, outcome);
        },
        [&](const FileItem& item, FileOutcome& outcome, const TakeEvent& take) {
          return scanners.Stream(item, outcome, take);
        },
        [&](std::span<const FileItem> items) { scanners.Prepare(items); });
    const OrderedWork::End end = work.Run();
    if (deadline.cancelled()) return RunReport(SearchEnd::kCancelled);
    switch (end) {
      case OrderedWork::End::kComplete: return RunReport(SearchEnd::kComplete);
      case OrderedWork::End::kEnough: return RunReport(SearchEnd::kStopped);
      case OrderedWork::End::kInterrupted: return RunReport(SearchEnd::kTimedOut);
      case OrderedWork::End::kOutOfMemory: break;
    }
  } catch (const std::bad_alloc&) {
    // The code below reports it.
  }
  return RunReport(SearchEnd::kOutOfMemory, "the search ran out of memory");
}

}  // namespace forge
