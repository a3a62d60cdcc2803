#include "tree/git_config.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <utility>

#include "base/ascii.h"
#include "base/path.h"
#include "glob/wildcard.h"
#include "os/home.h"

namespace forge {
namespace {

constexpr int kMaxIncludeDepth = 10;  // the same as in git

std::string Lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), LowerAscii);
  return out;
}

// As git reads a boolean: no value is true.
bool IsTrue(const std::optional<std::string>& value) {
  if (!value) return true;
  const std::string word = Lower(*value);
  if (word == "true" || word == "yes" || word == "on") return true;
  int number = 0;
  const auto end = std::from_chars(word.data(), word.data() + word.size(), number).ptr;
  return number != 0 && end == word.data() + word.size();
}

// "section.sub.section.key"; nullopt without a dot.
std::optional<GitConfigEntry> NamedEntry(std::string_view name, std::string value) {
  const std::size_t first = name.find('.');
  if (first == std::string_view::npos) return std::nullopt;
  const std::size_t last = name.rfind('.');
  GitConfigEntry entry;
  entry.section = Lower(name.substr(0, first));
  if (last > first) entry.subsection = name.substr(first + 1, last - first - 1);
  entry.key = Lower(name.substr(last + 1));
  entry.value = std::move(value);
  return entry;
}

// GIT_CONFIG_COUNT and what it counts. git refuses to run where these are
// malformed; we take what comes before.
std::vector<GitConfigEntry> Overrides(const Environment::Variables& variables) {
  std::vector<GitConfigEntry> out;
  const auto count = variables.find("GIT_CONFIG_COUNT");
  if (count == variables.end()) return out;
  std::size_t most = 0;
  std::from_chars(count->second.data(), count->second.data() + count->second.size(), most);
  for (std::size_t i = 0; i < most; ++i) {
    const auto key = variables.find("GIT_CONFIG_KEY_" + std::to_string(i));
    const auto value = variables.find("GIT_CONFIG_VALUE_" + std::to_string(i));
    if (key == variables.end() || value == variables.end()) break;
    if (auto entry = NamedEntry(key->second, value->second)) out.push_back(*std::move(entry));
  }
  return out;
}

}  // namespace

bool MeansNoFile(const os::OsError& error) {
  switch (error.code) {
    case ENOENT:
    case ENOTDIR:
    case EISDIR:
    case EINVAL: return true;  // not a regular file
    default: return false;
  }
}

GitEnvironment GitEnvironment::From(const Environment& environment) {
  GitEnvironment out;
  out.home = environment.GetAbsolute("HOME");
  out.config_home = environment.GetAbsolute("XDG_CONFIG_HOME");
  if (out.config_home.empty() && !out.home.empty()) out.config_home = JoinPath(out.home, ".config");
  const auto add = [&](std::string path) {
    if (IsAbsolutePath(path)) out.configs.push_back(std::move(path));
  };
  const std::string no_system = environment.Get("GIT_CONFIG_NOSYSTEM");
  if (no_system.empty() || !IsTrue(no_system)) {
    const std::string system = environment.Get("GIT_CONFIG_SYSTEM");
    add(system.empty() ? os::SystemConfigFolder(environment) + "/gitconfig" : system);
  }
  // Set to nothing, it means that there is no such file.
  const auto& variables = environment.all();
  if (const auto global = variables.find("GIT_CONFIG_GLOBAL"); global != variables.end()) {
    add(global->second);
  } else {
    if (!out.config_home.empty()) add(JoinPath(out.config_home, "git/config"));
    if (!out.home.empty()) add(JoinPath(out.home, ".gitconfig"));
  }
  out.overrides = Overrides(variables);
  return out;
}

const GitEnvironment& GitEnvironment::OfProcess() {
  static const GitEnvironment environment = From(Environment::FromProcess());
  return environment;
}

GitConfigReader::GitConfigReader(const GitEnvironment& environment, GitPlace place, GitSettings settings)
    : environment_(environment), place_(std::move(place)), settings_(std::move(settings)) {}

void GitConfigReader::Read(const std::string& file, const ReadFile& read, ConfigWriter writer) {
  ReadOne({file, read, writer});
}

void GitConfigReader::UseOverrides(const ReadFile& read) {
  for (const GitConfigEntry& entry : environment_.overrides) Use(entry, {"", read});
}

