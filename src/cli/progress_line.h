// A line on a terminal that says how far a search is, after half a second without
// any output:
//
//   12,000 of 80,000 files searched, 3 s
//
// It is gone before anything else is printed, and at the end. A thread of its own
// draws it, because a search may be busy with one file for long. Thread-safe; the
// destructor joins the thread.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <iosfwd>
#include <string>
#include <thread>

#include "base/mutex.h"
#include "forge/progress.h"

namespace forge::cli {

// Of at most so many columns.
std::string ProgressText(const Progress& progress, std::chrono::seconds elapsed, std::size_t columns);

class ProgressLine {
 public:
  // `columns` is asked each time: the terminal may get another size.
  ProgressLine(std::ostream& out, std::function<std::size_t()> columns);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void Report(const Progress& progress);
  // Takes the line away and calls `print`.
  void Around(const std::function<void()>& print);

 private:
  using Time = std::chrono::steady_clock::time_point;

  void Run();
  void Draw() REQUIRES(mutex_);
  void Erase() REQUIRES(mutex_);

  std::ostream& out_;
  const std::function<std::size_t()> columns_;
  const Time start_ = std::chrono::steady_clock::now();
  Mutex mutex_;
  Condition changed_;
  Progress progress_ GUARDED_BY(mutex_);
  std::string what_ GUARDED_BY(mutex_);  // progress_ refers to it
  Time quiet_since_ GUARDED_BY(mutex_) = start_;
  bool drawn_ GUARDED_BY(mutex_) = false;
  bool quit_ GUARDED_BY(mutex_) = false;
  std::thread thread_;
};

}  // namespace forge::cli
