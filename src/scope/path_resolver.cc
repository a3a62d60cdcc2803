#include "scope/path_resolver.h"

#include <cerrno>
#include <utility>

#include "base/strings.h"
#include "scope/paths.h"

namespace forge {
namespace {

bool MeansMissing(int code) { return code == ENOENT || code == ENOTDIR; }

}  // namespace

PathResolver::PathResolver(const Sandbox& sandbox, Words words, std::string also)
    : sandbox_(sandbox), words_(words), also_(std::move(also)) {}

PathResolver::End PathResolver::Resolve(std::string_view path) {
  const std::string start = path.starts_with('/') ? "/" : sandbox_.working_dir();
  if (const auto end = GoTo(start)) return *end;
  return Run(path);
}

PathResolver::End PathResolver::ResolveFrom(const std::string& folder, int fd, std::string_view path) {
  auto place = os::OpenStep(fd, ".");
  if (!place.ok()) return Failed(folder, place.error());
  folder_ = std::move(*place);
  current_ = folder;
  return Run(path);
}

Target PathResolver::TakeTarget() { return {std::move(current_), type_, std::move(folder_)}; }

PathResolver::End PathResolver::Run(std::string_view path) {
  named_ = current_;
  Queue(path, words_ == Words::kTree);
  while (!rest_.empty()) {
    const Component component = std::move(rest_.front());
    rest_.pop_front();
    if (const auto end = Step(component)) return *end;
  }
  if (!IsInside(current_)) return End::kOutside;
  if (IsDenied(current_) || IsDenied(named_)) return End::kDenied;
  return End::kFound;
}

std::optional<PathResolver::End> PathResolver::Step(const Component& component) {
  if (component.name.empty() || component.name == ".") return {};
  if (component.name == "..") return GoUp(component.from_tree);
  return GoDown(component);
}

// A request may use ".." only where both ends lie inside; otherwise its answer
// would depend on what exists outside.
std::optional<PathResolver::End> PathResolver::GoUp(bool from_tree) {
  const std::string parent(ParentPath(current_));
  if (!from_tree && (!IsInside(current_) || !IsInside(parent))) return End::kOutside;
  if (type_ != os::FileType::kDirectory) return Missing(current_, ENOTDIR);
  if (!from_tree) named_.resize(ParentPath(named_).size());
  return GoTo(parent);
}

std::optional<PathResolver::End> PathResolver::GoTo(const std::string& folder) {
  auto place = os::OpenExactFolder(folder);
  if (!place.ok()) return Failed(folder, place.error());
  folder_ = std::move(*place);
  current_ = folder;
  type_ = os::FileType::kDirectory;
  return {};
}

std::optional<PathResolver::End> PathResolver::GoDown(const Component& component) {
  const std::string next = JoinPath(current_, component.name);
  if (!component.from_tree) named_ = JoinPath(named_, component.name);
  if (IsDenied(next) || IsDenied(named_)) return End::kDenied;
  if (type_ != os::FileType::kDirectory) return Missing(next, ENOTDIR);
  auto place = os::OpenStep(folder_.get(), component.name);
  if (!place.ok()) return Failed(next, place.error());
  const auto info = os::Stat(place->get());
  if (!info.ok()) return Failed(next, info.error());
  if (info->type == os::FileType::kSymlink) return FollowLink(next, place->get());
  current_ = next;
  type_ = info->type;
  if (type_ == os::FileType::kDirectory) folder_ = std::move(*place);
  return {};
}

std::optional<PathResolver::End> PathResolver::FollowLink(const std::string& link, int fd) {
  if (++links_ > kMaxLinks) return Failed(link, os::OsError{ELOOP});
  const auto target = os::LinkTarget(fd);
  if (!target.ok()) return Failed(link, target.error());
  Queue(*target, true);
  return target->starts_with('/') ? GoTo("/") : std::nullopt;
}

void PathResolver::Queue(std::string_view path, bool from_tree) {
  std::deque<Component> all;
  for (const std::string_view name : Split(path, '/')) all.push_back({std::string(name), from_tree});
  for (Component& component : rest_) all.push_back(std::move(component));
  rest_ = std::move(all);
}

// Containment and deny rules come first, also for the part of the path that we
// cannot reach.
PathResolver::End PathResolver::Missing(const std::string& path, int code) {
  std::string there = path;
  if (!IsInside(there)) return End::kOutside;
  for (const Component& component : rest_) {
    if (component.name.empty() || component.name == ".") continue;
    there = component.name == ".." ? std::string(ParentPath(there)) : JoinPath(there, component.name);
    if (!IsInside(there)) return End::kOutside;
    if (IsDenied(there)) return End::kDenied;
  }
  error_ = {code};
  return End::kMissing;
}

PathResolver::End PathResolver::Failed(const std::string& path, const os::OsError& error) {
  if (MeansMissing(error.code)) return Missing(path, error.code);
  if (!IsInside(path)) return End::kOutside;
  error_ = error;
  return End::kFailed;
}

bool PathResolver::IsInside(std::string_view path) const {
  return sandbox_.InRoots(path) || (!also_.empty() && IsWithin(path, also_));
}

// Outside, the answer is "outside", never "denied". Patterns for folders count
// for any kind of entry, or the answer would tell whether one is there.
bool PathResolver::IsDenied(const std::string& path) const {
  return IsInside(path) && sandbox_.denies().Denies(path, true);
}

}  // namespace forge
