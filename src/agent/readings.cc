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
    Add(FromBasic(pattern));
    if (!IsPlainText(pattern)) AddPlainText();
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

bool LooksLikeFileGlob(const std::string& pattern) {
  if (!pattern.starts_with("*.") && !pattern.starts_with("**/")) return false;
  return std::all_of(pattern.begin(), pattern.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || std::string_view("*./_-{},").find(static_cast<char>(c)) != std::string_view::npos;
  });
}

}  // namespace forge::agent
