// The in-process backend: nothing to install, nothing to start.
//
// Workers take batches of files in order, read and match them, and put the
// outcomes into a window. The calling thread delivers them in order, and works
// itself while it would have to wait. The window limits how far workers run
// ahead, so a search that is full after a few files reads few more.
#pragma once

#include <string>

#include "backend/backend.h"
#include "backend/helper_threads.h"

namespace forge {

class NativeBackend final : public Backend {
 public:
  // 0: as many threads as there are cores, at most 16.
  explicit NativeBackend(unsigned threads = 0);

  bool supports_fuzzy() const override { return true; }
  bool uses_our_fuzzy_metric() const override { return true; }
  const std::string& id() const override { return id_; }
  Status Check(const Query& query) const override;
  RunReport Run(const Query& query, const SearchRoot& root, FileSource& source, OutcomeSink& sink,
                const Deadline& deadline) const override;

 private:
  const unsigned threads_;
  mutable HelperThreads helpers_;  // shared by all searches
  const std::string id_ = "native@1";
};

}  // namespace forge
