#include "glob/wildcard.h"

#include <optional>

#include "glob/glob.h"

namespace forge {
namespace {

bool IsSpecial(char c) { return c == '*' || c == '?' || c == '['; }

// The text that a pattern without wildcards stands for. nullopt if the pattern
// has wildcards, or ends in a backslash and so matches nothing.
std::optional<std::string> AsLiteral(std::string_view pattern) {
  std::string out;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (IsSpecial(pattern[i])) return std::nullopt;
    if (pattern[i] == '\\' && ++i == pattern.size()) return std::nullopt;
    out.push_back(pattern[i]);
  }
  return out;
}

bool HasSlash(std::string_view text) { return text.find('/') != std::string_view::npos; }

}  // namespace

Wildcard::Wildcard(std::string_view pattern) {
  if (auto literal = AsLiteral(pattern)) {
    kind_ = Kind::kLiteral;
    text_ = std::move(*literal);
    return;
  }
  // A star beside a '/' could be half of a "**" component; leave those alone.
  if (pattern.starts_with('*') && !HasSlash(pattern)) {
    if (auto suffix = AsLiteral(pattern.substr(1))) {
      kind_ = Kind::kSuffix;
      text_ = std::move(*suffix);
      return;
    }
  }
  if (pattern.ends_with('*') && !HasSlash(pattern)) {
    if (auto prefix = AsLiteral(pattern.substr(0, pattern.size() - 1))) {
      kind_ = Kind::kPrefix;
      text_ = std::move(*prefix);
      return;
    }
  }
  kind_ = Kind::kGeneral;
  text_ = pattern;
}

bool Wildcard::Matches(std::string_view text) const {
  switch (kind_) {
    case Kind::kLiteral: return text == text_;
    case Kind::kPrefix: return text.starts_with(text_) && !HasSlash(text.substr(text_.size()));
    case Kind::kSuffix: return text.ends_with(text_) && !HasSlash(text.substr(0, text.size() - text_.size()));
    case Kind::kGeneral: return WildMatch(text_, text);
  }
  return false;
}

}  // namespace forge
