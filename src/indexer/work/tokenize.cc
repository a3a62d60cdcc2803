#include "indexer/work/tokenize.h"

#include <algorithm>
#include <span>
#include <system_error>
#include <thread>
#include <utility>

#include "base/mutex.h"
#include "match/text.h"
#include "os/priority.h"

namespace forge::indexer {

using index::CatalogRow;
using index::TokenStatus;

namespace {

constexpr std::uint64_t kRangeBytes = 224 << 20;
constexpr std::uint64_t kBytesBetweenRests = 4 << 20;
constexpr std::size_t kFilesBetweenRests = 256;

using Rows = std::span<CatalogRow* const>;

// Ranges of about equal size; each thread gets the same number of them.
std::vector<Rows> CutIntoRanges(const std::vector<CatalogRow*>& rows, unsigned threads) {
  constexpr std::uint64_t kOverhead = 1000;  // a file costs more than its bytes
  std::uint64_t total = 0;
  for (const CatalogRow* row : rows) total += row->info.size + kOverhead;
  std::uint64_t parts = (total + kRangeBytes - 1) / kRangeBytes;
  if (parts > 1 || total > kRangeBytes / 8) parts = (parts + threads - 1) / threads * threads;
  parts = std::max<std::uint64_t>(parts, 1);
  std::vector<Rows> out;
  std::size_t begin = 0;
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    sum += rows[i]->info.size + kOverhead;
    const bool last = i + 1 == rows.size();
    if (!last && sum < total * (out.size() + 1) / parts) continue;
    out.push_back(Rows(rows).subspan(begin, i + 1 - begin));
    begin = i + 1;
  }
  return out;
}

class Worker {
 public:
  Worker(const SearchRoot& root, const TokenizeOptions& options) : options_(options), opener_(root) {}

  // Reads one file, checks that it did not change meanwhile, and adds it to the
  // builder.
  void Take(CatalogRow& row, index::SegmentBuilder& builder) {
    row.status = TokenStatus::kUnreadable;
    row.settled = false;
    row.docs = {};
    const std::int64_t began = options_.clocks->FileNs();
    const auto fd = opener_.Open(row.path);
    if (!fd.ok()) return;
    const auto before = os::Stat(fd->get());
    if (!before.ok() || before->type != os::FileType::kRegular) return;
    row.info = *before;
    if (options_.size_limit.Skips(before->size)) {
      row.status = TokenStatus::kTooLarge;
      return;
    }
    const auto size = os::ReadAll(fd->get(), before->size, before->size + 1, raw_);
    if (!size.ok() || *size != before->size) return;
    const auto after = os::Stat(fd->get());
    if (!after.ok() || *after != *before) return;
    row.settled = IsSettled(*before, began);
    if (IsWide(SniffEncoding(raw_.view().substr(0, kMarkBytes)))) {
      row.status = TokenStatus::kBinary;
      return;
    }
    row.docs = builder.Add(raw_.view());
    row.status = TokenStatus::kFull;
  }

 private:
  // Whether every change from now on gets other stamps. A modification time in
  // the future was set by a program; a write would set it back to now.
  bool IsSettled(const os::FileInfo& info, std::int64_t began) const {
    const std::int64_t old = began - options_.stamp_granularity_ns;
    const std::int64_t future = options_.clocks->FileNs() + options_.stamp_granularity_ns;
    return info.ctime_ns < old && (info.mtime_ns < old || info.mtime_ns > future);
  }

  const TokenizeOptions& options_;
  FileOpener opener_;
  os::Buffer raw_;
};

class Run {
 public:
  Run(const SearchRoot& root, const std::vector<CatalogRow*>& rows, const TokenizeOptions& options, Throttle& throttle,
      const SegmentSink& sink, TokenizeProgress& progress)
      : root_(root),
        options_(options),
        throttle_(throttle),
        sink_(sink),
        progress_(progress),
        ranges_(CutIntoRanges(rows, std::max(options.threads, 1U))) {}

