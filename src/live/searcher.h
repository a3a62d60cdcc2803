// Searches in a thread of its own while the user goes on typing.
//
//   Searcher searcher(engine, [&] { wake.Ring(); });
//   searcher.Start(job);          // ends the job before
//   ...                           // rings
//   searcher.Take();              // what came since the last Take(), of the last job only
//
// One thread starts jobs and takes news; the destructor ends a running job and
// joins the thread.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/mutex.h"
#include "forge/cancel.h"
#include "forge/engine.h"
#include "live/results.h"

namespace forge::live {

// A file or folder to search, and what the answer calls it.
struct Place {
  std::string path;
  std::optional<std::string> show_as;
};

struct Job {
  SearchRequest request;
  std::optional<AnswerLimits> limits = {};
  std::vector<Place> places;
  // Lines before the first one are left out; the search ends after the last one,
  // or after `most` lines.
  std::uint64_t first_line = 0;
  std::uint64_t last_line = std::numeric_limits<std::uint64_t>::max();
  std::size_t most = std::numeric_limits<std::size_t>::max();
};

struct News {
  std::vector<Match> lines;
  bool ended = false;
  // Once it has ended:
  std::optional<Error> error;
  bool more = false;  // it ended before everything was searched, by `most`
  std::chrono::milliseconds elapsed{};
  std::vector<SearchResponse> responses;  // of the places, without their lines
};

class Searcher {
 public:
  // `on_news` is called from the thread, once for all news that were not taken.
  Searcher(Engine& engine, std::function<void()> on_news);
  ~Searcher();
  Searcher(const Searcher&) = delete;
  Searcher& operator=(const Searcher&) = delete;

  void Start(Job job);
  void Stop();  // no news any more until the next Start
  News Take();

 private:
  struct Running;

  void Work();
  void Search(Running& running);
  bool OnLine(Running& running, const Event& event);
  void Deliver(Running& running, bool ended);

  Engine& engine_;
  const std::function<void()> on_news_;
  Mutex mutex_;
  Condition changed_;
  std::optional<Job> next_ GUARDED_BY(mutex_);
  std::optional<CancelSource> cancel_ GUARDED_BY(mutex_);  // of the last job
  std::uint64_t number_ GUARDED_BY(mutex_) = 0;            // of the last job
  News news_ GUARDED_BY(mutex_);
  bool quit_ GUARDED_BY(mutex_) = false;
  std::thread thread_;
};

}  // namespace forge::live
