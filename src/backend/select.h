// Chooses the backend (FR-LS-EXE-01, R6): the first of `binary` and
// `fallback_binary` that exists, reports what it is, and is not too old. The
// native engine is used only when it is named.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "backend/backend.h"
#include "forge/config.h"
#include "forge/engine.h"

namespace forge {

struct Selection {
  std::shared_ptr<const Backend> backend;  // null: none is usable
  std::vector<BackendReport> reports;      // one for each configured name
};

// Runs `--version` of the candidates; `search_path` has the form of $PATH.
// Stops at the first usable one unless `all` is set.
Selection SelectBackend(const SearchConfig& config, const std::string& search_path, bool all);

// What was wrong with the backends before the one in use; nothing if it was the
// first.
std::vector<std::string> FallbackDiagnostics(const Selection& selection);

// The message to a user when no backend is usable.
std::string NoBackendMessage(const std::vector<BackendReport>& reports);

}  // namespace forge