void GitConfigReader::ReadOne(const Source& source) {
  if (cut_ || looked_at_.size() == kMostFiles || bytes_ >= kMostBytes) {
    cut_ = true;
    return;
  }
  looked_at_.push_back(source.file);
  const auto text = source.read(source.file, kMostBytes - bytes_);
  if (!text.ok()) {
    const os::OsError& error = text.error();
    const bool theirs = source.writer == ConfigWriter::kUser && error.code == EACCES;
    if (error.code == EFBIG) {
      cut_ = true;
    } else if (!MeansNoFile(error) && !theirs && !failed_) {
      failed_ = error;
    }
    return;
  }
  bytes_ += text->size();
  ParseGitConfig(*text, [&](const GitConfigEntry& entry) { Use(entry, source); });
}

void GitConfigReader::Use(const GitConfigEntry& entry, const Source& source) {
  if (entry.section == "core" && !entry.subsection) {
    if (entry.key == "ignorecase") settings_.ignore_case = IsTrue(entry.value);
    if (entry.key == "excludesfile" && entry.value) {
      settings_.excludes_file = ExpandHome(*entry.value);
      settings_.excludes_by_tree = source.writer == ConfigWriter::kTree;
    }
  }
  // git reads extensions from the repository's own file, not from its includes.
  const bool own = source.writer != ConfigWriter::kUser && source.depth == 0;
  if (own && entry.section == "extensions" && !entry.subsection && entry.key == "worktreeconfig") {
    settings_.worktree_config = IsTrue(entry.value);
  }
  if (entry.key != "path" || !entry.value) return;
  if (entry.section == "include" && !entry.subsection) Include(*entry.value, source);
  if (entry.section == "includeif" && Holds(entry.subsection.value_or(""), source)) Include(*entry.value, source);
}

void GitConfigReader::Include(const std::string& named, const Source& source) {
  if (source.depth == kMaxIncludeDepth) return;
  std::string path = OwnForm(ExpandHome(named));
  if (!IsAbsolutePath(path)) {
    if (source.file.empty()) return;  // for git, an error
    path = PathFrom(ParentPath(source.file), path);
  }
  ReadOne({std::move(path), source.read, source.writer, source.depth + 1});
}

bool GitConfigReader::Holds(std::string_view condition, const Source& source) {
  conditional_ = true;
  if (place_.folder.empty()) return false;
  const auto take = [&](std::string_view word) {
    if (!condition.starts_with(word)) return false;
    condition.remove_prefix(word.size());
    return true;
  };
  if (take("gitdir:")) return HoldsForFolder(condition, source, false);
  if (take("gitdir/i:")) return HoldsForFolder(condition, source, true);
  if (!take("onbranch:") || !place_.branch) return false;
  const std::string branch = place_.branch();
  std::string pattern(condition);
  if (pattern.ends_with('/')) pattern += "**";
  return !branch.empty() && Wildcard(pattern).Matches(branch);
}

// The pattern is as for git: "~/" is the home folder, "./" the folder of the
// configuration file, anything else that is not absolute applies at any depth,
// and a '/' at the end means all below.
bool GitConfigReader::HoldsForFolder(std::string_view condition, const Source& source, bool fold) const {
  const auto in_case = [fold](std::string_view text) { return fold ? Lower(text) : std::string(text); };
  std::string pattern = ExpandHome(std::string(condition));
  std::string folder = in_case(place_.folder);
  if (!IsAbsolutePath(pattern) && !pattern.starts_with("./")) pattern.insert(0, "**/");
  if (pattern.ends_with('/')) pattern += "**";
  if (pattern.starts_with("./")) {
    if (source.file.empty()) return false;
    const std::string base = in_case(ParentPath(source.file));
    if (!IsWithin(folder, base)) return false;  // as text: nothing in it is a wildcard
    pattern.erase(0, 2);
    folder = std::string(RelativeTo(folder, base));
  }
  return Wildcard(pattern, fold ? LetterCase::kFold : LetterCase::kExact).Matches(folder);
}

std::string GitConfigReader::ExpandHome(const std::string& path) const {
  if (environment_.home.empty() || (path != "~" && !path.starts_with("~/"))) return path;
  return JoinPath(environment_.home, std::string_view(path).substr(1));
}

}  // namespace forge
