#include "tree/git_excludes.h"

#include <cerrno>

#include "os/file.h"
#include "scope/paths.h"

namespace forge {
namespace {

std::string_view FirstLine(std::string_view text) {
  text = text.substr(0, text.find('\n'));
  if (text.ends_with('\r')) text.remove_suffix(1);
  return text;
}

std::string Against(const std::string& folder, std::string_view path) {
  return path.starts_with('/') ? std::string(path) : JoinPath(folder, path);
}

// Where config and info/ are. ".git" is a folder, or in a linked work tree or a
// submodule a file "gitdir: PATH"; "commondir" leads on to the main repository.
std::string CommonGitFolder(const std::string& folder) {
  std::string git = JoinPath(folder, ".git");
  constexpr std::string_view kKey = "gitdir: ";
  if (const auto text = os::ReadSmallFile(git, 1 << 16); text.ok()) {
    const std::string_view line = FirstLine(*text);
    if (line.starts_with(kKey)) git = Against(folder, line.substr(kKey.size()));
  }
  if (const auto text = os::ReadSmallFile(JoinPath(git, "commondir"), 1 << 16); text.ok()) {
    git = Against(git, FirstLine(*text));
  }
  return git;
}

RulesPtr ReadRules(const std::string& path, std::string_view shown, std::vector<IgnoreFileError>& errors) {
  const auto text = os::ReadSmallFile(path, kMaxIgnoreFileSize);
  if (text.ok()) return std::make_shared<IgnoreRules>(*text);
  const int code = text.error().code;
  if (code == EFBIG) {
    errors.push_back({std::string(shown), "larger than 1 MiB; its rules are not applied"});
  } else if (code != ENOENT && code != ENOTDIR && code != EINVAL && code != EISDIR) {
    errors.push_back({std::string(shown), text.error().message() + "; its rules are not applied"});
  }
  return nullptr;
}

}  // namespace

bool HasGitEntry(const std::string& folder) { return os::StatPath(JoinPath(folder, ".git")).ok(); }

GitExcludes::GitExcludes(const GitEnvironment& environment) : environment_(environment) {
  for (const std::string& file : environment.configs) {
    if (auto setting = Setting(file)) user_setting_ = std::move(setting);
  }
}

std::optional<std::string> GitExcludes::Setting(const std::string& file) {
  std::vector<std::string> read;
  auto setting = ReadExcludesFileSetting(file, environment_, &read);
  for (std::string& path : read) AddInput(std::move(path));
  return setting;
}

std::vector<std::string> GitExcludes::inputs() const {
  const std::lock_guard lock(mu_);
  return {inputs_.begin(), inputs_.end()};
}

void GitExcludes::AddInput(std::string path) {
  const std::lock_guard lock(mu_);
  inputs_.insert(std::move(path));
}

GitExcludes::OfRepository GitExcludes::ForRepository(const std::string& folder, std::vector<IgnoreFileError>& errors) {
  const std::string git = CommonGitFolder(folder);
  const auto own = Setting(JoinPath(git, "config"));
  for (const char* name : {"commondir", "info/exclude"}) AddInput(JoinPath(git, name));
  AddInput(JoinPath(folder, ".git"));
  OfRepository out;
  out.exclude = ReadRules(JoinPath(git, "info/exclude"), ".git/info/exclude", errors);
  out.global = Global(own ? own : user_setting_, folder, errors);
  return out;
}

RulesPtr GitExcludes::WithoutRepository(std::vector<IgnoreFileError>& errors) {
  return Global(user_setting_, "", errors);
}

RulesPtr GitExcludes::Global(const std::optional<std::string>& setting, const std::string& folder,
                             std::vector<IgnoreFileError>& errors) {
  std::string path;
  if (setting) {
    // git takes a relative path from the top of the work tree.
    if (!setting->empty()) path = Against(folder, *setting);
  } else if (!environment_.config_home.empty()) {
    path = JoinPath(environment_.config_home, "git/ignore");
  }
  if (path.empty()) return nullptr;
  const std::lock_guard lock(mu_);
  inputs_.insert(path);
  if (path != last_path_) {
    last_rules_ = ReadRules(path, "the global excludes (core.excludesFile)", errors);
    last_path_ = path;
  }
  return last_rules_;
}

}  // namespace forge
