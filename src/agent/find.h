// Asks the library for a page of an answer, and for how much there is in all.
//
// Everything happens within the time of the call. What is done beyond the search
// that the model asked for (the count of all matches, the list of files for a
// path that does not exist) has a small time of its own. So the texts that it
// makes depend on the machine; they are no part of the response.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "agent/call.h"
#include "base/deadline.h"
#include "forge/engine.h"
#include "tool/tool.h"

namespace forge::agent {

// All that there is, within max_files and the other limits on what is searched.
struct Totals {
  std::uint64_t matches = 0;  // 0 if nobody counted them: output = "files"
  std::uint64_t files = 0;
  std::vector<std::pair<std::string, std::uint64_t>> by_file = {};  // in order; only if more than the page was counted
};

struct Found {
  SearchResponse response;             // its `matches` are the events of the page
  std::vector<FileReport> files = {};  // of the page, with kFiles and kCount
  std::uint64_t shown = 0;             // matches or files on the page
  std::uint64_t met = 0;               // up to the end of the page, from the first of all
  bool more = false;                   // after the page
  std::optional<Totals> totals = {};
};

// A model may lower what is configured. What it wants to raise, it does not get;
// a note says so where it matters.
void ClampToConfig(const SearchConfig& config, SearchRequest& request);

class Finder {
 public:
  // The time of the call begins now.
  Finder(Engine& engine, const Call& call, const tool::RunOptions& options);

  // The call may differ from that of the constructor, by a repair. `most`: no
  // longer than this.
  Result<Found> Find(const Call& call, std::optional<std::chrono::milliseconds> most = {});

  // Adds the totals, if they are there in time.
  void Count(const Call& call, Found& found);

  // Every eligible file of the working folder, as far as the time goes. Paths in
  // answers look like these.
  std::vector<std::string> Names(const Call& call);

  // Nothing if the path may be searched, else why not.
  std::optional<Error> Problem(const std::string& path);

  const Engine& engine() const { return engine_; }
  std::chrono::milliseconds Left() const;

 private:
  SearchRequest RequestFor(const Call& call) const;
  std::uint64_t LimitOf(const Call& call) const;
  Result<Found> FindLines(const Call& call, SearchRequest request, SearchOptions options);
  Result<Found> FindFiles(const Call& call, SearchRequest request, SearchOptions options);

  Engine& engine_;
  const tool::RunOptions options_;
  const Clock::time_point end_;
};

}  // namespace forge::agent
