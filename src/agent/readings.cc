#include "agent/readings.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <string_view>

#include "base/strings.h"

namespace forge::agent {
namespace {

// \\s, as a model writes it that escapes for JSON twice. Only if each pair of
// backslashes stands before something that a backslash changes.
std::optional<std::string> Unescaped(std::string_view pattern) {
  constexpr std::string_view kAfter = "sSwWdDbBtAzZ.()[]{}+*?|^$/<>-";
  std::string out;
  bool changed = false;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern.substr(i).starts_with("\\\\")) {
      if (i + 2 == pattern.size() || kAfter.find(pattern[i + 2]) == std::string_view::npos) return std::nullopt;
      changed = true;
      continue;
    }
    out += pattern[i];
    if (pattern[i] == '\\' && i + 1 < pattern.size()) out += pattern[++i];
  }
  return changed ? std::optional(out) : std::nullopt;
}

struct Slashed {
  std::string pattern;
  bool ignores_case = false;
};

// /foo/ and /foo/gi
std::optional<Slashed> WithoutSlashes(std::string_view pattern) {
  const std::size_t last = pattern.rfind('/');
  if (!pattern.starts_with('/') || last < 2 || last == std::string_view::npos) return std::nullopt;
  const std::string_view flags = pattern.substr(last + 1);
  if (flags.find_first_not_of("gimsuy") != std::string_view::npos) return std::nullopt;
  return Slashed{std::string(pattern.substr(1, last - 1)), flags.find('i') != std::string_view::npos};
}

std::optional<std::string> WithoutQuotes(std::string_view pattern) {
  if (pattern.size() < 3 || pattern.front() != pattern.back()) return std::nullopt;
  if (std::string_view("\"'`").find(pattern.front()) == std::string_view::npos) return std::nullopt;
  return std::string(pattern.substr(1, pattern.size() - 2));
}

void ReplaceAll(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

// grep without -E and vim write \| for "or", and \< and \> for the edges of a word.
std::optional<std::string> FromBasic(std::string_view pattern) {
  std::string out(pattern);
  ReplaceAll(out, "\\|", "|");
  ReplaceAll(out, "\\<", "\\b");
  ReplaceAll(out, "\\>", "\\b");
  return out == pattern ? std::nullopt : std::optional(out);
}

// With \|, parentheses may be groups or themselves: either counts. If only one of the two
// were searched, it might find some lines and hide that the others were not looked for.
std::optional<std::string> FromBasicWithGroups(std::string_view pattern) {
  const auto has = [&](std::string_view part) { return pattern.find(part) != std::string_view::npos; };
  if (!has("\\(") || !has("\\)") || !has("\\|") || has("\\(\\)")) return std::nullopt;  // nobody groups nothing
  const std::string themselves = *FromBasic(pattern);
  std::string groups = themselves;
  ReplaceAll(groups, "\\(", "(");
  ReplaceAll(groups, "\\)", ")");
  // Alternatives that are cut by a group are none without it.
  const bool only_groups = pattern.find("\\(") < pattern.find("\\|") && pattern.find("\\|") < pattern.find("\\)");
  return only_groups ? groups : groups + "|" + themselves;
}

// \n as two characters, \\n. Nothing if it has none; [^\n] asks for no line feed.
std::optional<std::string> WithLiteralLineFeeds(std::string_view pattern) {
  std::string out;
  bool in_class = false;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const bool escape = pattern[i] == '\\' && i + 1 < pattern.size();
    in_class = in_class ? pattern[i] != ']' : pattern[i] == '[';
    if (escape && !in_class && (pattern[i + 1] == 'n' || pattern[i + 1] == 'r')) out += '\\';
    out += pattern[i];
    if (escape) out += pattern[++i];
  }
  return out == pattern ? std::nullopt : std::optional(out);
}

std::optional<std::string> WithoutOr(std::string_view pattern) {
  std::string out(pattern);
  ReplaceAll(out, " OR ", "|");
  return out == pattern ? std::nullopt : std::optional(out);
}

// Brackets without their other half, as a model leaves them that searches for the
// beginning of a call: `get.*(` for `get.*\(`.
std::vector<std::size_t> LoneBrackets(std::string_view pattern) {
  std::vector<std::size_t> open;
  std::vector<std::size_t> lone;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] == '\\') {
      ++i;
    } else if (pattern[i] == '[') {
      const std::size_t first = i + (pattern.substr(i + 1).starts_with('^') ? 3 : 2);  // ] may be the first
      const std::size_t end = pattern.find(']', std::min(first, pattern.size()));
      if (end == std::string_view::npos) {
        lone.push_back(i);
      } else {
        i = end;
      }
    } else if (pattern[i] == '(') {
      open.push_back(i);
    } else if (pattern[i] == ')') {
      if (open.empty()) lone.push_back(i);
      if (!open.empty()) open.pop_back();
    }
  }
  lone.insert(lone.end(), open.begin(), open.end());
  std::sort(lone.begin(), lone.end());
  return lone;
}

