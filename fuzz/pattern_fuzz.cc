// Patterns: what our rewriting, factors, plans and prefilters make of a pattern
// never loses a line that PCRE2 alone finds, and finds it at the same place.
//
//   pattern
//   ====
//   lines
#include "fuzz/fuzz.h"
#include "match/prefilter.h"
#include "match/scan.h"
#include "pattern/ngram_plan.h"
#include "pattern/pattern.h"

namespace forge {
namespace {

// As exotic_pattern_test.cc: our (?i) is about ASCII, and PCRE2's versions differ
// in what case means for properties. So inline options are compared where pattern
// and lines are ASCII, and no escape names another character.
bool IsAscii(std::string_view text) {
  return std::none_of(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0x80) != 0; });
}
bool ChangesOptions(std::string_view pattern) {
  return pattern.find("(?") != pattern.npos || pattern.find("(*") != pattern.npos;
}

std::vector<std::string> Lines(const std::string& text) {
  std::vector<std::string> lines(1);
  for (const char c : text) {
    if (c == '\n' && lines.size() < 20) lines.emplace_back();
    if (c != '\n' && c != '\0') lines.back() += c;
  }
  return lines;
}

void RequireTheSame(const Pattern& ours, const std::string& text, const std::vector<std::string>& lines) {
  const auto alone = Regex::Compile(text);
  if (!alone) return;
  Regex::Scratch scratch(*alone);
  PatternMatcher matcher(ours);
  for (const std::string& line : lines) {
    const MatchOutcome theirs = alone->Match(line, scratch);
    const MatchOutcome mine = matcher.Match(line);
    if (theirs.status == MatchStatus::kTooComplex || mine.status == MatchStatus::kTooComplex) continue;
    fuzz::Require(mine.status == theirs.status, "PCRE2 says the same of a line", line);
    if (mine.status != MatchStatus::kMatch) continue;
    fuzz::Require(mine.span.begin == theirs.span.begin && mine.span.end == theirs.span.end,
                  "PCRE2 finds the match at the same place", line);
  }
}

void RequireNoLineIsMissed(const Pattern& pattern, const std::vector<std::string>& lines) {
  PatternMatcher matcher(pattern);
  std::string text;
  for (const std::string& line : lines) {
    text += line + "\n";
    if (matcher.Match(line).status != MatchStatus::kMatch) continue;
    fuzz::Require(Holds(pattern.plan(), line), "the plan holds for a line that matches", ToString(pattern.plan()));
  }
  const ScanLimits limits{1000, 0, 1000};
  const auto all = ScanText(text, Prefilter(), matcher, limits, Deadline());
  const Prefilter filter = Prefilter::For(pattern);
  const auto filtered = ScanText(text, filter, matcher, limits, Deadline());
  fuzz::Require(all.too_complex_lines > 0 || filtered.events.size() == all.events.size(), "the prefilter loses no line",
                filter.description());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto parts = fuzz::Parts(data, std::min<std::size_t>(size, 600), 2);
  const std::string& text = parts[0];
  if (text.size() > 100) return 0;
  const std::vector<std::string> lines = Lines(parts[1]);
  for (const CaseMode mode : {CaseMode::kSensitive, CaseMode::kInsensitive, CaseMode::kSmart}) {
    for (const bool word : {false, true}) {
      const auto pattern = Pattern::Compile({.pattern = text, .word_regexp = word, .case_mode = mode});
      if (!pattern) continue;
      RequireNoLineIsMissed(*pattern, lines);
      const bool plain = IsAscii(parts[0]) && IsAscii(parts[1]) && text.find('\\') == text.npos &&
                         text.find("[:") == text.npos && text.find("(*") == text.npos;
      const bool fair = (!ChangesOptions(text) || plain) && mode == CaseMode::kSensitive && !word;
      if (fair) RequireTheSame(*pattern, text, lines);
      if (mode == CaseMode::kInsensitive && !word && !ChangesOptions(text) && plain) {
        RequireTheSame(*pattern, "(?i)" + text, lines);
      }
    }
  }
  return 0;
}

}  // namespace forge
