#include "glob/wildcard.h"

#include <optional>

#include "base/ascii.h"

namespace forge {
namespace {

bool IsSpecial(char c) { return c == '*' || c == '?' || c == '['; }

// The text that a pattern without wildcards stands for. nullopt if the pattern
// has wildcards, or ends in a backslash and so matches nothing.
std::optional<std::string> AsLiteral(std::string_view pattern, LetterCase letters) {
  std::string out;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (IsSpecial(pattern[i])) return std::nullopt;
    const bool escaped = pattern[i] == '\\';
    if (escaped && ++i == pattern.size()) return std::nullopt;
    // As in git, an escaped letter does not ignore case.
    out.push_back(letters == LetterCase::kFold && !escaped ? LowerAscii(pattern[i]) : pattern[i]);
  }
  return out;
}

bool HasSlash(std::string_view text) { return text.find('/') != std::string_view::npos; }

}  // namespace

Wildcard::Wildcard(std::string_view pattern, LetterCase letters) {
  const auto use = [&](Kind kind, std::optional<std::string> text) {
    if (!text) return false;
    kind_ = kind;
    text_ = std::move(*text);
    return true;
  };
  if (use(Kind::kLiteral, AsLiteral(pattern, letters))) return;
  // A star beside a '/' could be half of a "**" component; leave those alone.
  if (!HasSlash(pattern)) {
    if (pattern.starts_with('*') && use(Kind::kSuffix, AsLiteral(pattern.substr(1), letters))) return;
    if (pattern.ends_with('*') && use(Kind::kPrefix, AsLiteral(pattern.substr(0, pattern.size() - 1), letters))) return;
  }
  auto matcher = WildMatcher::Compile(pattern, letters == LetterCase::kFold);
  kind_ = matcher ? Kind::kGeneral : Kind::kNothing;
  if (matcher) matcher_ = std::make_shared<const WildMatcher>(*std::move(matcher));
}

bool Wildcard::Matches(std::string_view text) const {
  switch (kind_) {
    case Kind::kLiteral: return text == text_;
    case Kind::kPrefix: return text.starts_with(text_) && !HasSlash(text.substr(text_.size()));
    case Kind::kSuffix: return text.ends_with(text_) && !HasSlash(text.substr(0, text.size() - text_.size()));
    case Kind::kGeneral: return matcher_->Matches(text);
    case Kind::kNothing: return false;
  }
  return false;
}

}  // namespace forge
