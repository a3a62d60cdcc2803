// A backend that runs an external searcher.
//
// Files go to the searcher as arguments, in chunks that grow: 32 at first, so
// that a common word costs one short run, thousands later. Before a file is
// handed over it is opened here (readable? regular? small enough? which
// encoding?); after the searcher saw something in it, it is read here and
// matched in-process. Chunks end in order, and so do the outcomes.
#pragma once

#include <memory>
#include <string>

#include "backend/backend.h"
#include "backend/searcher.h"
#include "os/file.h"

namespace forge {

class ExternalBackend final : public Backend {
 public:
  ExternalBackend(const SearcherKind& kind, Searcher searcher, std::string program);

  bool supports_fuzzy() const override { return kind_.supports_fuzzy(); }
  bool uses_our_fuzzy_metric() const override { return false; }
  const std::string& id() const override { return id_; }
  Status Check(const Query& query) const override { return kind_.Check(searcher_, query); }
  RunReport Run(const Query& query, const SearchRoot& root, FileSource& source, OutcomeSink& sink,
                const Deadline& deadline) const override;

 private:
  const SearcherKind& kind_;
  const Searcher searcher_;
  const std::string program_;
  const std::string id_;
};

// Why there is no outcome of a run, to follow the program's name.
std::string WhyNoRun(const os::OsError& error);

// What children get to see of our environment.
std::vector<std::string> ChildEnvironment();

}  // namespace forge
