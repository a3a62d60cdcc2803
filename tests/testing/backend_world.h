// For the tests of backends: some files, a query, a source and a sink.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "backend/backend.h"
#include "tests/testing/temp_tree.h"

namespace forge {

class ListSource final : public FileSource {
 public:
  explicit ListSource(std::vector<std::string> paths) : paths_(std::move(paths)) {}
  bool Next(FileItem& item) override {
    if (next_ == paths_.size()) return false;
    item = {next_ + 1, paths_[next_]};
    ++next_;
    return true;
  }
  std::size_t taken() const { return next_; }

 private:
  std::vector<std::string> paths_;
  std::size_t next_ = 0;
};

// Runs out of memory after so many files.
class GreedySource final : public FileSource {
 public:
  GreedySource(std::vector<std::string> paths, std::size_t files) : source_(std::move(paths)), files_(files) {}
  bool Next(FileItem& item) override {
    if (source_.taken() == files_) throw std::bad_alloc();
    return source_.Next(item);
  }

 private:
  ListSource source_;
  const std::size_t files_;
};

class ListSink final : public OutcomeSink {
 public:
  explicit ListSink(std::size_t enough = SIZE_MAX) : enough_(enough) {}
  bool Take(FileOutcome&& outcome) override {
    if (!streamed_.empty()) outcome.events = std::exchange(streamed_, {});
    outcomes.push_back(std::move(outcome));
    return outcomes.size() < enough_;
  }
  bool TakeEvent(const FileItem&, Event&& event) override {
    streamed_.push_back(std::move(event));
    return true;
  }
  std::vector<FileOutcome> outcomes;

 private:
  std::vector<Event> streamed_;
  const std::size_t enough_;
};

struct World {
  World(const std::string& pattern_text, std::size_t files, const std::string& content) {
    for (std::size_t i = 0; i < files; ++i) {
      paths.push_back("f" + std::to_string(i % 7) + "/" + std::to_string(i));
      tree.Write(paths.back(), content);
    }
    sandbox.emplace(*Sandbox::Create({tree.root()}, "", {}));
    root.emplace(std::move(*SearchRoot::Open(*sandbox, tree.root(), false)));
    pattern.emplace(std::move(*Pattern::Compile({.pattern = pattern_text})));
    prefilter = Prefilter::For(*pattern);
  }
  Query query() const { return {*pattern, prefilter, std::nullopt, "", false, false, {50, 0, 1000}, {1'000'000}}; }

  testing::TempTree tree;
  std::vector<std::string> paths;
  std::optional<Sandbox> sandbox;
  std::optional<SearchRoot> root;
  std::optional<Pattern> pattern;
  Prefilter prefilter;
};

}  // namespace forge
