#include "tree/ignore_scope.h"

#include <algorithm>
#include <cerrno>

#include "base/path.h"
#include "base/strings.h"
#include "os/file.h"

namespace forge {
namespace {

std::size_t BaseOf(std::string_view folder) { return folder.ends_with('/') ? folder.size() : folder.size() + 1; }

// We do not read symlinked ignore files; git does not either. `linked`: the file has other
// names, under which it can be written to.
RulesPtr ReadBeneath(int fd, const std::string& name, LetterCase letters, bool& linked,
                     std::vector<IgnoreFileError>& errors) {
  const auto failed = [&](const os::OsError& error) {
    if (error.code == ENOENT || error.code == ELOOP) return nullptr;
    errors.push_back({name, error.message() + "; its rules are not applied"});
    return nullptr;
  };
  const auto file = os::OpenBeneath(fd, name);
  if (!file.ok()) return failed(file.error());
  const auto info = os::Stat(file->get());
  if (!info.ok()) return failed(info.error());
  if (info->type != os::FileType::kRegular) return nullptr;
  linked = info->links > 1;
  os::Buffer text;
  const auto size = os::ReadAll(file->get(), 0, kMaxIgnoreFileSize + 1, text);
  if (!size.ok()) return failed(size.error());
  if (*size > kMaxIgnoreFileSize) {
    errors.push_back({name, "larger than 1 MiB; its rules are not applied"});
    return nullptr;
  }
  return std::make_shared<IgnoreRules>(text.view(), letters);
}

bool HasGitEntry(int folder, std::vector<IgnoreFileError>& errors) {
  const auto info = os::StatEntry(folder, ".git");
  if (!info.ok() && !MeansNoFile(info.error())) {
    errors.push_back({".git", info.error().message() + "; ignore rules of a repository are not applied"});
  }
  return info.ok();
}

// Whether a folder above the root is simply not ours to enter.
bool IsClosed(const os::OsError& error) {
  return error.code == EACCES || error.code == EPERM || error.code == EXDEV || error.code == ELOOP ||
         MeansNoFile(error);
}

// The nearest parent of `root` that is a repository; empty if there is none.
std::string RepositoryAbove(std::string_view root, GitExcludes& excludes, std::vector<IgnoreFileError>& errors) {
  while (!BelowRoot(root).empty()) {
    root = ParentPath(root);
    excludes.AddInput(JoinPath(root, ".git"));
    const auto folder = os::OpenExactFolder(std::string(root));
    if (!folder.ok() && !IsClosed(folder.error())) {
      errors.push_back({"", "cannot look for a repository in " + ShownName(root) + ": " + folder.error().message()});
    }
    if (folder.ok() && HasGitEntry(folder->get(), errors) && excludes.IsRepository(std::string(root), errors)) {
      return std::string(root);
    }
  }
  return "";
}

}  // namespace

ScopePtr IgnoreScope::InRepository(const std::string& top) {
  auto scope = std::make_shared<IgnoreScope>();
  scope->repository_ = top;
  return scope;
}

ScopePtr IgnoreScope::Above(const SearchRoot& search_root, GitExcludes& excludes,
                            std::vector<IgnoreFileError>& errors) {
  const std::string& root = search_root.folder();
  // The listing of a root that is a repository finds its ".git" itself.
  if (HasGitEntry(search_root.fd(), errors) && excludes.IsRepository(root, errors)) return InRepository(root);
  const std::string top = RepositoryAbove(root, excludes, errors);
  if (top.empty()) {
    auto scope = std::make_shared<IgnoreScope>();
    scope->UseExcludes(excludes.WithoutRepository(errors), BaseOf(root), errors);
    return scope;
  }
  ScopePtr scope = InRepository(top);
  std::size_t end = top.size();
  while (end < root.size()) {
    const std::string folder = root.substr(0, end);
    for (const char* name : {".ignore", ".gitignore"}) excludes.AddInput(JoinPath(folder, name));
    if (const auto fd = os::OpenExactFolder(folder); fd.ok()) {
      scope = Enter(scope, fd->get(), folder, {true, true, end == top.size()}, excludes, errors);
    } else {
      errors.push_back({"", "cannot read the ignore files of " + ShownName(folder) + ": " + fd.error().message()});
    }
    end = std::min(root.find('/', end + 1), root.size());
  }
  return scope;
}

ScopePtr IgnoreScope::Enter(const ScopePtr& parent, int fd, const std::string& folder, IgnoreSources sources,
                            GitExcludes& excludes, std::vector<IgnoreFileError>& errors) {
  if (sources.repository) sources.repository = parent->repository_ == folder || excludes.IsRepository(folder, errors);
  if (!sources.any()) return parent;
  auto scope = std::make_shared<IgnoreScope>(*parent);
  const std::size_t base = BaseOf(folder);
  if (sources.repository) {
    // Another repository: the rules of the outer one do not count here.
    scope->gitignore_ = nullptr;
    scope->repository_ = folder;
    scope->UseExcludes(excludes.ForRepository(folder, errors), base, errors);
  }
  const auto add = [&](LinkPtr& chain, const char* name, LetterCase letters) {
    bool linked = false;
    const RulesPtr rules = scope->Admitted(ReadBeneath(fd, name, letters, linked, errors), name, errors);
    const std::string path = JoinPath(folder, name);
    // The watch of this folder does not see a write under another name.
    if (linked) excludes.AddInput(path);
    excludes.AddFile(path);
    if (rules && !rules->empty()) chain = std::make_shared<Link>(Link{{rules, base}, chain});
  };
  // core.ignoreCase is git's, so it is not for .ignore.
  if (sources.ignore) add(scope->ignore_, ".ignore", LetterCase::kExact);
  if (sources.gitignore) add(scope->gitignore_, ".gitignore", scope->letters_);
  return scope;
}

void IgnoreScope::UseExcludes(const GitExcludes::Excludes& excludes, std::size_t base,
                              std::vector<IgnoreFileError>& errors) {
  letters_ = excludes.letters;
  exclude_ = global_ = {};
  exclude_ = {Admitted(excludes.exclude, ".git/info/exclude", errors), base};
  global_ = {Admitted(excludes.global, "", errors), base};
}

void IgnoreScope::Weight::Add(const RulesPtr& rules) {
  if (!rules) return;
  slow_rules += rules->slow_rules();
  bytes += rules->bytes();
}

IgnoreScope::Weight IgnoreScope::WeightInForce() const {
  Weight weight;
  for (const LinkPtr& chain : {ignore_, gitignore_}) {
    for (const Link* link = chain.get(); link != nullptr; link = link->parent.get()) weight.Add(link->own.rules);
  }
  weight.Add(exclude_.rules);
  weight.Add(global_.rules);
  return weight;
}

RulesPtr IgnoreScope::Admitted(RulesPtr rules, const char* file, std::vector<IgnoreFileError>& errors) const {
  Weight weight = WeightInForce();
  weight.Add(rules);
  if (!rules || !weight.TooMuch()) return rules;
  const std::string name = file;
  errors.push_back({name, (name.empty() ? "core.excludesFile: " : "") + std::string("with it, more than ") +
                              std::to_string(kMostSlowRules) +
                              " rules with wildcards or 8 MiB of rules would apply here; its rules are not applied"});
  return nullptr;
}

Verdict IgnoreScope::Anchored::Decide(std::string_view path, std::string_view name, bool is_folder, Pace* pace) const {
  return rules ? rules->Decide(path.substr(base), name, is_folder, pace) : Verdict::kNone;
}

Verdict IgnoreScope::Decide(const LinkPtr& chain, std::string_view path, std::string_view name, bool is_folder,
                            Pace* pace) {
  for (const Link* link = chain.get(); link != nullptr; link = link->parent.get()) {
    const Verdict verdict = link->own.Decide(path, name, is_folder, pace);
    if (verdict != Verdict::kNone) return verdict;
  }
  return Verdict::kNone;
}

bool IgnoreScope::Ignores(std::string_view path, std::string_view name, bool is_folder, Pace* pace) const {
  Verdict verdict = Decide(ignore_, path, name, is_folder, pace);
  if (verdict == Verdict::kNone) verdict = Decide(gitignore_, path, name, is_folder, pace);
  if (verdict == Verdict::kNone) verdict = exclude_.Decide(path, name, is_folder, pace);
  if (verdict == Verdict::kNone) verdict = global_.Decide(path, name, is_folder, pace);
  return verdict == Verdict::kIgnore;
}

}  // namespace forge
