#include "backend/ordered_work.h"

#include <gtest/gtest.h>

#include <atomic>
#include <new>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace forge {
namespace {

class Numbers final : public FileSource {
 public:
  explicit Numbers(std::uint64_t count) : count_(count) {}
  bool Next(FileItem& item) override {
    if (next_ == count_) return false;
    item.position = ++next_;
    return true;
  }

 private:
  const std::uint64_t count_;
  std::uint64_t next_ = 0;
};

// Counts outcomes that were made and not yet delivered.
class Ledger final : public OutcomeSink {
 public:
  void Made(std::size_t bytes) {
    const std::size_t held = held_ += bytes;
    std::size_t most = most_;
    while (held > most && !most_.compare_exchange_weak(most, held)) {
    }
  }

  bool Take(FileOutcome&& outcome) override {
    // When all threads are at work, they get time to run ahead.
    constexpr std::size_t kPause = 40;
    for (int i = 0; positions.size() == kPause && i < 20'000; ++i) std::this_thread::yield();
    positions.push_back(outcome.position);
    if (!outcome.events.empty()) held_ -= outcome.events[0].line.size();
    return true;
  }

  bool TakeEvent(const FileItem&, Event&&) override { return true; }

  std::size_t most() const { return most_; }
  std::vector<std::uint64_t> positions;

 private:
  std::atomic<std::size_t> held_ = 0;
  std::atomic<std::size_t> most_ = 0;
};

constexpr std::size_t kLine = 1024 * 1024;

OrderedWork::Work LargeLines(Ledger& ledger) {
  return [&ledger](unsigned, const FileItem& item, FileOutcome& outcome) {
    outcome.position = item.position;
    outcome.events.emplace_back().line = std::string(kLine, 'x');
    ledger.Made(kLine);
    return true;
  };
}

void ExpectAllInOrder(const Ledger& ledger, std::uint64_t count) {
  ASSERT_EQ(ledger.positions.size(), count);
  for (std::uint64_t i = 0; i < count; ++i) ASSERT_EQ(ledger.positions[i], i + 1);
}

TEST(OrderedWork, ABatchOfLongLinesIsDeliveredInParts) {
  Numbers source(300);
  Ledger ledger;
  HelperThreads none(0);
  EXPECT_EQ(OrderedWork(none, source, ledger, LargeLines(ledger)).Run(), OrderedWork::End::kComplete);
  ExpectAllInOrder(ledger, 300);
  EXPECT_LE(ledger.most(), OrderedWork::kBatchBytes + kLine);
}

TEST(OrderedWork, TheWindowIsBoundedInBytes) {
  constexpr unsigned kThreads = 4;
  Numbers source(600);
  Ledger ledger;
  HelperThreads helpers(kThreads - 1);
  EXPECT_EQ(OrderedWork(helpers, source, ledger, LargeLines(ledger)).Run(), OrderedWork::End::kComplete);
  ExpectAllInOrder(ledger, 600);
  EXPECT_LE(ledger.most(), OrderedWork::kWindowBytes + (kThreads + 1) * (OrderedWork::kBatchBytes + kLine));
}

// Notes what comes, in order.
class Notebook final : public OutcomeSink {
 public:
  bool Take(FileOutcome&& outcome) override {
    text += "[" + std::to_string(outcome.position) + "]";
    return true;
  }
  bool TakeEvent(const FileItem& file, Event&& event) override {
    text += std::to_string(file.position) + event.line;
    return event.line != "enough";
  }
  std::string text;
};

TEST(OrderedWork, DeferredFilesAreStreamedInTheirTurn) {
  for (const char* const last : {"c", "enough"}) {
    Numbers source(4);
    Notebook sink;
    HelperThreads helpers(3);
    const auto work = [](unsigned, const FileItem& item, FileOutcome& outcome) {
      outcome.position = item.position;
      outcome.deferred = item.position % 2 == 0;
      return true;
    };
    const auto stream = [&](const FileItem& item, FileOutcome& outcome, const TakeEvent& take) {
      outcome.position = item.position;
      for (const char* const line : {"a", "b", last}) {
        Event event;
        event.line = line;
        if (!take(std::move(event))) break;
      }
      return true;
    };
    const bool all = last == std::string("c");
    EXPECT_EQ(OrderedWork(helpers, source, sink, work, stream).Run(),
              all ? OrderedWork::End::kComplete : OrderedWork::End::kEnough);
    EXPECT_EQ(sink.text, all ? "[1]2a2b2c[2][3]4a4b4c[4]" : "[1]2a2b2enough");
  }
}

// Has enough after so many files, and gives the threads time to run ahead before.
class EnoughAfter final : public OutcomeSink {
 public:
  explicit EnoughAfter(std::uint64_t files) : files_(files) {}
  bool Take(FileOutcome&& outcome) override {
    if (outcome.position < files_) return true;
    for (int i = 0; i < 500; ++i) std::this_thread::yield();
    return false;
  }
  bool TakeEvent(const FileItem&, Event&&) override { return true; }

