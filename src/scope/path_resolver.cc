#include "scope/path_resolver.h"

#include <algorithm>
#include <cerrno>
#include <utility>

#include "base/path.h"
#include "base/strings.h"

namespace forge {
namespace {

bool MeansMissing(int code) { return code == ENOENT || code == ENOTDIR; }

}  // namespace

PathResolver::PathResolver(const Sandbox& sandbox, Words words, std::string also)
    : sandbox_(sandbox), words_(words), also_(std::move(also)) {}

PathResolver::End PathResolver::Resolve(std::string_view path) {
  const std::string root(PathRoot(path));
  if (const auto end = root.empty() ? GoTo(sandbox_.working_dir()) : GoToRoot(root)) return *end;
  return Run(path.substr(root.size()));
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
  Queue(path, words_);
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
  if (component.name == "..") return GoUp(component.words);
  return GoDown(component);
}

// Otherwise the answer would depend on what exists outside.
std::optional<PathResolver::End> PathResolver::GoUp(Words words) {
  const std::string parent(ParentPath(current_));
  if (words == Words::kRequest && (!IsInside(current_) || !IsInside(parent))) return End::kOutside;
  if (words == Words::kTree && !IsInside(current_) && !IsAboveInside(current_)) return End::kOutside;
  if (type_ != os::FileType::kDirectory) return Missing(current_, ENOTDIR);
  if (words == Words::kRequest) named_.resize(ParentPath(named_).size());
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
  if (component.words == Words::kRequest) named_ = JoinPath(named_, component.name);
  if (IsDenied(next) || IsDenied(named_)) return End::kDenied;
  if (type_ != os::FileType::kDirectory) return Missing(next, ENOTDIR);
  auto place = os::OpenStep(folder_.get(), component.name);
  if (!place.ok()) return Failed(next, place.error());
  const auto info = os::Stat(place->get());
  if (!info.ok()) return Failed(next, info.error());
  if (info->type == os::FileType::kSymlink) return FollowLink(next, place->get());
  // Where one file answers to several spellings, its own decides.
  current_ = JoinPath(current_, os::OwnName(place->get(), component.name));
  if (current_ != next && IsDenied(current_)) return End::kDenied;
  type_ = info->type;
  if (type_ == os::FileType::kDirectory) folder_ = std::move(*place);
  return {};
}

std::optional<PathResolver::End> PathResolver::FollowLink(const std::string& link, int fd) {
  if (++links_ > kMaxLinks) return Failed(link, os::OsError{ELOOP});
  const auto read = os::LinkTarget(fd);
  if (!read.ok()) return Failed(link, read.error());
  const std::string target = read->starts_with('/') ? PathFrom(link, *read) : *read;  // it may lack a drive
  Queue(BelowRoot(target), IsInside(link) ? Words::kTree : Words::kOutside);
  const std::string root(PathRoot(target));
  return root.empty() ? std::nullopt : GoToRoot(root);
}

// A drive or a share without any allowed folder is not even opened. On Windows, opening
// the share of a server signs the user in there, and a model or a tree may name any.
std::optional<PathResolver::End> PathResolver::GoToRoot(const std::string& root) {
  if (!IsInside(root) && !IsAboveInside(root)) return End::kOutside;
  return GoTo(root);
}

void PathResolver::Queue(std::string_view path, Words words) {
  std::deque<Component> all;
  for (const std::string_view name : Split(path, '/')) all.push_back({std::string(name), words});
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
  // A folder above a root is there, whatever the system says of it.
  if (!IsInside(path) && !IsAboveInside(path)) return End::kOutside;
  error_ = error;
  return End::kFailed;
}

bool PathResolver::IsInside(std::string_view path) const {
  return sandbox_.InRoots(path) || (!also_.empty() && IsWithin(path, also_));
}

bool PathResolver::IsAboveInside(std::string_view path) const {
  const auto& roots = sandbox_.roots();
  return std::any_of(roots.begin(), roots.end(), [&](const std::string& root) { return IsWithin(root, path); }) ||
         (!also_.empty() && IsWithin(also_, path));
}

// Outside, the answer is "outside", never "denied". A pattern for folders
// counts for every kind of entry; otherwise the answer would tell whether a
// folder is there.
//
// A path is denied if it is itself, or if the folder above it is. It mostly grows by one
// name, and then the answer for the folder is known. To ask for all folders again with
// each name took seconds in a tree of 500 levels.
bool PathResolver::IsDenied(const std::string& path) {
  if (!IsInside(path) || path == allowed_) return false;
  const DenyList& denies = sandbox_.denies();
  const bool parent_is_allowed = !allowed_.empty() && ParentPath(path) == allowed_;
  if (parent_is_allowed ? denies.DeniesEntry(path, true) : denies.Denies(path, true)) return true;
  allowed_ = path;
  return false;
}

}  // namespace forge
