// What the tests of the walk share: the stream as text.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "tree/walk.h"

namespace forge::testing {

// An environment without any global excludes.
inline std::shared_ptr<const GitEnvironment> NoGit() { return std::make_shared<GitEnvironment>(); }

inline Sandbox SandboxOf(const std::string& root, const SandboxConfig& config = {}) {
  Result<Sandbox> sandbox = Sandbox::Create({root}, "", config);
  if (!sandbox) throw std::runtime_error(sandbox.error().message);
  return std::move(*sandbox);
}

inline std::string Printed(const WalkEntry& entry) {
  switch (entry.kind) {
    case WalkEntry::Kind::kFile: return entry.path;
    case WalkEntry::Kind::kDenied: return "DENIED " + entry.path;
    case WalkEntry::Kind::kError: return "ERROR " + entry.path + ": " + entry.error;
  }
  return "";
}

// A folder open for a walk with these options.
class OpenRoot {
 public:
  OpenRoot(const Sandbox& sandbox, const std::string& folder, const WalkOptions& options = {})
      : root_(SearchRoot::Open(sandbox, folder, options.rules.traversal.follow)) {
    if (!root_.ok()) throw std::runtime_error(folder + ": " + root_.error().message());
  }
  const SearchRoot& operator*() const { return *root_; }

 private:
  os::OsResult<SearchRoot> root_;
};

// "a", "DENIED b", "ERROR c: Permission denied".
inline std::vector<std::string> WalkAll(const Sandbox& sandbox, const std::string& root, WalkOptions options = {}) {
  if (!options.git) options.git = NoGit();
  std::vector<std::string> out;
  const OpenRoot open(sandbox, root, options);
  Walk walk(*open, std::move(options), {});
  for (WalkEntry entry; walk.Next(entry);) out.push_back(Printed(entry));
  return out;
}

inline std::vector<std::string> WalkAll(const std::string& root, WalkOptions options = {}) {
  const Sandbox sandbox = SandboxOf(root);
  return WalkAll(sandbox, root, std::move(options));
}

inline GlobSet Globs(const std::vector<std::string>& patterns) {
  std::vector<Glob> out;
  for (const std::string& pattern : patterns) out.push_back(*Glob::Parse(pattern));
  return GlobSet(out);
}

}  // namespace forge::testing