// Nothing if that is the same as plain text.
std::optional<std::string> WithLoneBracketsEscaped(std::string_view pattern) {
  std::string out(pattern);
  std::string others(pattern);
  const std::vector<std::size_t> lone = LoneBrackets(pattern);
  for (auto at = lone.rbegin(); at != lone.rend(); ++at) {
    out.insert(*at, "\\");
    others.erase(*at, 1);
  }
  if (lone.empty() || IsPlainText(others)) return std::nullopt;
  return out;
}

class Readings {
 public:
  explicit Readings(const SearchRequest& request) : request_(request) {
    if (request.fixed_strings) return;
    const std::string& pattern = request.pattern;
    Add(Unescaped(pattern));
    if (const auto slashed = WithoutSlashes(pattern)) {
      Add(slashed->pattern);
      if (slashed->ignores_case) list_.back().request.case_mode = CaseMode::kInsensitive;
    }
    Add(FromBasicWithGroups(pattern));
    Add(FromBasic(pattern));
    Add(WithLiteralLineFeeds(pattern));
    Add(WithoutOr(pattern));
    const bool has_none = list_.empty();
    if (!IsPlainText(pattern)) AddPlainText();
    if (has_none) Add(WithLoneBracketsEscaped(pattern));
    Add(WithoutQuotes(pattern));
  }

  std::vector<Reading> Take() { return std::move(list_); }

 private:
  void Add(const std::optional<std::string>& pattern) {
    if (!pattern || pattern->empty()) return;
    Reading reading{request_, "`" + Echo(*pattern) + "`"};
    reading.request.pattern = *pattern;
    list_.push_back(std::move(reading));
  }

  void AddPlainText() {
    Reading reading{request_, "plain text (fixed_strings)"};
    reading.request.fixed_strings = true;
    list_.push_back(std::move(reading));
  }

  const SearchRequest& request_;
  std::vector<Reading> list_;
};

}  // namespace

std::vector<Reading> OtherReadings(const SearchRequest& request) { return Readings(request).Take(); }

bool AsksForLineFeed(const SearchRequest& request) {
  return !request.fixed_strings && WithLiteralLineFeeds(request.pattern).has_value();
}

bool LooksLikePlainText(const SearchRequest& request) {
  const std::string_view text = request.pattern;
  if (request.fixed_strings || text.find('\\') != std::string_view::npos) return false;
  const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  if (text.find("()") != std::string_view::npos) return true;
  if (text.size() > 2 && text.ends_with("++")) return is_word(text[text.size() - 3]);
  const std::size_t star = text.find(" *");
  return star != std::string_view::npos && star > 0 && star + 2 < text.size() && is_word(text[star - 1]) &&
         is_word(text[star + 2]);
}

bool HasEmptyAlternative(const SearchRequest& request) {
  const std::string_view text = request.pattern;
  if (request.fixed_strings || text.find('[') != std::string_view::npos) return false;
  return text.starts_with('|') || text.find("||") != std::string_view::npos ||
         (text.ends_with('|') && !text.ends_with("\\|"));
}

std::string FileNameIn(const SearchRequest& request) {
  std::string name = request.pattern;
  if (!request.fixed_strings) ReplaceAll(name, "\\.", ".");
  constexpr std::size_t kLongestEnding = 5;
  const std::size_t dot = name.rfind('.');
  if (dot == std::string::npos || dot == 0 || dot + 1 == name.size() || name.size() - dot > kLongestEnding + 1)
    return "";
  const auto is_part = [](unsigned char c) {
    return std::isalnum(c) != 0 || std::string_view("._-/+").find(static_cast<char>(c)) != std::string_view::npos;
  };
  return std::all_of(name.begin(), name.end(), is_part) ? name : "";
}

bool LooksLikeFileGlob(const std::string& pattern) {
  if (!pattern.starts_with("*.") && !pattern.starts_with("**/")) return false;
  return std::all_of(pattern.begin(), pattern.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || std::string_view("*./_-{},").find(static_cast<char>(c)) != std::string_view::npos;
  });
}

}  // namespace forge::agent
