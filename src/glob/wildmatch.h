// A wildcard pattern as a list of steps, with git's wildmatch rules
// (WM_PATHNAME): `*`, `?` and classes do not match '/', and `**` as a whole
// component matches any number of components.
//
// Matching keeps two places to go back to: the last `*`, which may take one byte
// more of its component, and the last `**`, which may take one component more.
// It need not remember earlier stars: if the rest fits at a later place, the
// later star can reach that place too. So the work is at most steps times bytes;
// trying every combination would be exponential.
//
// Immutable, so thread-safe.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "glob/char_class.h"

namespace forge {

class WildMatcher {
 public:
  // nullopt for a malformed pattern, which matches nothing. With `fold`, texts
  // must be in lower case.
  static std::optional<WildMatcher> Compile(std::string_view pattern, bool fold);

  bool Matches(std::string_view text) const;

  std::size_t size() const { return steps_.size(); }
  // Some bytes that the last component of every match has, as LetterMask().
  std::uint64_t name_letters() const { return name_letters_; }

 private:
  class Compiler;
  class Run;
  enum class Kind : std::uint8_t {
    kByte,
    kAny,        // a byte but '/'
    kSet,        // a class
    kStar,       // any bytes but '/'
    kDeepRest,   // "**" at the end: everything
    kDeepSlash,  // "**/": any number of components
    kDeepBytes,  // "**" before "\/": any bytes
  };
  struct Step {
    Kind kind = Kind::kByte;
    unsigned char byte = 0;
    std::uint32_t set = 0;  // number of a class
  };

  std::vector<Step> steps_;
  std::vector<ByteSet> sets_;
  std::size_t least_bytes_ = 0;  // of a text that matches
  std::uint64_t name_letters_ = 0;
};

// The bytes of a text, as bits: if a text has all bytes of another, its mask has
// all bits of the other's mask.
std::uint64_t LetterMask(std::string_view text);

}  // namespace forge
