#include "cli/search_paths.h"

#include <algorithm>

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
    for (SearchPlace& place : places_.list) place.is_file = IsFile(place);
    places_.one_file =
        sources.paths.size() + places_.missing.size() <= 1 && places_.list.size() == 1 && places_.list.front().is_file;
    return std::move(places_);
  }

 private:
  bool IsFile(const SearchPlace& place) const {
    if (place.is_input || !place.show_as || place.show_as->empty()) return place.is_input;
    return !os::IsFolder(PathFrom(global_.cwd.empty() ? "." : global_.cwd, *place.show_as));
  }

  // Without a path: every root, or the working folder.
  void AddDefaults() {
    if (!confined_ || !global_.cwd.empty()) {
      places_.list.push_back({.path = "", .show_as = ""});
      return;
    }
    std::vector<std::string> searched;
    for (const std::string& root : roots()) {
      const bool first = &root == roots().data();
      const std::string real = RealPath(root);
      if (IsSearched(real, searched)) continue;
      places_.list.push_back({.path = first ? "" : real, .show_as = WithoutSlash(OwnForm(root))});
      searched.push_back(real);
    }
  }

  // A root may lie in another one, which may also come later.
  bool IsSearched(const std::string& real, const std::vector<std::string>& searched) const {
    const auto holds = [&](const std::string& folder) { return !folder.empty() && IsWithin(real, folder); };
    if (std::any_of(searched.begin(), searched.end(), holds)) return true;
    return std::any_of(roots().begin(), roots().end(), [&](const std::string& root) {
      const std::string other = RealPath(root);
      return other != real && holds(other);
    });
  }

  const std::vector<std::string>& roots() const {
    return global_.roots.empty() ? sandbox_.allowed_roots : global_.roots;
  }

  void AddPath(const std::string& given) {
    const std::string path = OwnForm(given);
    if (path == kInput) {
      places_.list.push_back({.is_input = true, .path = "", .show_as = {}});
    } else if (confined_ && IsElsewhere(path)) {
      places_.list.push_back({.path = RealPath(path), .show_as = WithoutSlash(path)});
    } else if (confined_) {
      places_.list.push_back({.path = path, .show_as = ShownInRoot(path)});
    } else {
      AddFree(path);
    }
  }

  // Of several roots, only the first is where relative paths start. What was printed
  // of another one is found from the current folder; whether it may be searched, the
  // sandbox decides.
  bool IsElsewhere(const std::string& path) const {
    return !path.empty() && !IsAbsolutePath(path) && global_.cwd.empty() &&
           RealPath(PathFrom(roots().front(), path)).empty() && !RealPath(path).empty();
  }

  // A relative path starts at the first root, which may be another folder than the
  // current one.
  std::string ShownInRoot(const std::string& path) const {
    if (IsAbsolutePath(path) || !global_.cwd.empty()) return WithoutSlash(path);
    const std::string root = OwnForm(roots().front());
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
