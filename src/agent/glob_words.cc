#include "agent/glob_words.h"

#include <algorithm>
#include <cctype>

namespace forge::agent {
namespace {

constexpr std::string_view kSpecial = "*?[]{}";

std::string Trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return "";
  return std::string(text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1));
}

// Separators in braces and brackets belong to the glob.
std::vector<std::string> SplitOutside(std::string_view text, std::string_view separators) {
  std::vector<std::string> parts(1);
  int depth = 0;
  for (const char c : text) {
    if (c == '{' || c == '[') ++depth;
    if ((c == '}' || c == ']') && depth > 0) --depth;
    if (depth == 0 && separators.find(c) != std::string_view::npos) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  for (std::string& part : parts) part = Trimmed(part);
  std::erase(parts, "");
  return parts;
}

// "*.(cc|h)" and "*.@(cc|h)", as a shell and some tools write it: *.{cc,h}.
std::string WithBraces(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t open = text.find('(');
    const std::size_t close = text.find(')', open == std::string_view::npos ? 0 : open);
    if (close == std::string_view::npos || open == std::string_view::npos) break;
    std::string inside(text.substr(open + 1, close - open - 1));
    const bool lists = inside.find('|') != std::string::npos;
    out += text.substr(0, open);
    if (lists && out.ends_with('@')) out.pop_back();
    std::replace(inside.begin(), inside.end(), '|', lists ? ',' : '|');
    out += (lists ? "{" : "(") + inside + (lists ? "}" : ")");
    text.remove_prefix(close + 1);
  }
  return out + std::string(text);
}

bool LooksLikeGlob(const std::string& word) { return HasGlobCharacter(word) || word.starts_with('.'); }

std::string WithoutDotSlash(std::string word) {
  while (word.starts_with("./")) word.erase(0, 2);
  return word;
}

bool IsEnding(std::string_view word) {
  constexpr std::size_t kLongest = 5;
  return word.size() > 1 && word.size() <= kLongest + 1 && word.front() == '.' &&
         std::all_of(word.begin() + 1, word.end(), [](unsigned char c) { return std::isalnum(c) != 0; });
}

}  // namespace

bool HasGlobCharacter(std::string_view text) { return text.find_first_of(kSpecial) != std::string_view::npos; }

std::vector<std::string> GlobsIn(std::string_view text) {
  std::vector<std::string> globs;
  for (const std::string& part : SplitOutside(WithBraces(text), ",;|")) {
    // A name may have a space in it; two globs with one between them are two.
    const std::vector<std::string> words = SplitOutside(part, " \t");
    const bool several = words.size() > 1 && std::all_of(words.begin(), words.end(), LooksLikeGlob);
    for (const std::string& word : several ? words : std::vector{part}) globs.push_back(WithoutDotSlash(word));
  }
  std::erase(globs, "");
  return globs;
}

std::string GlobOfExtension(std::string_view word) {
  if (HasGlobCharacter(word)) return std::string(word);
  while (word.starts_with('.')) word.remove_prefix(1);
  return "*." + std::string(word);
}

std::vector<std::string> AlsoAsFolder(const std::string& glob) {
  if (HasGlobCharacter(glob) || glob.find('\\') != std::string::npos) return {glob};
  if (IsEnding(glob)) return {glob, "*" + glob};
  std::string folder = glob;
  while (folder.ends_with('/')) folder.pop_back();
  if (folder.empty()) return {"**"};
  const bool anchored = folder.find('/') != std::string::npos || folder.size() < glob.size();
  const std::string inside = (anchored ? "" : "**/") + folder + "/**";
  return folder.size() < glob.size() ? std::vector{inside} : std::vector{glob, inside};
}

std::string GlobOfPath(std::string_view path) {
  std::string out = "/";
  while (path.starts_with("./")) path.remove_prefix(2);
  while (path.ends_with('/')) path.remove_suffix(1);
  for (const char c : path) {
    if (kSpecial.find(c) != std::string_view::npos || c == '\\' || c == '!') out += '\\';
    out += c;
  }
  return out;
}

}  // namespace forge::agent
