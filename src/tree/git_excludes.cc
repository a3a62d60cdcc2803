#include "tree/git_excludes.h"

#include <cerrno>

#include "os/named_file.h"
#include "scope/paths.h"

namespace forge {
namespace {

constexpr std::uint64_t kMaxPointer = 1 << 16;  // bytes of a file that holds one path

std::string_view FirstLine(std::string_view text) {
  text = text.substr(0, text.find('\n'));
  if (text.ends_with('\r')) text.remove_suffix(1);
  return text;
}

std::string Against(const std::string& folder, std::string_view path) {
  return path.starts_with('/') ? std::string(path) : JoinPath(folder, path);
}

// The PATH of "gitdir: PATH" in the file ".git" of a linked work tree or a
// submodule. Empty if `folder` has no such file.
std::string GitFolderNamedIn(const std::string& folder, const ReadFile& read) {
  constexpr std::string_view kKey = "gitdir: ";
  const auto text = read(JoinPath(folder, ".git"), kMaxPointer);
  if (!text.ok() || !FirstLine(*text).starts_with(kKey)) return "";
  return Against(folder, FirstLine(*text).substr(kKey.size()));
}

// Whether the folder `git`, wherever it is, says that the work tree at `folder`
// belongs to it. `git worktree add` writes that there; a tree cannot write to
// another place.
bool NamesWorkTree(const std::string& git, const std::string& folder) {
  const auto back = os::ReadSmallFile(JoinPath(git, "gitdir"), kMaxPointer);
  return back.ok() && FirstLine(*back) == JoinPath(folder, ".git");
}

RulesPtr ReadRules(const std::string& path, std::string_view shown, const ReadFile& read,
                   std::vector<IgnoreFileError>& errors) {
  const auto text = read(path, kMaxIgnoreFileSize);
  if (text.ok()) return std::make_shared<IgnoreRules>(*text);
  const int code = text.error().code;
  if (code == EFBIG) {
    errors.push_back({std::string(shown), "larger than 1 MiB; its rules are not applied"});
  } else if (code != ENOENT && code != ENOTDIR && code != EINVAL && code != EISDIR) {
    errors.push_back({std::string(shown), text.error().message() + "; its rules are not applied"});
  }
  return nullptr;
}

constexpr std::string_view kGlobalShown = "the global excludes (core.excludesFile)";

}  // namespace

GitExcludes::GitExcludes(const GitEnvironment& environment, const Sandbox& sandbox)
    : environment_(environment), sandbox_(sandbox) {
  for (const std::string& file : environment.configs) {
    if (auto setting = Setting(file, os::ReadSmallFile)) user_setting_ = std::move(setting);
  }
}

std::optional<std::string> GitExcludes::Setting(const std::string& file, const ReadFile& read) {
  std::vector<std::string> looked_at;
  auto setting = ReadExcludesFileSetting(file, environment_, read, &looked_at);
  for (std::string& path : looked_at) AddInput(std::move(path));
  return setting;
}

std::vector<std::string> GitExcludes::inputs() const {
  const Lock lock(mutex_);
  return {inputs_.begin(), inputs_.end()};
}

void GitExcludes::AddInput(std::string path) {
  const Lock lock(mutex_);
  inputs_.insert(std::move(path));
}

ReadFile GitExcludes::ReaderFor(const std::string& folder) const {
  const std::string also = sandbox_.InRoots(folder) ? "" : folder;
  return [this, also](const std::string& path, std::uint64_t limit) {
    return sandbox_.ReadNamedByTree(path, limit, also);
  };
}

// The folder with config and info/: ".git" is a folder, or names one; its file
// "commondir" leads on to the main repository.
GitExcludes::GitFolder GitExcludes::FindGitFolder(const std::string& folder) const {
  GitFolder git{JoinPath(folder, ".git"), ReaderFor(folder), false};
  if (const std::string named = GitFolderNamedIn(folder, git.read); !named.empty()) {
    git.path = named;
    git.of_user = NamesWorkTree(named, folder);
    if (git.of_user) git.read = os::ReadSmallFile;
  }
  if (const auto text = git.read(JoinPath(git.path, "commondir"), kMaxPointer); text.ok()) {
    git.path = Against(git.path, FirstLine(*text));
  }
  return git;
}

GitExcludes::OfRepository GitExcludes::ForRepository(const std::string& folder, std::vector<IgnoreFileError>& errors) {
  const auto [git, read, of_user] = FindGitFolder(folder);
  const auto own = Setting(JoinPath(git, "config"), read);
  for (const char* name : {"commondir", "info/exclude"}) AddInput(JoinPath(git, name));
  AddInput(JoinPath(folder, ".git"));
  OfRepository out;
  out.exclude = ReadRules(JoinPath(git, "info/exclude"), ".git/info/exclude", read, errors);
  const auto& setting = own ? own : user_setting_;
  // For git, a relative path starts at the top of the work tree, so the tree
  // decides what is there.
  const bool by_tree = (own && !of_user) || (setting && !setting->starts_with('/'));
  if (!setting) {
    out.global = Global(DefaultGlobal(), errors);
  } else if (setting->empty()) {
    out.global = nullptr;
  } else if (by_tree) {
    const std::string path = Against(folder, *setting);
    AddInput(path);
    out.global = ReadRules(path, kGlobalShown, ReaderFor(folder), errors);
  } else {
    out.global = Global(*setting, errors);
  }
  return out;
}

RulesPtr GitExcludes::WithoutRepository(std::vector<IgnoreFileError>& errors) {
  if (!user_setting_) return Global(DefaultGlobal(), errors);
  return Global(user_setting_->starts_with('/') ? *user_setting_ : "", errors);
}

std::string GitExcludes::DefaultGlobal() const {
  return environment_.config_home.empty() ? "" : JoinPath(environment_.config_home, "git/ignore");
}

RulesPtr GitExcludes::Global(const std::string& path, std::vector<IgnoreFileError>& errors) {
  if (path.empty()) return nullptr;
  const Lock lock(mutex_);
  inputs_.insert(path);
  if (path != last_path_) {
    last_rules_ = ReadRules(path, kGlobalShown, os::ReadSmallFile, errors);
    last_path_ = path;
  }
  return last_rules_;
}

}  // namespace forge
