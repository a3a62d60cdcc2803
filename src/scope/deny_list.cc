#include "scope/deny_list.h"

#include <algorithm>
#include <array>

#include "base/strings.h"
#include "base/utf8.h"
#include "scope/paths.h"

namespace forge {
namespace {

constexpr std::array<std::string_view, 5> kDefaultDenies = {"**/.ssh/**", "**/.gnupg/**", "**/id_rsa*", "**/*.pem",
                                                            "**/*.key"};

bool AnyMatches(const std::vector<Glob>& globs, std::string_view path, bool is_folder) {
  return std::any_of(globs.begin(), globs.end(), [&](const Glob& g) { return g.Matches(path, is_folder); });
}

std::string_view FolderForm(std::string_view pattern) {
  if (pattern.size() > 3 && pattern.ends_with("/**")) pattern.remove_suffix(2);
  return pattern;
}

}  // namespace

Result<DenyList> DenyList::Create(const SandboxConfig& config, std::vector<std::string> roots) {
  DenyList list;
  list.roots_ = std::move(roots);
  if (config.include_default_denies) {
    for (const std::string_view pattern : kDefaultDenies) {
      if (const Status status = list.Add(pattern); !status) return status.error();
    }
  }
  for (const std::string& pattern : config.denied_patterns) {
    if (const Status status = list.Add(pattern); !status) {
      return BadArgs("tools.sandbox.denied_patterns: " + status.error().message + ": " + Sanitize(LossyUtf8(pattern)));
    }
  }
  return list;
}

Status DenyList::Add(std::string_view pattern) {
  description_.append(pattern).push_back('\n');
  Result<Glob> glob = Glob::Parse(FolderForm(pattern));
  if (!glob) return glob.error();
  (glob->any_depth() ? any_depth_ : anchored_).push_back(std::move(*glob));
  return {};
}

bool DenyList::DeniesEntry(std::string_view path, bool is_folder) const {
  const std::string_view from_top = RelativeTo(path, "/");
  // These patterns look at the name only. Fast, because every entry of a tree
  // is checked here.
  if (AnyMatches(any_depth_, from_top.substr(from_top.rfind('/') + 1), is_folder)) return true;
  if (anchored_.empty()) return false;
  if (AnyMatches(anchored_, from_top, is_folder)) return true;
  return std::any_of(roots_.begin(), roots_.end(), [&](const std::string& root) {
    return path.size() > root.size() && IsWithin(path, root) &&
           AnyMatches(anchored_, RelativeTo(path, root), is_folder);
  });
}

bool DenyList::Denies(std::string_view path, bool is_folder) const {
  while (path.size() > 1) {
    if (DeniesEntry(path, is_folder)) return true;
    path = ParentPath(path);
    is_folder = true;
  }
  return false;
}

}  // namespace forge
