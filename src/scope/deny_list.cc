#include "scope/deny_list.h"

#include <algorithm>
#include <array>
#include <span>

#include "base/path.h"
#include "base/strings.h"
#include "base/utf8.h"

namespace forge {
namespace {

// Each starts with "**/": it applies at any depth. A pattern with a slash in the
// middle takes a name that says little only in the folder that gives it meaning:
// "credentials" and "config" are common names of source files.
constexpr auto kDefaultDenies = std::to_array<std::string_view>({
    // keys
    "**/.ssh/**",
    "**/.gnupg/**",
    "**/id_rsa*",
    "**/id_dsa*",
    "**/id_ecdsa*",
    "**/id_ed25519*",
    "**/*.pem",
    "**/*.key",
    "**/*.ppk",
    "**/*.p12",
    "**/*.pfx",
    "**/*.jks",
    "**/*.keystore",
    "**/*.kdbx",
    // passwords and tokens
    "**/.env",
    "**/.env.*",
    "**/.netrc",
    "**/_netrc",
    "**/.pgpass",
    "**/.htpasswd",
    "**/.pypirc",
    "**/.git-credentials",
    "**/.aws/credentials",
    "**/.kube/config",
    "**/.docker/config.json",
    "**/.config/gh/hosts.yml",
    "**/.config/gcloud/**",
    "**/.azure/msal_token_cache.*",
});

// They say which variables a program needs, not what their values are.
constexpr auto kDefaultAllows = std::to_array<std::string_view>({
    "**/.env.{example,sample,template,dist,defaults}",
    "**/.env.*.{example,sample,template,dist,defaults}",
});

std::string_view FolderForm(std::string_view pattern) {
  if (pattern.size() > 3 && pattern.ends_with("/**")) pattern.remove_suffix(2);
  return pattern;
}

GlobSet IgnoringCase(std::span<const std::string_view> patterns) {
  std::vector<Glob> globs;
  for (const std::string_view pattern : patterns) globs.push_back(*Glob::Parse(FolderForm(pattern), LetterCase::kFold));
  return GlobSet(globs, LetterCase::kFold);
}

}  // namespace

std::span<const std::string_view> DefaultDenies() { return kDefaultDenies; }

std::span<const std::string_view> DefaultAllows() { return kDefaultAllows; }

Result<DenyList> DenyList::Create(const SandboxConfig& config, std::vector<std::string> roots) {
  DenyList list;
  list.roots_ = std::move(roots);
  if (config.include_default_denies) {
    list.defaults_ = IgnoringCase(kDefaultDenies);
    list.allowed_ = IgnoringCase(kDefaultAllows);
    for (const std::string_view pattern : kDefaultDenies) list.description_.append("default ").append(pattern) += '\n';
    for (const std::string_view pattern : kDefaultAllows) list.description_.append("allowed ").append(pattern) += '\n';
  }
  if (const Status status = list.AddConfigured(config.denied_patterns); !status) return status.error();
  return list;
}

Status DenyList::AddConfigured(const std::vector<std::string>& patterns) {
  std::vector<Glob> any_depth;
  std::vector<Glob> anchored;
  for (const std::string& pattern : patterns) {
    description_.append("denied ").append(pattern) += '\n';
    Result<Glob> glob = Glob::Parse(FolderForm(pattern));
    if (!glob) {
      return BadArgs("tools.sandbox.denied_patterns: " + glob.error().message + ": " + Sanitize(LossyUtf8(pattern)));
    }
    (glob->any_depth() ? any_depth : anchored).push_back(std::move(*glob));
  }
  any_depth_ = GlobSet(any_depth);
  anchored_ = GlobSet(anchored);
  return {};
}

bool DenyList::DeniesEntry(std::string_view path, bool is_folder) const {
  const std::string_view from_top = BelowRoot(path);
  if (defaults_.Matches(from_top, is_folder) && !allowed_.Matches(from_top, is_folder)) return true;
  if (any_depth_.Matches(from_top, is_folder)) return true;
  if (anchored_.empty()) return false;
  if (anchored_.Matches(from_top, is_folder)) return true;
  return std::any_of(roots_.begin(), roots_.end(), [&](const std::string& root) {
    return path.size() > root.size() && IsWithin(path, root) && anchored_.Matches(RelativeTo(path, root), is_folder);
  });
}

bool DenyList::Denies(std::string_view path, bool is_folder) const {
  const std::size_t root = PathRoot(path).size();
  while (path.size() > root) {
    if (DeniesEntry(path, is_folder)) return true;
    path = ParentPath(path);
    is_folder = true;
  }
  return false;
}

}  // namespace forge
