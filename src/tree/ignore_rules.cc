#include "tree/ignore_rules.h"

namespace forge {
namespace {

constexpr std::string_view kBom = "\xEF\xBB\xBF";

// Trailing spaces do not count unless escaped. Tabs do.
std::string_view WithoutTrailingSpaces(std::string_view line) {
  std::size_t end = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '\\') {
      if (++i == line.size()) return line;
      end = i + 1;
    } else if (line[i] != ' ') {
      end = i + 1;
    }
  }
  return line.substr(0, end);
}

std::string_view LastComponent(std::string_view path) { return path.substr(path.rfind('/') + 1); }

// "ext" of "a.ext"; empty without a dot.
std::string_view Extension(std::string_view name) {
  const std::size_t dot = name.rfind('.');
  return dot == std::string_view::npos ? std::string_view() : name.substr(dot + 1);
}

}  // namespace

IgnoreRules::IgnoreRules(std::string_view text) {
  if (text.starts_with(kBom)) text.remove_prefix(kBom.size());
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (line.empty() || line.front() == '#') continue;
    if (line.ends_with('\r')) line.remove_suffix(1);
    AddLine(WithoutTrailingSpaces(line.substr(0, line.find('\0'))));
  }
  for (std::size_t i = 0; i < rules_.size(); ++i) FileRule(static_cast<Index>(i));
}

void IgnoreRules::AddLine(std::string_view line) {
  Rule rule;
  rule.negated = line.starts_with('!');
  if (rule.negated) line.remove_prefix(1);
  rule.folder_only = line.ends_with('/');
  if (rule.folder_only) line.remove_suffix(1);
  rule.basename = line.find('/') == std::string_view::npos;
  if (line.starts_with('/')) line.remove_prefix(1);
  if (line.empty()) return;
  if (!rule.basename) {
    // git compares the part before the first special character separately, and
    // treats the rest as if it stood at the start: "a**/b" matches "ab", "ax/b"
    // and "a/x/b".
    rule.prefix = line.substr(0, line.find_first_of("*?[\\"));
    line.remove_prefix(rule.prefix.size());
  }
  rule.rest = Wildcard(line);
  rules_.push_back(std::move(rule));
}

void IgnoreRules::FileRule(Index index) {
  const Rule& rule = rules_[static_cast<std::size_t>(index)];
  const std::string& rest = rule.rest.text();
  if (rule.rest.kind() == Wildcard::Kind::kLiteral) {
    // With a prefix, the literal rest is empty or starts with an escape.
    if (rule.basename) return by_name_[rest].push_back(index);
    if (rest.empty()) return by_name_[LastComponent(rule.prefix)].push_back(index);
  }
  if (rule.basename && rule.rest.kind() == Wildcard::Kind::kSuffix && rest.find('.') != std::string::npos) {
    return by_extension_[Extension(rest)].push_back(index);
  }
  others_.push_back(index);
}

bool IgnoreRules::Rule::Matches(std::string_view path, std::string_view name, bool is_folder) const {
  if (folder_only && !is_folder) return false;
  if (basename) return rest.Matches(name);
  return path.starts_with(prefix) && rest.Matches(path.substr(prefix.size()));
}

IgnoreRules::Index IgnoreRules::LastMatch(const std::vector<Index>& rules, Index above, std::string_view path,
                                          std::string_view name, bool is_folder) const {
  for (auto it = rules.rbegin(); it != rules.rend() && *it > above; ++it) {
    if (rules_[static_cast<std::size_t>(*it)].Matches(path, name, is_folder)) return *it;
  }
  return above;
}

Verdict IgnoreRules::Decide(std::string_view path, std::string_view name, bool is_folder) const {
  Index best = -1;
  if (const auto it = by_name_.find(name); it != by_name_.end()) {
    best = LastMatch(it->second, best, path, name, is_folder);
  }
  if (!by_extension_.empty()) {
    if (const auto it = by_extension_.find(Extension(name)); it != by_extension_.end()) {
      best = LastMatch(it->second, best, path, name, is_folder);
    }
  }
  best = LastMatch(others_, best, path, name, is_folder);
  if (best < 0) return Verdict::kNone;
  return rules_[static_cast<std::size_t>(best)].negated ? Verdict::kInclude : Verdict::kIgnore;
}

}  // namespace forge
