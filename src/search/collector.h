// From outcomes in order to an answer.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "backend/backend.h"
#include "scope/sandbox.h"
#include "search/content.h"
#include "search/request.h"

namespace forge {

// Counts, cuts and remembers. Takes one event more than max_results to know
// whether there are more (FR-LS-06a).
class Collector final : public OutcomeSink {
 public:
  // `folder` is the search root.
  Collector(const CheckedRequest& request, const Sandbox& sandbox, std::string folder, const SearchOptions& options);

  bool Take(FileOutcome outcome) override;

  // How many files have been taken; the last of them may hold the event that
  // proved that the answer is cut.
  std::uint64_t taken() const { return taken_; }
  std::uint64_t reported() const { return reported_; }  // outcomes; the others up to taken() were excluded
  bool truncated() const { return truncated_; }

  // Also takes what stood after the last file, if the run reached the end.
  void TakeAsides(Asides asides);

  // Moves the events and errors into the response.
  void Finish(SearchResponse& response);
  const LeftOut& left_out() const { return left_out_; }
  bool any_events() const { return !events_.empty(); }

 private:
  struct RawError {
    std::string key;   // sort key
    std::string path;  // relative to the search root, raw
    std::string error;
  };

  void AddError(const std::string& path, std::string error);
  bool AddEvents(std::vector<Event> events, const std::string& path);
  std::string Shown(const std::string& path) const;

  const CheckedRequest& request_;
  const Sandbox& sandbox_;
  const std::string folder_;
  const SearchOptions& options_;
  std::vector<Event> events_;
  std::vector<RawError> errors_;
  LeftOut left_out_;
  std::uint64_t taken_ = 0;
  std::uint64_t reported_ = 0;
  bool truncated_ = false;
};

}  // namespace forge