  TokenizeEnd All() {
    std::vector<std::thread> threads;
    const std::size_t count = std::min<std::size_t>(std::max(options_.threads, 1U), ranges_.size());
    try {
      for (std::size_t i = 1; i < count; ++i) threads.emplace_back([this] { Loop(); });
    } catch (const std::system_error&) {
      // The system limits processes: this thread and those that started do all
      // the work.
    }
    if (count > 0) Loop();
    for (std::thread& thread : threads) thread.join();
    const Lock lock(mutex_);
    return end_;
  }
  Error error() {
    const Lock lock(mutex_);
    return error_;
  }

 private:
  void Loop() {
    if (options_.low_priority) os::LowerThisThread();
    const auto builder = options_.make_builder();
    Worker worker(root_, options_);
    while (!over_) {
      const std::size_t range = next_++;
      if (range >= ranges_.size()) return;
      Take(ranges_[range], worker, *builder);
    }
  }

  // Rows whose segment is not finished yet have documents but no number.
  void Take(Rows rows, Worker& worker, index::SegmentBuilder& builder) {
    std::size_t open_from = 0;
    std::uint64_t bytes = 0;
    std::size_t files = 0;
    Clock::time_point began = throttle_.Now();
    std::size_t i = 0;
    for (; i < rows.size() && MayTake(*rows[i]); ++i) {
      CatalogRow& row = *rows[i];
      if (!builder.Fits(row.info.size)) {
        Finish(rows.subspan(open_from, i - open_from), builder);
        open_from = i;
      }
      worker.Take(row, builder);
      ++progress_.files_done;
      progress_.bytes_done += row.info.size;
      bytes += row.info.size;
      if (++files % kFilesBetweenRests == 0 || bytes >= kBytesBetweenRests) {
        throttle_.RestSince(began);
        began = throttle_.Now();
        bytes = 0;
      }
    }
    Finish(rows.subspan(open_from, i - open_from), builder);
  }

  // Whether the limits allow one more file; all threads together keep them.
  bool MayTake(const CatalogRow& row) {
    if (over_) return false;
    if (throttle_.stopped()) return End(TokenizeEnd::kStopped);
    if (options_.deadline.over()) return End(TokenizeEnd::kOutOfTime);
    const std::uint64_t size = options_.size_limit.Skips(row.info.size) ? 0 : row.info.size;
    if (options_.max_bytes != 0 && (taken_ += size) > options_.max_bytes) return End(TokenizeEnd::kBudget);
    return true;
  }

  void Finish(Rows rows, index::SegmentBuilder& builder) {
    if (builder.docs() == 0) return;
    std::string image = builder.Finish();
    const Lock lock(mutex_);
    const auto id = sink_(std::move(image));
    for (CatalogRow* row : rows) {
      if (row->docs.count == 0) continue;
      if (id) {
        row->segment = *id;
      } else {
        row->docs = {};
        row->status = TokenStatus::kNone;
      }
    }
    if (id) return;
    error_ = id.error();
    end_ = TokenizeEnd::kFailed;
    over_ = true;
  }

  bool End(TokenizeEnd end) {
    const Lock lock(mutex_);
    if (end_ == TokenizeEnd::kFinished) end_ = end;
    over_ = true;
    return false;
  }

  const SearchRoot& root_;
  const TokenizeOptions& options_;
  Throttle& throttle_;
  const SegmentSink& sink_;
  TokenizeProgress& progress_;
  const std::vector<Rows> ranges_;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<bool> over_ = false;
  std::atomic<std::uint64_t> taken_ = 0;  // bytes of files that were read, or are being read
  Mutex mutex_;
  TokenizeEnd end_ GUARDED_BY(mutex_) = TokenizeEnd::kFinished;
  Error error_ GUARDED_BY(mutex_);
};

}  // namespace

TokenizeEnd TokenizeRows(const SearchRoot& root, const std::vector<CatalogRow*>& rows, const TokenizeOptions& options,
                         Throttle& throttle, const SegmentSink& sink, TokenizeProgress& progress, Error& error) {
  Run run(root, rows, options, throttle, sink, progress);
  const TokenizeEnd end = run.All();
  if (end == TokenizeEnd::kFailed) error = run.error();
  return end;
}

}  // namespace forge::indexer
