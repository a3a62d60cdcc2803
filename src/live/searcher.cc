#include "live/searcher.h"

#include <iterator>
#include <utility>

namespace forge::live {

// The job that the thread does, and what it has found and not delivered.
struct Searcher::Running {
  Job job;
  std::uint64_t number = 0;
  CancelToken cancel;
  std::chrono::steady_clock::time_point start;
  News news;
  std::size_t place = 0;
  std::size_t lines = 0;
  bool enough = false;
};

Searcher::Searcher(Engine& engine, std::function<void()> on_news)
    : engine_(engine), on_news_(std::move(on_news)), thread_([this] { Work(); }) {}

Searcher::~Searcher() {
  Stop();
  {
    const Lock lock(mutex_);
    quit_ = true;
  }
  changed_.NotifyAll();
  thread_.join();
}

void Searcher::Start(Job job) {
  Stop();
  {
    const Lock lock(mutex_);
    next_ = std::move(job);
    cancel_.emplace();
  }
  changed_.NotifyAll();
}

void Searcher::Stop() {
  const Lock lock(mutex_);
  if (cancel_) cancel_->Cancel();
  cancel_.reset();
  next_.reset();
  ++number_;
  news_ = {};
}

News Searcher::Take() {
  const Lock lock(mutex_);
  return std::exchange(news_, {});
}

void Searcher::Work() {
  while (true) {
    Running running;
    {
      const Lock lock(mutex_);
      while (!next_ && !quit_) changed_.Wait(mutex_);
      if (quit_) return;
      running.job = *std::exchange(next_, std::nullopt);
      running.number = number_;
      running.cancel = cancel_->token();
    }
    running.start = std::chrono::steady_clock::now();
    Search(running);
  }
}

void Searcher::Search(Running& running) {
  for (const Place& place : running.job.places) {
    if (running.enough) break;
    SearchRequest request = running.job.request;
    request.path = place.path;
    SearchOptions options{.cancel = running.cancel,
                          .on_event = [&](const Event& event) { running.enough = !OnLine(running, event); },
                          .show_as = place.show_as,
                          .enough = [&] { return running.enough; },
                          .keep_events = false,
                          .limits = running.job.limits};
    auto response = engine_.Search(request, options);
    ++running.place;
    if (!response) {
      if (!running.news.error) running.news.error = response.error();
      continue;
    }
    running.news.responses.push_back(*std::move(response));
  }
  Deliver(running, /*ended=*/true);
}

// False: that is enough.
bool Searcher::OnLine(Running& running, const Event& event) {
  const Job& job = running.job;
  if (event.line_number < job.first_line) return true;
  if (event.line_number > job.last_line) return false;
  if (running.lines == job.most) {
    running.news.more = true;
    return false;
  }
  ++running.lines;
  ShortLine line = Shorten(event);
  running.news.lines.push_back({event.path.str(), running.place, event.line_number, event.column, std::move(line.text),
                                std::move(line.matches)});
  Deliver(running, /*ended=*/false);
  return true;
}

void Searcher::Deliver(Running& running, bool ended) {
  bool ring = false;
  {
    const Lock lock(mutex_);
    if (running.number != number_) return;  // another job has been started
    ring = ended || news_.lines.empty();
    News& found = running.news;
    std::move(found.lines.begin(), found.lines.end(), std::back_inserter(news_.lines));
    found.lines.clear();
    if (ended) {
      found.lines = std::move(news_.lines);
      found.ended = true;
      found.elapsed =
          std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - running.start);
      news_ = std::move(found);
    }
  }
  if (ring) on_news_();
}

}  // namespace forge::live
