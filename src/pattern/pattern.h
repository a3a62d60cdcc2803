// The pattern of a request, checked and compiled: what matches, and how to find
// lines that may match.
//
// Immutable and thread-safe; each thread brings its own Scratch.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "forge/result.h"
#include "forge/search.h"
#include "pattern/factor.h"
#include "pattern/literal.h"
#include "pattern/ngram_plan.h"
#include "pattern/regex.h"
#include "pattern/sieve.h"

namespace forge {

struct PatternSpec {
  std::string pattern;
  bool fixed_strings = false;
  bool word_regexp = false;
  CaseMode case_mode = CaseMode::kSmart;
  std::vector<std::string> more = {};  // a match of one of these is one, too
  bool line_regexp = false;            // a match is a whole line; more than word_regexp
  bool may_be_blank = false;           // an empty pattern matches every line
};

// We refuse longer patterns: no real request has one, and they would take
// megabytes when compiled.
inline constexpr std::size_t kMaxPatternBytes = 64 * 1024;

// Smart case looks for A-Z in the raw bytes, including escapes (R3).
bool IgnoresCase(std::string_view pattern, CaseMode mode);

class Pattern {
 public:
  class Scratch {
   public:
    explicit Scratch(const Pattern& pattern, const Deadline& deadline = {}, const MatchTuning& tuning = {});

   private:
    friend class Pattern;
    Deadline deadline_;
    std::optional<Regex::Scratch> regex_;
  };

  // BadArgs for a pattern that is empty, too long or invalid, or asks for a
  // line feed or a NUL. ExecutionFailed where case cannot be ignored.
  static Result<Pattern> Compile(const PatternSpec& spec);

  // The leftmost match in a line without its ending. kTooComplex only for lines
  // that contain a factor and for which plan and sieve hold: backends differ in
  // which other lines they try, and the answer must not depend on the backend.
  // At the deadline, kTooComplex for any line.
  MatchOutcome Match(std::string_view line, Scratch& scratch) const;

  // The first match that begins at or after `from`, for a line that matches.
  // kTooComplex where that cannot be decided.
  MatchOutcome MatchFrom(std::string_view line, std::size_t from, Scratch& scratch) const;

  // The text that replaces the match that was found last (pattern/format.h).
  std::string Expand(std::string_view format, std::string_view line, Span match, const Scratch& scratch) const;

  // Every line that matches contains one of these. Empty: any line may match.
  const FactorSet& factors() const { return factors_; }
  // Finds a place in every line that matches, better than the one factor does. Absent: the
  // factors are all that is known.
  const std::optional<Sieve>& sieve() const { return sieve_; }
  // Holds for every line that matches. For exact search only; PlanForFuzzy is
  // for fuzzy search.
  const NgramPlan& plan() const { return plan_; }
  bool ignores_case() const { return ignores_case_; }

  // The plain text, if no character of the pattern has a special meaning, and
  // what finds it.
  const std::optional<std::string>& literal() const { return literal_; }
  const std::optional<LiteralFinder>& literal_finder() const { return finder_; }

 private:
  Pattern() = default;
  static Result<Pattern> CompileLiteral(const PatternSpec& spec, Pattern pattern);
  static Result<Pattern> CompileRegexes(const PatternSpec& spec, Pattern pattern);
  bool MayMatch(std::string_view line, const Deadline& deadline) const;

  std::optional<std::string> literal_;
  std::optional<LiteralFinder> finder_;
  std::optional<Regex> regex_;  // absent: literal_ is searched as bytes
  std::optional<Regex> gate_;   // the factors
  FactorSet factors_;
  std::optional<Sieve> sieve_;
  NgramPlan plan_;
  bool ignores_case_ = false;
};

}  // namespace forge
