// A wildcard pattern made ready for many texts.
//
// Most patterns of real ignore files are a name, `*.ext` or `prefix*`; those
// are compared directly. The answer is always WildMatch(pattern, text).
#pragma once

#include <string>
#include <string_view>

namespace forge {

class Wildcard {
 public:
  enum class Kind {
    kLiteral,  // text() is the whole, without its escapes
    kPrefix,   // text() and then no '/'
    kSuffix,   // no '/' and then text()
    kGeneral,  // text() is the pattern
  };

  Wildcard() = default;
  explicit Wildcard(std::string_view pattern);

  bool Matches(std::string_view text) const;

  Kind kind() const { return kind_; }
  const std::string& text() const { return text_; }

 private:
  Kind kind_ = Kind::kLiteral;
  std::string text_;
};

}  // namespace forge