 private:
  const std::uint64_t files_;
};

TEST(OrderedWork, ThreadsRunAheadByAShareOfTheWork) {
  constexpr std::uint64_t kEnough = 800;
  constexpr std::uint64_t kLargestBatch = 64;
  HelperThreads helpers(2);
  Numbers source(1'000'000);
  EnoughAfter sink(kEnough);
  std::atomic<std::uint64_t> worked = 0;
  {
    OrderedWork work(helpers, source, sink, [&](unsigned, const FileItem& item, FileOutcome& outcome) {
      outcome.position = item.position;
      ++worked;
      return true;
    });
    EXPECT_EQ(work.Run(), OrderedWork::End::kEnough);
  }
  // The batch that is delivered, an eighth ahead of it, and what was begun last.
  EXPECT_LE(worked, (kEnough + 2 * kLargestBatch + 64) * 8 / 7 + kLargestBatch);
}

// Every third file has something beside its number.
class Files final : public FileSource {
 public:
  explicit Files(std::uint64_t count) : count_(count) {}
  bool Next(FileItem& item) override {
    if (next_ == count_) return false;
    item = {++next_, PathOf(next_)};
    if (next_ % 3 == 0) item.asides.denied = next_;
    return true;
  }
  static std::string PathOf(std::uint64_t position) { return "folder/file number " + std::to_string(position); }

 private:
  const std::uint64_t count_;
  std::uint64_t next_ = 0;
};

FileOutcome OutcomeFor(std::uint64_t position) {
  FileOutcome outcome;
  outcome.position = position;
  outcome.path = Files::PathOf(position);
  for (std::uint64_t i = 0; i < position % 50; ++i) outcome.events.emplace_back().line = std::to_string(position + i);
  if (position % 5 == 0) outcome.error = "error of " + std::to_string(position);
  outcome.binary = position % 7 == 0;
  outcome.matches = position % 11;
  return outcome;
}

std::string Show(const FileOutcome& outcome) {
  std::string text = std::to_string(outcome.position) + outcome.path + outcome.error +
                     (outcome.binary ? "binary" : "") + std::to_string(outcome.matches) + "/" +
                     std::to_string(outcome.matched_lines) + (outcome.deferred ? "deferred" : "") +
                     std::to_string(outcome.asides.denied);
  for (const Event& event : outcome.events) text += event.line.str() + ",";
  return text;
}

// Takes the events of some files out of their outcomes, and leaves those of others.
class Comparison final : public OutcomeSink {
 public:
  bool Take(FileOutcome&& outcome) override {
    FileOutcome wanted = OutcomeFor(++count_);
    if (count_ % 3 == 0) wanted.asides.denied = count_;
    EXPECT_EQ(Show(outcome), Show(wanted));
    if (count_ % 2 == 0) taken_.push_back(std::move(outcome.events));
    if (count_ % 2 == 1 && !outcome.events.empty()) lines_.push_back(std::move(outcome.events[0]));
    return true;
  }
  bool TakeEvent(const FileItem&, Event&&) override { return true; }

  std::uint64_t count() const { return count_; }

 private:
  std::uint64_t count_ = 0;
  std::vector<std::vector<Event>> taken_;
  std::vector<Event> lines_;
};

TEST(OrderedWork, NothingOfAnEarlierFileIsLeftInMemoryThatIsUsedAgain) {
  constexpr std::uint64_t kFiles = 5000;
  for (const unsigned threads : {0U, 3U}) {
    Files source(kFiles);
    Comparison sink;
    HelperThreads helpers(threads);
    std::atomic<std::uint64_t> left_over = 0;
    const auto work = [&](unsigned, const FileItem& item, FileOutcome& outcome) {
      left_over += Show(outcome) != Show(FileOutcome());
      std::vector<Event> events = std::move(outcome.events);
      FileOutcome made = OutcomeFor(item.position);
      made.path.clear();
      for (Event& event : made.events) events.push_back(std::move(event));
      made.events = std::move(events);
      outcome = std::move(made);
      return true;
    };
    EXPECT_EQ(OrderedWork(helpers, source, sink, work).Run(), OrderedWork::End::kComplete);
    EXPECT_EQ(sink.count(), kFiles);
    EXPECT_EQ(left_over, 0U);
  }
}

TEST(OrderedWork, NoMemoryInAThreadEndsTheWorkNotTheProcess) {
  Numbers source(5'000'000);  // on a busy machine it takes a while until a helper gets to work
  Ledger ledger;
  const auto work = [](unsigned worker, const FileItem& item, FileOutcome& outcome) {
    if (worker > 0) throw std::bad_alloc();
    outcome.position = item.position;
    std::this_thread::yield();
    return true;
  };
  HelperThreads helpers(3);
  EXPECT_EQ(OrderedWork(helpers, source, ledger, work).Run(), OrderedWork::End::kOutOfMemory);
}

// The walk may be in the middle of anything.
class GreedySource final : public FileSource {
 public:
  bool Next(FileItem& item) override {
    if (std::this_thread::get_id() != caller_) throw std::bad_alloc();
    item.position = ++next_;
    std::this_thread::yield();
    return next_ < 5'000'000;
  }

 private:
  const std::thread::id caller_ = std::this_thread::get_id();
  std::uint64_t next_ = 0;
};

TEST(OrderedWork, NoMemoryInTheSourceEndsTheWorkNotTheProcess) {
  GreedySource source;
  Ledger ledger;
  const auto work = [](unsigned, const FileItem&, FileOutcome&) {
    std::this_thread::yield();
    return true;
  };
  HelperThreads helpers(3);
  EXPECT_EQ(OrderedWork(helpers, source, ledger, work).Run(), OrderedWork::End::kOutOfMemory);
}

}  // namespace
}  // namespace forge
