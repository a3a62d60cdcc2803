// A backend that runs an external searcher.
//
// The searcher gets files as arguments, in chunks that grow: 32 files at first,
// so that a common word costs one short run; thousands later. We open each file
// before the searcher gets it (is it readable? regular? small enough? which
// encoding?). If the searcher saw something in it, we read it and match it
// in-process. Chunks end in order, and so do the outcomes.
#pragma once

#include <memory>
#include <string>

#include "backend/backend.h"
#include "backend/searcher.h"
#include "os/file.h"

namespace forge {

class ExternalBackend final : public Backend {
 public:
  ExternalBackend(const SearcherKind& kind, Searcher searcher, std::string program,
                  std::vector<std::string> environment);

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
  const std::vector<std::string> environment_;
  const std::string id_;
};

// Why a run has no outcome; the text follows the program's name.
std::string WhyNoRun(const os::OsError& error);

// The environment that child processes get; `search_path` is in the form of $PATH.
std::vector<std::string> ChildEnvironment(const std::string& search_path);

}  // namespace forge
