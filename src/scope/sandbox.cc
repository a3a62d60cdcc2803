#include "scope/sandbox.h"

#include <algorithm>
#include <filesystem>

#include "base/strings.h"
#include "base/utf8.h"
#include "scope/resolve.h"

namespace forge {
namespace {

std::string Printable(std::string_view raw) { return Sanitize(LossyUtf8(raw)); }

// `setting` is named in errors.
Result<std::string> CanonicalFolder(const std::string& path, std::string_view setting) {
  const std::string where = std::string(setting) + ": " + Printable(path) + ": ";
  if (path.find('\0') != std::string::npos) return BadArgs(where + "contains a NUL byte");
  std::error_code code;
  const std::string canonical = std::filesystem::canonical(path, code).string();
  if (code) return ExecutionFailed(where + code.message());
  const auto info = os::StatPath(canonical);
  if (!info.ok()) return ExecutionFailed(where + info.error().message());
  if (info->type != os::FileType::kDirectory) return ExecutionFailed(where + "not a folder");
  return canonical;
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

Result<Target> Sandbox::Resolve(std::string_view path) const {
  if (path.find('\0') != std::string_view::npos) return BadArgs("path: contains a NUL byte");
  if (path.starts_with('/') && !allow_absolute_) {
    return SandboxViolation(ErrorCode::kPathOutsideSandbox, "absolute paths are not allowed: " + Printable(path) +
                                                                "; give a path relative to the working folder");
  }
  return PathResolver(*this, path).Run();
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
