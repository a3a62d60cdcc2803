#include "glob/glob.h"

#include <algorithm>

#include "glob/braces.h"

namespace forge {
namespace {

std::string_view LastComponent(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

bool HasSlash(std::string_view text) { return text.find('/') != std::string_view::npos; }

// Removes prefixes that only mean "from the base folder": "/", "./", "././".
bool StripAnchor(std::string_view& pattern) {
  const std::size_t before = pattern.size();
  while (true) {
    if (pattern.starts_with('/')) {
      pattern.remove_prefix(1);
    } else if (pattern.starts_with("./")) {
      pattern.remove_prefix(2);
    } else {
      return pattern.size() != before;
    }
  }
}

// "**/name" means the same as "name", which is quicker to try.
void StripAnyDepth(std::string_view& pattern, bool& anchored) {
  if (!pattern.starts_with("**/") || HasSlash(pattern.substr(3)) || pattern.size() == 3) return;
  pattern.remove_prefix(3);
  anchored = false;
}

// A trailing '/', which may be written "\/".
bool StripTrailingSlash(std::string_view& pattern) {
  if (!pattern.ends_with('/')) return false;
  pattern.remove_suffix(1);
  std::size_t backslashes = 0;
  while (backslashes < pattern.size() && pattern[pattern.size() - 1 - backslashes] == '\\') ++backslashes;
  if (backslashes % 2 == 1) pattern.remove_suffix(1);
  return true;
}

}  // namespace

std::optional<PathPattern> Glob::ToAlternative(std::string_view pattern, LetterCase letters) {
  bool anchored = StripAnchor(pattern);
  const bool folder_only = StripTrailingSlash(pattern);
  anchored = anchored || HasSlash(pattern);
  StripAnyDepth(pattern, anchored);
  if (pattern.empty() || pattern == ".") return std::nullopt;
  PathPattern out = MakePathPattern(pattern, letters);
  out.basename = !anchored;
  out.folder_only = folder_only;
  return out;
}

Result<Glob> Glob::Parse(std::string_view pattern, LetterCase letters) {
  if (pattern.empty()) return BadArgs("the glob is empty");
  if (const std::size_t nul = pattern.find('\0'); nul != std::string_view::npos) {
    return BadArgs("there is a NUL byte at position " + std::to_string(nul + 1));
  }
  if (pattern.front() == '!') {
    return BadArgs("the '!' at position 1 is not supported; use exclude_glob, or \\! for the character itself");
  }
  Result<std::vector<std::string>> expanded = ExpandBraces(pattern);
  if (!expanded) return std::move(expanded).error();
  Glob glob;
  for (const std::string& text : *expanded) {
    // An empty alternative, as in "{a,}", names nothing.
    if (auto alternative = ToAlternative(text, letters)) glob.alternatives_.push_back(std::move(*alternative));
  }
  if (glob.alternatives_.empty()) return BadArgs("the pattern names no file or folder");
  return glob;
}

bool Glob::any_depth() const {
  return std::all_of(alternatives_.begin(), alternatives_.end(), [](const PathPattern& a) { return a.basename; });
}

GlobSet::GlobSet(const std::vector<Glob>& globs, LetterCase letters) {
  std::vector<PathPattern> all;
  std::vector<PathPattern> folders;
  for (const Glob& glob : globs) {
    for (const PathPattern& alternative : glob.alternatives_) {
      all.push_back(alternative);
      if (alternative.folder_only) folders.push_back(alternative);
    }
  }
  if (all.empty()) return;
  tables_ = std::make_shared<const Tables>(std::move(all), std::move(folders), letters);
}

bool GlobSet::Matches(std::string_view path, bool is_folder, Pace* pace) const {
  return tables_ && tables_->all.LastMatch(path, LastComponent(path), is_folder, pace) >= 0;
}

bool GlobSet::MatchesWholeFolder(std::string_view path, Pace* pace) const {
  return tables_ && tables_->folders.LastMatch(path, LastComponent(path), true, pace) >= 0;
}

}  // namespace forge
