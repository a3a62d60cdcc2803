#include "scope/sandbox.h"

#include <algorithm>
#include <cerrno>

#include "base/strings.h"
#include "base/utf8.h"
#include "os/named_file.h"
#include "scope/path_resolver.h"

namespace forge {
namespace {

std::string Printable(std::string_view raw) { return Echo(raw, 500); }

Error Outside(std::string_view given, const std::vector<std::string>& roots) {
  std::string allowed;
  for (const std::string& root : roots) allowed += (allowed.empty() ? "" : ", ") + Printable(root);
  return SandboxViolation(ErrorCode::kPathOutsideSandbox, "path is outside the allowed folders: " + Printable(given) +
                                                              "; give a path inside: " + allowed);
}

Error Denied(std::string_view given) {
  return SandboxViolation(ErrorCode::kDeniedPatternMatched,
                          "path matches a deny pattern and cannot be searched: " +
                              (given.empty() ? std::string("the working folder") : Printable(given)) +
                              "; see tools.sandbox.denied_patterns and include_default_denies");
}

Error Missing(std::string_view given) {
  return ExecutionFailed("path does not exist: " + Printable(given), ErrorCode::kNotFound);
}

// A server lives longer than some folders: a clone is removed and made again, a volume
// is unmounted.
bool IsGone(const std::string& folder) {
  const auto opened = os::OpenExactFolder(folder);
  return !opened.ok() && (opened.error().code == ENOENT || opened.error().code == ENOTDIR);
}

Error FolderGone(const std::string& folder) {
  return ExecutionFailed("the searched folder does not exist any more: " + Printable(folder) +
                             "; it is searched again as soon as it has been made again",
                         ErrorCode::kNotFound);
}

// Errors name `setting`.
Result<std::string> CanonicalFolder(const std::string& path, std::string_view setting) {
  const std::string where = std::string(setting) + ": " + Printable(path) + ": ";
  if (path.find('\0') != std::string::npos) return BadArgs(where + "contains a NUL byte");
  const auto canonical = os::CanonicalPath(path);
  if (!canonical.ok()) return ExecutionFailed(where + canonical.error().message());
  const auto info = os::StatPath(*canonical);
  if (!info.ok()) return ExecutionFailed(where + info.error().message());
  if (info->type != os::FileType::kDirectory) return ExecutionFailed(where + "not a folder");
  return *canonical;
}

}  // namespace

Result<Sandbox> Sandbox::Create(const std::vector<std::string>& roots, const std::string& working_dir,
                                const SandboxConfig& config) {
  Sandbox sandbox;
  if (roots.empty()) return BadArgs("root: no folder given (--root, tools.sandbox.allowed_roots)");
  for (const std::string& root : roots) {
    Result<std::string> canonical = CanonicalFolder(root, "root (--root, tools.sandbox.allowed_roots)");
    if (!canonical) return std::move(canonical).error();
    sandbox.roots_.push_back(std::move(*canonical));
  }
  sandbox.working_dir_ = sandbox.roots_.front();
  if (!working_dir.empty()) {
    Result<std::string> canonical = CanonicalFolder(working_dir, "working folder");
    if (!canonical) return std::move(canonical).error();
    sandbox.working_dir_ = std::move(*canonical);
  }
  if (!sandbox.InRoots(sandbox.working_dir_)) {
    return SandboxViolation(ErrorCode::kPathOutsideSandbox,
                            "working folder: " + Printable(working_dir) + ": outside every allowed root");
  }
  Result<DenyList> denies = DenyList::Create(config, sandbox.roots_);
  if (!denies) return std::move(denies).error();
  sandbox.denies_ = std::move(*denies);
  sandbox.allow_absolute_ = config.allow_absolute;
  return sandbox;
}

Result<Target> Sandbox::Resolve(std::string_view given) const {
  std::string path = OwnForm(given);
  if (path.starts_with('/')) path = PathFrom(working_dir_, path);  // it may lack a drive
  if (path.find('\0') != std::string::npos) return BadArgs("path: contains a NUL byte");
  if (IsAbsolutePath(path) && !allow_absolute_) {
    return SandboxViolation(ErrorCode::kPathOutsideSandbox, "absolute paths are not allowed: " + Printable(path) +
                                                                "; give a path relative to the working folder");
  }
  PathResolver resolver(*this, PathResolver::Words::kRequest);
  switch (resolver.Resolve(path)) {
    case PathResolver::End::kFound: return resolver.TakeTarget();
    case PathResolver::End::kOutside: return Outside(path, roots_);
    case PathResolver::End::kDenied: return Denied(path);
    case PathResolver::End::kMissing:
      if (!path.starts_with('/') && IsGone(working_dir_)) return FolderGone(working_dir_);
      return Missing(path);
    case PathResolver::End::kFailed: break;
  }
  const std::string why = resolver.too_many_links() ? "too many symbolic links" : resolver.error().message();
  return ExecutionFailed("cannot open path: " + Printable(path.empty() ? working_dir_ : path) + ": " + why);
}

os::OsResult<Target> Sandbox::Follow(const std::string& folder, int fd, std::string_view path) const {
  PathResolver resolver(*this, PathResolver::Words::kTree);
  switch (resolver.ResolveFrom(folder, fd, path)) {
    case PathResolver::End::kFound: return resolver.TakeTarget();
    case PathResolver::End::kOutside:
    case PathResolver::End::kDenied: return os::OsError{EXDEV};
    case PathResolver::End::kMissing:
    case PathResolver::End::kFailed: break;
  }
  return resolver.error();
}

os::OsResult<std::string> Sandbox::ReadNamedByTree(const std::string& absolute, std::uint64_t limit,
                                                   const std::string& also) const {
  PathResolver resolver(*this, PathResolver::Words::kTree, also);
  const PathResolver::End end = resolver.Resolve(absolute);
  if (end == PathResolver::End::kFailed) return resolver.error();
  if (end != PathResolver::End::kFound) return os::OsError{ENOENT};
  const Target target = resolver.TakeTarget();
  if (target.is_folder()) return os::OsError{EISDIR};
  const auto file = target.OpenFile();
  if (!file.ok()) return file.error();
  return os::ReadSmall(file->get(), limit);
}

bool Sandbox::DeniesEntry(std::string_view absolute, bool is_folder) const {
  return denies_.DeniesEntry(absolute, is_folder);
}

bool Sandbox::Admits(std::string_view canonical, bool is_folder) const {
  return InRoots(canonical) && !denies_.Denies(canonical, is_folder);
}

std::string Sandbox::Display(std::string_view absolute) const {
  if (!IsWithin(absolute, working_dir_)) return std::string(absolute);
  const std::string_view relative = RelativeTo(absolute, working_dir_);
  return relative.empty() ? "." : std::string(relative);
}

bool Sandbox::InRoots(std::string_view path) const {
  return std::any_of(roots_.begin(), roots_.end(), [&](const std::string& root) { return IsWithin(path, root); });
}

}  // namespace forge
