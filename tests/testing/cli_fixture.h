// The command line with a scripted engine.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "cli/cli.h"
#include "tests/testing/fake_engine.h"

namespace forge::testing {

inline const std::vector<Event> kThreeLines = {
    {Event::Type::kContext, "a.c", 1, 0, "before", "", 0, LineEnding::kLf, {}},
    {Event::Type::kMatch, "a.c", 2, 3, "a needle", "needle", 7, LineEnding::kLf, {{2, 8}}},
    {Event::Type::kMatch, "b.c", 9, 1, "needle\x1B[2J", "needle", 80, LineEnding::kLf, {{0, 6}}},
};

// Runs the command line against an engine that answers with `events`.
class CliFixture : public ::testing::Test {
 protected:
  int Run(std::vector<std::string> arguments) {
    out_.str("");
    err_.str("");
    out_.clear();
    cli::Host host{.in = in_,
                   .out = out_,
                   .err = err_,
                   .out_is_terminal = terminal_,
                   .err_is_terminal = false,
                   .in_has_text = has_input_,
                   .environment = Environment(variables_),
                   .create_engine = [this](EngineOptions options) { return Create(std::move(options)); },
                   .stop = stop_,
                   .program = program_};
    return cli::RunCli(arguments, host);
  }

  Result<std::unique_ptr<Engine>> Create(EngineOptions options) {
    options_ = options;
    ++engines_;
    if (create_error_) return *create_error_;
    const auto answer = [this](const SearchRequest& request, const SearchOptions& how) { return Answer(request, how); };
    auto engine = std::make_unique<FakeEngine>(std::move(options), answer, backends_);
    engine->statuses = statuses_;
    engine->diagnostics = diagnostics_;
    engine->backend_problems = backend_problems_;
    return std::unique_ptr<Engine>(std::move(engine));
  }

  Result<SearchResponse> Answer(const SearchRequest& request, const SearchOptions& how) {
    request_ = request;
    requests_.push_back(request);
    how_ = how;
    SearchResponse response = response_;
    response.pattern = request.pattern;
    response.path = "/fake";
    for (const Event& event : events_) {
      if (how.on_event) how.on_event(event);
      if (interrupt_) stop_.Cancel();
      if (how.cancel.cancelled()) return Cancelled();
      response.matches.push_back(event);
    }
    for (const FileReport& file : files_) {
      if (how.on_file) how.on_file(file);
    }
    if (search_error_) return *search_error_;
    return response;
  }

  std::string out() const { return out_.str(); }
  std::string err() const { return err_.str(); }

  std::vector<Event> events_;
  std::vector<FileReport> files_;  // reported after the events
  SearchResponse response_;
  std::optional<Error> create_error_;
  std::optional<Error> search_error_;
  bool interrupt_ = false;
  bool terminal_ = false;
  bool has_input_ = false;
  Environment::Variables variables_;
  std::vector<BackendReport> backends_ = {{"ugrep", "/usr/bin/ugrep", "ugrep@3.11.2", {"pcre2", "fuzzy"}, true, ""}};
  std::vector<IndexStatus> statuses_;
  std::vector<std::string> diagnostics_;
  std::vector<std::string> backend_problems_;
  CancelSource stop_;
  std::string program_;  // the path of the program; "": not known

  std::istringstream in_;
  std::ostringstream out_;
  std::ostringstream err_;
  EngineOptions options_;
  SearchRequest request_;
  std::vector<SearchRequest> requests_;
  SearchOptions how_;
  int engines_ = 0;
};

}  // namespace forge::testing
