#include "pattern/pattern.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/ascii.h"
#include "base/strings.h"
#include "base/unicode.h"
#include "base/utf8.h"
#include "pattern/lexer.h"
#include "pattern/plan_regex.h"
#include "pattern/rewrite.h"
#include "pattern/tree.h"

namespace forge {
namespace {

Status CheckText(std::string_view pattern) {
  if (IsBlank(pattern)) return BadPattern("pattern: must contain something other than white space");
  if (pattern.size() > kMaxPatternBytes) {
    return BadPattern("pattern: is " + std::to_string(pattern.size()) + " bytes long; at most " +
                      std::to_string(kMaxPatternBytes) + " are allowed");
  }
  if (!IsValidUtf8(pattern)) return BadPattern("pattern: is not valid UTF-8");
  if (pattern.find('\n') != std::string_view::npos) {
    return BadPattern("pattern: contains a line feed; a match never spans lines, search for one line at a time");
  }
  if (pattern.find('\0') != std::string_view::npos) {
    return BadPattern("pattern: contains a NUL; files with one count as binary and are not searched");
  }
  return {};
}

Status CheckTokens(const TokenStream& stream) {
  if (stream.line_feed) {
    return BadPattern("pattern: asks for a line feed at offset " + std::to_string(*stream.line_feed) +
                          "; a match never spans lines, search for one line at a time",
                      *stream.line_feed);
  }
  if (stream.nul) {
    return BadPattern("pattern: asks for a NUL at offset " + std::to_string(*stream.nul) +
                          "; files with one count as binary and are not searched",
                      *stream.nul);
  }
  return {};
}

// (*CRLF), (*NO_JIT) and the like would change the dialect. They count only at
// the very start, and we could not wrap such a pattern.
Status CheckStart(std::string_view pattern) {
  static constexpr std::string_view kOptions[] = {"UTF", "UCP",  "CR",     "LF", "ANY",
                                                  "NUL", "BSR_", "LIMIT_", "NO", "NOTEMPTY"};
  if (!pattern.starts_with("(*")) return {};
  const std::string_view name = pattern.substr(2);
  const bool option =
      std::any_of(std::begin(kOptions), std::end(kOptions), [&](std::string_view o) { return name.starts_with(o); });
  if (option)
    return BadPattern("pattern: options such as " + std::string(pattern.substr(0, pattern.find(')') + 1)) +
                      " are not supported");
  return {};
}

// No neighbour of a match may be a word character (C4). \b would be wrong for
// patterns that begin or end with another character.
std::string AsWord(const std::string& pattern) { return "(?<!\\w)(?:" + pattern + ")(?!\\w)"; }

Status CheckWord(std::string_view pattern, const TokenStream& stream) {
  if (!stream.certain) {
    return BadArgs(
        "word_regexp: the pattern uses syntax that cannot be searched for as a whole word; write it with plainer "
        "syntax, or put (?<!\\w) and (?!\\w) around it yourself");
  }
  const auto seeing =
      std::find_if(stream.tokens.begin(), stream.tokens.end(), [](const Token& t) { return t.sees_wrapping; });
  if (seeing == stream.tokens.end()) return {};
  return BadArgs("word_regexp: cannot be used with " +
                 std::string(pattern.substr(seeing->begin, seeing->end - seeing->begin)) +
                 " in the pattern, which would bypass the test for word ends");
}

std::string EscapeLiteral(std::string_view literal, bool fold) {
  std::string out;
  while (!literal.empty()) {
    const Decoded d = DecodeOne(literal);
    literal.remove_prefix(d.size);
    if (fold && IsAsciiLetter(d.code)) {
      out += {'[', static_cast<char>(d.code), static_cast<char>(OtherCase(d.code)), ']'};
    } else {
      AppendEscaped(d.code, out);
    }
  }
  return out;
}

}  // namespace

bool IgnoresCase(std::string_view pattern, CaseMode mode) {
  if (mode != CaseMode::kSmart) return mode == CaseMode::kInsensitive;
  return std::none_of(pattern.begin(), pattern.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
}

Pattern::Scratch::Scratch(const Pattern& pattern, const Deadline& deadline, const MatchTuning& tuning)
    : deadline_(deadline) {
  if (pattern.regex_) regex_.emplace(*pattern.regex_, deadline, tuning);
}

Result<Pattern> Pattern::Compile(const PatternSpec& spec) {
  if (Status status = CheckText(spec.pattern); !status.ok()) return status.error();
  Pattern pattern;
  pattern.ignores_case_ = IgnoresCase(spec.pattern, spec.case_mode);
  const bool text = spec.fixed_strings || IsPlainText(spec.pattern);
  return text ? CompileLiteral(spec, std::move(pattern)) : CompileRegex(spec, std::move(pattern));
}

Result<Pattern> Pattern::CompileLiteral(const PatternSpec& spec, Pattern pattern) {
  pattern.factors_ = FactorsOfLiteral(spec.pattern, pattern.ignores_case_);
  pattern.plan_ = PlanForLiteral(spec.pattern);
  if (spec.word_regexp) {
    auto regex = Regex::Compile(AsWord(EscapeLiteral(spec.pattern, pattern.ignores_case_)));
    if (!regex) return BadPattern("pattern: " + regex.error().message);
    pattern.regex_ = std::move(*regex);
    return pattern;
  }
  pattern.literal_ = spec.pattern;
  if (pattern.ignores_case_) {
    std::transform(spec.pattern.begin(), spec.pattern.end(), pattern.literal_->begin(), LowerAscii);
  }
  pattern.finder_.emplace(*pattern.literal_, pattern.ignores_case_);
  return pattern;
}

Result<Pattern> Pattern::CompileRegex(const PatternSpec& spec, Pattern pattern) {
  if (Status status = CheckStart(spec.pattern); !status.ok()) return status.error();
  // We first compile the pattern as given, so that the offset of an error is
  // one in the user's own text.
  auto given = Regex::Compile(spec.pattern);
  if (!given) return BadPattern("pattern: " + given.error().message, given.error().offset);
  const TokenStream stream = Tokenize(spec.pattern, pattern.ignores_case_);
  if (Status status = CheckTokens(stream); !status.ok()) return status.error();
  if (spec.word_regexp) {
    if (Status status = CheckWord(spec.pattern, stream); !status.ok()) return status.error();
  }
  auto meant = RewritePattern(spec.pattern, stream, pattern.ignores_case_);
  if (!meant) return meant.error();
  if (spec.word_regexp) {
    meant->plain = AsWord(meant->plain);
    if (!meant->watched.empty()) meant->watched = AsWord(meant->watched);
  }
  auto regex = Regex::Compile(meant->plain, std::move(meant->watched));
  if (!regex)
    return ExecutionFailed("pattern: is too large once case and words are expanded: " + regex.error().message);
  pattern.regex_ = std::move(*regex);
  const Node tree = BuildTree(stream);
  pattern.factors_ = FactorsOf(tree);
  pattern.plan_ = PlanOf(tree);
  if (!pattern.factors_.empty()) {
    if (auto gate = Regex::Compile(ToRegex(pattern.factors_))) pattern.gate_ = std::move(*gate);
  }
  return pattern;
}

bool Pattern::MayMatch(std::string_view line, const Deadline& deadline) const {
  if (!Holds(plan_, line, deadline)) return false;
  if (!gate_) return true;
  Regex::Scratch scratch(*gate_, deadline);
  return gate_->Match(line, scratch).status != MatchStatus::kNoMatch;
}

MatchOutcome Pattern::Match(std::string_view line, Scratch& scratch) const {
  if (regex_) {
    const MatchOutcome outcome = regex_->Match(line, *scratch.regex_);
    if (outcome.status != MatchStatus::kTooComplex || MayMatch(line, scratch.deadline_)) return outcome;
    return {};
  }
  const std::size_t at = finder_->Find(line, 0);
  if (at == std::string_view::npos) return {};
  return {MatchStatus::kMatch, {at, at + literal_->size()}};
}

}  // namespace forge
