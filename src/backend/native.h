// The in-process backend: nothing to install, nothing to start.
#pragma once

#include <string>

#include "backend/backend.h"

namespace forge {

class NativeBackend final : public Backend {
 public:
  bool supports_fuzzy() const override { return false; }
  const std::string& id() const override { return id_; }
  Status Check(const Query&) const override { return {}; }
  RunReport Run(const Query& query, const SearchRoot& root, FileSource& source, OutcomeSink& sink,
                const Deadline& deadline) const override;

 private:
  const std::string id_ = "native@1.0.0";
};

}  // namespace forge
