#include "cli/search_paths.h"

#include "base/path.h"
#include "os/named_file.h"

namespace forge::cli {
namespace {

constexpr std::string_view kInput = "-";

std::string WithoutSlash(std::string path) {
  const std::size_t root = PathRoot(path).size();
  while (path.size() > 1 && path.size() > root && path.ends_with('/')) path.pop_back();
  return path;
}

// Canonical; "" if there is nothing.
std::string RealPath(const std::string& path) {
  auto real = os::CanonicalPath(path);
  return real.ok() ? *std::move(real) : "";
}

class Finder {
 public:
  Finder(const GlobalOptions& global, const SandboxConfig& sandbox)
      : global_(global), confined_(!global.roots.empty() || !sandbox.allowed_roots.empty()), sandbox_(sandbox) {
    places_.roots = global.roots;
    places_.working_dir = global.cwd;
  }

  SearchPlaces Find(const PlaceSources& sources) {
    if (!sources.paths.empty()) {
      for (const std::string& path : sources.paths) AddPath(path);
    } else if (sources.input_by_default && !confined_) {
      places_.list.push_back({.is_input = true, .path = "", .show_as = {}});
    } else {
      AddDefaults();
    }
    places_.one_file = sources.paths.size() + places_.missing.size() <= 1 && places_.list.size() == 1 && IsFile();
    return std::move(places_);
  }

 private:
  bool IsFile() const {
    const SearchPlace& only = places_.list.front();
    return only.is_input || (only.show_as && !only.show_as->empty() && !os::IsFolder(*only.show_as));
  }

  // Without a path: every root, or the working folder.
  void AddDefaults() {
    if (!confined_ || !global_.cwd.empty()) {
      places_.list.push_back({.path = "", .show_as = ""});
      return;
    }
    const std::vector<std::string>& roots = global_.roots.empty() ? sandbox_.allowed_roots : global_.roots;
    for (const std::string& root : roots) {
      const bool first = &root == roots.data();
      places_.list.push_back({.path = first ? "" : RealPath(root), .show_as = WithoutSlash(root)});
    }
  }

  void AddPath(const std::string& given) {
    const std::string path = OwnForm(given);
    if (path == kInput) {
      places_.list.push_back({.is_input = true, .path = "", .show_as = {}});
    } else if (confined_) {
      places_.list.push_back({.path = path, .show_as = ShownInRoot(path)});
    } else {
      AddFree(path);
    }
  }

  // A relative path starts at the first root, which may be another folder than the
  // current one.
  std::string ShownInRoot(const std::string& path) const {
    if (IsAbsolutePath(path) || !global_.cwd.empty()) return WithoutSlash(path);
    const std::string& root = global_.roots.empty() ? sandbox_.allowed_roots.front() : global_.roots.front();
    return root == "." ? WithoutSlash(path) : WithoutSlash(PathFrom(root, path));
  }

  // A path outside the working folder becomes a root of its own.
  void AddFree(const std::string& path) {
    const std::string base = global_.cwd.empty() ? "." : global_.cwd;
    const std::string real = path.empty() ? "" : RealPath(PathFrom(base, path));
    if (real.empty()) {
      places_.missing.push_back(path);
      return;
    }
    if (const std::string folder = RealPath(base); !folder.empty() && IsWithin(real, folder)) {
      places_.list.push_back({.path = std::string(RelativeTo(real, folder)), .show_as = WithoutSlash(path)});
      return;
    }
    if (places_.roots.empty()) places_.roots.push_back(base);
    places_.roots.push_back(os::IsFolder(real) ? real : std::string(ParentPath(real)));
    places_.working_dir = base;
    places_.list.push_back({.path = real, .show_as = WithoutSlash(path)});
  }

  const GlobalOptions& global_;
  const bool confined_;
  const SandboxConfig& sandbox_;
  SearchPlaces places_;
};

}  // namespace

SearchPlaces FindPlaces(const PlaceSources& sources, const GlobalOptions& global, const SandboxConfig& sandbox) {
  return Finder(global, sandbox).Find(sources);
}

}  // namespace forge::cli
