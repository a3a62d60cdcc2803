#include "tree/git_config.h"

#include <cstdlib>

#include "scope/paths.h"

namespace forge {
namespace {

constexpr int kMaxIncludeDepth = 10;  // the same as in git
constexpr std::uint64_t kMaxConfigSize = 1 << 20;

std::string Env(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// Reads a boolean as git does: absent is false, and so are these words.
bool EnvFlag(const char* name) {
  const std::string value = Env(name);
  return !value.empty() && value != "0" && value != "false" && value != "no" && value != "off";
}

GitEnvironment ReadProcess() {
  GitEnvironment out;
  out.home = Env("HOME");
  out.config_home = Env("XDG_CONFIG_HOME");
  if (out.config_home.empty() && !out.home.empty()) out.config_home = JoinPath(out.home, ".config");
  if (!EnvFlag("GIT_CONFIG_NOSYSTEM")) {
    const std::string system = Env("GIT_CONFIG_SYSTEM");
    out.configs.push_back(system.empty() ? "/etc/gitconfig" : system);
  }
  if (const char* global = std::getenv("GIT_CONFIG_GLOBAL"); global != nullptr) {
    out.configs.emplace_back(global);
  } else {
    if (!out.config_home.empty()) out.configs.push_back(JoinPath(out.config_home, "git/config"));
    if (!out.home.empty()) out.configs.push_back(JoinPath(out.home, ".gitconfig"));
  }
  return out;
}

std::string ExpandHome(const std::string& path, const GitEnvironment& environment) {
  if (path != "~" && !path.starts_with("~/")) return path;
  return JoinPath(environment.home, std::string_view(path).substr(1));
}

class Reader {
 public:
  Reader(const GitEnvironment& environment, const ReadFile& read, std::vector<std::string>* looked_at)
      : environment_(environment), read_(read), looked_at_(looked_at) {}

  void Read(const std::string& file, int depth) {
    if (looked_at_ != nullptr) looked_at_->push_back(file);
    const auto text = read_(file, kMaxConfigSize);
    if (!text.ok()) return;
    ParseGitConfig(*text, [&](const GitConfigEntry& entry) {
      if (!entry.subsection.empty() || !entry.value) return;
      if (entry.section == "core" && entry.key == "excludesfile") found_ = ExpandHome(*entry.value, environment_);
      if (entry.section == "include" && entry.key == "path" && depth < kMaxIncludeDepth) {
        const std::string path = ExpandHome(*entry.value, environment_);
        Read(path.starts_with('/') ? path : JoinPath(ParentPath(file), path), depth + 1);
      }
    });
  }

  std::optional<std::string> found() const { return found_; }

 private:
  const GitEnvironment& environment_;
  const ReadFile& read_;
  std::vector<std::string>* looked_at_;
  std::optional<std::string> found_;
};

}  // namespace

const GitEnvironment& GitEnvironment::OfProcess() {
  static const GitEnvironment environment = ReadProcess();
  return environment;
}

std::optional<std::string> ReadExcludesFileSetting(const std::string& file, const GitEnvironment& environment,
                                                   const ReadFile& read, std::vector<std::string>* looked_at) {
  Reader reader(environment, read, looked_at);
  reader.Read(file, 0);
  return reader.found();
}

}  // namespace forge
