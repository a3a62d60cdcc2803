#include "backend/line_finder.h"

namespace forge {
namespace {

// A class of four bytes takes 33 bytes when compiled, and PCRE2 refuses more
// than 64 KiB. Above this limit we match the files in-process, where nothing
// needs to be compiled.
constexpr std::size_t kMaxFinder = 6 * 1024;

}  // namespace

LineFinder FinderFor(const Pattern& pattern) {
  LineFinder finder;
  if (pattern.factors().empty()) return finder;
  // With -F, ugrep reads a CR as the end of a pattern, so such texts go as
  // patterns.
  const bool literal = AsLiteral(pattern.factors(), pattern.ignores_case(), finder.text);
  if (literal && finder.text.find('\r') == std::string::npos) {
    finder.kind = LineFinder::Kind::kLiteral;
    finder.ignore_case = pattern.ignores_case();
    finder.exact = pattern.literal().has_value() && !finder.ignore_case && finder.text == *pattern.literal();
    return finder;
  }
  finder.text = ToRegex(pattern.factors());
  if (finder.text.size() <= kMaxFinder) finder.kind = LineFinder::Kind::kRegex;
  return finder;
}

}  // namespace forge
