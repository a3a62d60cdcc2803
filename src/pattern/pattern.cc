#include "pattern/pattern.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/ascii.h"
#include "base/strings.h"
#include "base/unicode.h"
#include "base/utf8.h"
#include "pattern/format.h"
#include "pattern/lexer.h"
#include "pattern/plan_regex.h"
#include "pattern/plan_sets.h"
#include "pattern/rewrite.h"
#include "pattern/tree.h"

namespace forge {
namespace {

Status CheckText(std::string_view pattern, bool may_be_blank) {
  if (!may_be_blank && IsBlank(pattern)) return BadPattern("pattern: must contain something other than white space");
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
std::string Wrapped(const std::string& pattern, const PatternSpec& spec) {
  if (spec.line_regexp) return "^(?:" + pattern + ")$";
  return spec.word_regexp ? "(?<!\\w)(?:" + pattern + ")(?!\\w)" : pattern;
}

// Whether text around the pattern, or another one beside it, leaves its meaning
// alone.
Status CheckWrapping(std::string_view pattern, const PatternSpec& spec, const TokenStream& stream) {
  if (!spec.word_regexp && !spec.line_regexp && spec.more.empty()) return {};
  if (!stream.certain && !spec.word_regexp) {
    return BadArgs(
        "pattern: uses syntax that cannot be searched for as a whole line or together with other patterns; write it "
        "with plainer syntax");
  }
  if (!stream.certain) {
    return BadArgs(
        "word_regexp: the pattern uses syntax that cannot be searched for as a whole word; write it with plainer "
        "syntax, or put (?<!\\w) and (?!\\w) around it yourself");
  }
  const auto seeing =
      std::find_if(stream.tokens.begin(), stream.tokens.end(), [](const Token& t) { return t.sees_wrapping; });
  if (seeing == stream.tokens.end()) return {};
  return BadArgs(std::string(spec.word_regexp ? "word_regexp: cannot be used"
                                              : "pattern: cannot be a whole line or one of several") +
                 " with " + std::string(pattern.substr(seeing->begin, seeing->end - seeing->begin)) +
                 " in the pattern, which would bypass the test for " + (spec.word_regexp ? "word ends" : "its ends"));
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

// One pattern of several.
struct Part {
  RewrittenPattern meant;
  Node tree;
};

Result<Part> PartOf(const std::string& text, const PatternSpec& spec, bool ignores_case) {
  if (Status status = CheckStart(text); !status.ok()) return status.error();
  // We first compile the pattern as given, so that the offset of an error is
  // one in the user's own text.
  auto given = Regex::Compile(text);
  if (!given) return BadPattern("pattern: " + given.error().message, given.error().offset);
  const TokenStream stream = Tokenize(text, ignores_case);
  if (Status status = CheckTokens(stream); !status.ok()) return status.error();
  if (Status status = CheckWrapping(text, spec, stream); !status.ok()) return status.error();
  auto meant = RewritePattern(text, stream, ignores_case);
  if (!meant) return meant.error();
  return Part{*std::move(meant), BuildTree(stream)};
}

// (?|...) numbers the groups of each alternative from 1, so that back-references
// mean what they meant in the pattern by itself.
RewrittenPattern Joined(const std::vector<Part>& parts) {
  if (parts.size() == 1) return parts.front().meant;
  RewrittenPattern out{"(?|", "(?|"};
  bool watched = true;
  for (const Part& part : parts) {
    const char* const bar = &part == parts.data() ? "" : "|";
    out.plain += bar + ("(?:" + part.meant.plain + ")");
    out.watched += bar + ("(?:" + part.meant.watched + ")");
    watched = watched && !part.meant.watched.empty();
  }
  out.plain += ")";
  out.watched = watched ? out.watched + ")" : "";
  return out;
}

Node TreeOf(std::vector<Part> parts) {
  if (parts.size() == 1) return std::move(parts.front().tree);
  Node tree{.kind = Node::Kind::kAlternate, .atom = {}, .children = {}};
  for (Part& part : parts) tree.children.push_back(std::move(part.tree));
  return tree;
}

// Of the whole pattern, if its text is at least as rare as that of its one factor. Several
// factors are alternatives, of which a chain knows nothing.
std::optional<Sieve> SieveOf(const Node& tree, const FactorSet& factors) {
  if (factors.size() != 1) return std::nullopt;
  std::optional<Sieve> whole = Sieve::For(ChainOf(tree));
  const std::optional<Sieve> part = Sieve::For(ChainOf(factors[0]));
  if (whole && part && whole->bits() < part->bits()) whole.reset();
  return whole;
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
  std::string all = spec.pattern;
  for (const std::string& text : spec.more) all += text;
  if (Status status = CheckText(spec.pattern, spec.may_be_blank); !status.ok()) return status.error();
  for (const std::string& text : spec.more) {
    if (Status status = CheckText(text, spec.may_be_blank); !status.ok()) return status.error();
  }
  Pattern pattern;
  pattern.ignores_case_ = IgnoresCase(all, spec.case_mode);
  const bool text = spec.fixed_strings || IsPlainText(spec.pattern);
  const bool one_text = text && spec.more.empty() && !spec.pattern.empty();
  return one_text ? CompileLiteral(spec, std::move(pattern)) : CompileRegexes(spec, std::move(pattern));
}

Result<Pattern> Pattern::CompileLiteral(const PatternSpec& spec, Pattern pattern) {
  pattern.factors_ = FactorsOfLiteral(spec.pattern, pattern.ignores_case_);
  pattern.plan_ = PlanForLiteral(spec.pattern);
  if (spec.word_regexp || spec.line_regexp) {
    auto regex = Regex::Compile(Wrapped(EscapeLiteral(spec.pattern, pattern.ignores_case_), spec));
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

Result<Pattern> Pattern::CompileRegexes(const PatternSpec& spec, Pattern pattern) {
  std::vector<Part> parts;
  for (std::size_t i = 0; i <= spec.more.size(); ++i) {
    const std::string& given = i == 0 ? spec.pattern : spec.more[i - 1];
    auto part = PartOf(spec.fixed_strings ? EscapeLiteral(given, false) : given, spec, pattern.ignores_case_);
    if (!part) return part.error();
    parts.push_back(*std::move(part));
  }
  RewrittenPattern meant = Joined(parts);
  meant.plain = Wrapped(meant.plain, spec);
  if (!meant.watched.empty()) meant.watched = Wrapped(meant.watched, spec);
  auto regex = Regex::Compile(meant.plain, std::move(meant.watched));
  if (!regex) {
    return ExecutionFailed("pattern: is too large once case, words and alternatives are expanded: " +
                           regex.error().message);
  }
  pattern.regex_ = std::move(*regex);
  const Node tree = TreeOf(std::move(parts));
  pattern.factors_ = FactorsOf(tree);
  pattern.sieve_ = SieveOf(tree, pattern.factors_);
  pattern.plan_ = PlanOf(tree);
  if (pattern.plan_.kind == NgramPlan::Kind::kAll) pattern.plan_ = PlanOfFactors(pattern.factors_);
  if (!pattern.factors_.empty()) {
    if (auto gate = Regex::Compile(ToRegex(pattern.factors_))) pattern.gate_ = std::move(*gate);
  }
  return pattern;
}

bool Pattern::MayMatch(std::string_view line, const Deadline& deadline) const {
  if (!Holds(plan_, line, deadline)) return false;
  if (sieve_ && sieve_->Find(line, 0) == std::string_view::npos) return false;
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

MatchOutcome Pattern::MatchFrom(std::string_view line, std::size_t from, Scratch& scratch) const {
  if (regex_) return regex_->Match(line, *scratch.regex_, from);
  const std::size_t at = finder_->Find(line, from);
  if (at == std::string_view::npos) return {};
  return {MatchStatus::kMatch, {at, at + literal_->size()}};
}

std::string Pattern::Expand(std::string_view format, std::string_view line, Span match, const Scratch& scratch) const {
  if (regex_) return regex_->Expand(format, line, *scratch.regex_);
  return ExpandFormat(format, [&](std::string_view name) {
    return AsNumber(name) == 0U ? line.substr(match.begin, match.size()) : std::string_view();
  });
}

}  // namespace forge
