// A wildcard pattern made ready for many texts.
//
// Most patterns of real ignore files are a name, `*.ext` or `prefix*`; those
// are compared directly. The others are compiled (wildmatch.h).
//
// Immutable, so thread-safe; copies share what is compiled.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "glob/wildmatch.h"

namespace forge {

enum class LetterCase { kExact, kFold };

class Wildcard {
 public:
  enum class Kind {
    kLiteral,  // text() is the whole, without its escapes
    kPrefix,   // text() and then no '/'
    kSuffix,   // no '/' and then text()
    kGeneral,  // compiled
    kNothing,  // malformed: matches no text
  };

  Wildcard() = default;
  // With kFold, Matches() takes texts in lower case (A to Z).
  explicit Wildcard(std::string_view pattern, LetterCase letters = LetterCase::kExact);

  bool Matches(std::string_view text) const;

  // How much work Matches() can be, in the steps of Pace.
  std::uint64_t CostOn(std::string_view text) const {
    return 8 + (matcher_ ? std::uint64_t{matcher_->size()} * text.size() : 0);
  }

  Kind kind() const { return kind_; }
  const std::string& text() const { return text_; }
  // Some bytes that the last component of every match has (LetterMask).
  std::uint64_t name_letters() const { return matcher_ ? matcher_->name_letters() : LetterMask(text_); }

 private:
  Kind kind_ = Kind::kLiteral;
  std::string text_;
  std::shared_ptr<const WildMatcher> matcher_;
};

}  // namespace forge
