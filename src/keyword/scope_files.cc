#include "keyword/scope_files.h"

#include "base/path.h"
#include "keyword/stage.h"

namespace forge::keyword {
namespace {

// PATH_MAX of Linux. A longer name could keep us busy with "a/../a/../".
constexpr std::size_t kLongestName = 4096;

}  // namespace

ScopeFiles::ScopeFiles(const Sandbox& sandbox, const std::string& root)
    : sandbox_(sandbox), root_(root), way_(WayTo(root, sandbox.working_dir())) {}

std::optional<std::string> ScopeFiles::Find(std::string_view name) const {
  if (IsAbsolutePath(name)) {
    if (!IsWithin(name, root_)) return std::nullopt;
    name = RelativeTo(name, root_);
  }
  if (name.empty() || name.starts_with('/') || name.ends_with('/') || name.size() > kLongestName) return std::nullopt;
  const auto target = sandbox_.Resolve(JoinPath(way_, name));
  if (!target || target->type() != os::FileType::kRegular || !IsWithin(target->path(), root_)) return std::nullopt;
  return std::string(RelativeTo(target->path(), root_));
}

}  // namespace forge::keyword
