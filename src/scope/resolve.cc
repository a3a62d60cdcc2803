#include "scope/resolve.h"

#include <cerrno>

#include "base/strings.h"
#include "base/utf8.h"

namespace forge {
namespace {

constexpr int kMaxLinks = 40;  // as Linux

std::string Printable(std::string_view raw) { return Sanitize(LossyUtf8(raw)); }

bool MeansMissing(int code) { return code == ENOENT || code == ENOTDIR; }

}  // namespace

PathResolver::PathResolver(const Sandbox& sandbox, std::string_view given)
    : sandbox_(sandbox),
      given_(given),
      current_(given.starts_with('/') ? "/" : sandbox.working_dir()),
      named_(current_) {
  Queue(given, false);
}

Result<Target> PathResolver::Run() {
  while (!rest_.empty()) {
    const Component component = std::move(rest_.front());
    rest_.pop_front();
    if (const Status status = Step(component); !status) return status.error();
  }
  if (!sandbox_.InRoots(current_)) return Outside();
  if (IsDenied(current_) || IsDenied(named_)) return Denied();
  const auto info = os::LstatPath(current_);
  if (!info.ok()) return MeansMissing(info.error().code) ? Missing(current_) : Failed(info.error().message());
  return Target{current_, info->type};
}

Status PathResolver::Step(const Component& component) {
  if (component.name.empty() || component.name == ".") return {};
  if (component.name == "..") return GoUp(component.from_link);
  return GoDown(component);
}

// A request may use ".." only where both ends lie inside a root; otherwise its
// answer would depend on what exists outside.
Status PathResolver::GoUp(bool from_link) {
  const std::string parent(ParentPath(current_));
  if (!from_link && (!sandbox_.InRoots(current_) || !sandbox_.InRoots(parent))) return Outside();
  if (type_ != os::FileType::kDirectory) return Missing(current_);
  current_ = parent;
  if (!from_link) named_.resize(ParentPath(named_).size());
  return {};
}

Status PathResolver::GoDown(const Component& component) {
  const std::string next = JoinPath(current_, component.name);
  if (!component.from_link) named_ = JoinPath(named_, component.name);
  if (IsDenied(next) || IsDenied(named_)) return Denied();
  if (type_ != os::FileType::kDirectory) return Missing(next);
  const auto info = os::LstatPath(next);
  if (!info.ok()) {
    if (MeansMissing(info.error().code)) return Missing(next);
    if (!sandbox_.InRoots(next)) return Outside();
    return Failed(info.error().message());
  }
  if (info->type == os::FileType::kSymlink) return FollowLink(next);
  current_ = next;
  type_ = info->type;
  return {};
}

Status PathResolver::FollowLink(const std::string& link) {
  const bool inside = sandbox_.InRoots(link);
  if (++links_ > kMaxLinks) return inside ? Failed("too many symbolic links") : Outside();
  const auto target = os::ReadLink(link);
  if (!target.ok()) return inside ? Failed(target.error().message()) : Outside();
  Queue(*target, true);
  if (target->starts_with('/')) current_.assign(1, '/');
  return {};
}

void PathResolver::Queue(std::string_view path, bool from_link) {
  std::deque<Component> all;
  for (const std::string_view name : Split(path, '/')) all.push_back({std::string(name), from_link});
  for (Component& component : rest_) all.push_back(std::move(component));
  rest_ = std::move(all);
}

// Containment and deny come first, also for the part that cannot be reached.
Error PathResolver::Missing(const std::string& path) {
  std::string there = path;
  if (!sandbox_.InRoots(there)) return Outside();
  for (const Component& component : rest_) {
    if (component.name.empty() || component.name == ".") continue;
    there = component.name == ".." ? std::string(ParentPath(there)) : JoinPath(there, component.name);
    if (!sandbox_.InRoots(there)) return Outside();
    if (IsDenied(there)) return Denied();
  }
  return ExecutionFailed("path does not exist: " + Printable(given_));
}

Error PathResolver::Failed(std::string_view why) const {
  return ExecutionFailed("cannot open path: " + Printable(given_) + ": " + std::string(why));
}

Error PathResolver::Outside() const {
  std::string allowed;
  for (const std::string& root : sandbox_.roots()) allowed += (allowed.empty() ? "" : ", ") + Printable(root);
  return SandboxViolation(
      ErrorCode::kPathOutsideSandbox,
      "path is outside the allowed folders: " + Printable(given_) + "; give a path inside: " + allowed);
}

Error PathResolver::Denied() const {
  return SandboxViolation(ErrorCode::kDeniedPatternMatched,
                          "path matches a deny pattern and cannot be searched: " +
                              (given_.empty() ? std::string("the working folder") : Printable(given_)) +
                              "; see tools.sandbox.denied_patterns and include_default_denies");
}

// Outside the roots the answer is "outside", never "denied". Patterns for
// folders count whatever is there, or the answer would tell whether it is.
bool PathResolver::IsDenied(const std::string& path) const {
  return sandbox_.InRoots(path) && sandbox_.denies_.Denies(path, true);
}

}  // namespace forge
