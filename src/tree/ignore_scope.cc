#include "tree/ignore_scope.h"

#include <algorithm>
#include <cerrno>

#include "os/file.h"
#include "scope/paths.h"

namespace forge {
namespace {

std::size_t BaseOf(std::string_view folder) { return folder.ends_with('/') ? folder.size() : folder.size() + 1; }

// We do not read symlinked ignore files; git does not either.
RulesPtr ReadBeneath(int fd, const std::string& name, std::vector<IgnoreFileError>& errors) {
  const auto file = os::OpenBeneath(fd, name);
  os::Buffer text;
  os::OsError error;
  if (!file.ok()) {
    error = file.error();
  } else if (const auto info = os::Stat(file->get()); !info.ok() || info->type != os::FileType::kRegular) {
    return nullptr;
  } else if (const auto size = os::ReadAll(file->get(), 0, kMaxIgnoreFileSize + 1, text); !size.ok()) {
    error = size.error();
  } else if (*size > kMaxIgnoreFileSize) {
    errors.push_back({name, "larger than 1 MiB; its rules are not applied"});
    return nullptr;
  }
  if (error.code == 0) return std::make_shared<IgnoreRules>(text.view());
  if (error.code != ENOENT && error.code != ELOOP) {
    errors.push_back({name, error.message() + "; its rules are not applied"});
  }
  return nullptr;
}

bool HasGitEntry(int folder) { return os::StatEntry(folder, ".git").ok(); }

// The nearest parent of `root` with a ".git"; empty if there is none.
std::string RepositoryAbove(std::string_view root, GitExcludes& excludes) {
  while (root.size() > 1) {
    root = ParentPath(root);
    excludes.AddInput(JoinPath(root, ".git"));
    const auto folder = os::OpenExactFolder(std::string(root));
    if (folder.ok() && HasGitEntry(folder->get())) return std::string(root);
  }
  return "";
}

}  // namespace

ScopePtr IgnoreScope::Above(const SearchRoot& search_root, GitExcludes& excludes,
                            std::vector<IgnoreFileError>& errors) {
  // The listing of a root that is a repository finds its ".git" itself.
  if (HasGitEntry(search_root.fd())) return std::make_shared<IgnoreScope>();
  const std::string& root = search_root.folder();
  const std::string top = RepositoryAbove(root, excludes);
  if (top.empty()) {
    auto scope = std::make_shared<IgnoreScope>();
    scope->global_ = {excludes.WithoutRepository(errors), BaseOf(root)};
    return scope;
  }
  ScopePtr scope = std::make_shared<IgnoreScope>();
  std::size_t end = top.size();
  while (end < root.size()) {
    const std::string folder = root.substr(0, end);
    for (const char* name : {".ignore", ".gitignore"}) excludes.AddInput(JoinPath(folder, name));
    if (const auto fd = os::OpenExactFolder(folder); fd.ok()) {
      scope = Enter(scope, fd->get(), folder, {true, true, end == top.size()}, excludes, errors);
    } else {
      errors.push_back({"the ignore files of a parent folder", fd.error().message()});
    }
    end = std::min(root.find('/', end + 1), root.size());
  }
  return scope;
}

ScopePtr IgnoreScope::Enter(const ScopePtr& parent, int fd, const std::string& folder, IgnoreSources sources,
                            GitExcludes& excludes, std::vector<IgnoreFileError>& errors) {
  if (!sources.any()) return parent;
  auto scope = std::make_shared<IgnoreScope>(*parent);
  const std::size_t base = BaseOf(folder);
  if (sources.repository) {
    // Another repository: the rules of the outer one do not count here.
    const GitExcludes::OfRepository own = excludes.ForRepository(folder, errors);
    scope->gitignore_ = nullptr;
    scope->exclude_ = {own.exclude, base};
    scope->global_ = {own.global, base};
  }
  const auto add = [&](LinkPtr& chain, const char* name) {
    const RulesPtr rules = ReadBeneath(fd, name, errors);
    if (rules && !rules->empty()) chain = std::make_shared<Link>(Link{{rules, base}, chain});
  };
  if (sources.ignore) add(scope->ignore_, ".ignore");
  if (sources.gitignore) add(scope->gitignore_, ".gitignore");
  return scope;
}

Verdict IgnoreScope::Anchored::Decide(std::string_view path, std::string_view name, bool is_folder) const {
  return rules ? rules->Decide(path.substr(base), name, is_folder) : Verdict::kNone;
}

Verdict IgnoreScope::Decide(const LinkPtr& chain, std::string_view path, std::string_view name, bool is_folder) {
  for (const Link* link = chain.get(); link != nullptr; link = link->parent.get()) {
    if (const Verdict verdict = link->own.Decide(path, name, is_folder); verdict != Verdict::kNone) return verdict;
  }
  return Verdict::kNone;
}

bool IgnoreScope::Ignores(std::string_view path, std::string_view name, bool is_folder) const {
  Verdict verdict = Decide(ignore_, path, name, is_folder);
  if (verdict == Verdict::kNone) verdict = Decide(gitignore_, path, name, is_folder);
  if (verdict == Verdict::kNone) verdict = exclude_.Decide(path, name, is_folder);
  if (verdict == Verdict::kNone) verdict = global_.Decide(path, name, is_folder);
  return verdict == Verdict::kIgnore;
}

}  // namespace forge
