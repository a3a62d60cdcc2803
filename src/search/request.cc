#include "search/request.h"

#include <limits>
#include <string>

#include "base/strings.h"

namespace forge {
namespace {

Status AtLeast(const char* field, std::int64_t value, std::int64_t minimum) {
  if (value >= minimum) return {};
  return BadArgs(std::string(field) + ": is " + std::to_string(value) + "; must be at least " +
                 std::to_string(minimum));
}

// A cap that a request may lower but not raise (FR-LS-VAL-08, R7).
Status Cap(const char* field, const std::optional<std::int64_t>& asked, std::int64_t configured, std::uint64_t& out) {
  const std::int64_t value = asked.value_or(configured);
  if (Status status = AtLeast(field, value, 1); !status.ok()) return status;
  if (value > configured) {
    const std::string key = std::string("tools.search.") + field;
    return Error{.kind = ErrorKind::kBadArgs,
                 .message = std::string(field) + ": is " + std::to_string(value) + "; at most " +
                            std::to_string(configured) + " is allowed by the configuration (" + key + ")",
                 .code = ErrorCode::kOverCap,
                 .field = field,
                 .key = key,
                 .value = value};
  }
  out = static_cast<std::uint64_t>(value);
  return {};
}

// Of all globs of a request. Each file is tried on them.
constexpr std::size_t kMaxGlobAlternatives = 10'000;

Status ParseGlobs(const char* field, const std::vector<std::string>& patterns, LetterCase letters,
                  std::size_t& alternatives, GlobSet& out) {
  std::vector<Glob> globs;
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    auto glob = Glob::Parse(patterns[i], letters);
    if (!glob) {
      return BadArgs(std::string(field) + "[" + std::to_string(i) + "]: \"" + Echo(patterns[i]) +
                     "\": " + glob.error().message);
    }
    alternatives += glob->size();
    if (alternatives > kMaxGlobAlternatives) {
      return BadArgs(std::string(field) + "[" + std::to_string(i) + "]: the globs of the request have more than " +
                     std::to_string(kMaxGlobAlternatives) +
                     " alternatives together; a folder or *.ext names many files");
    }
    globs.push_back(std::move(*glob));
  }
  out = GlobSet(globs, letters);
  return {};
}

Status ParseAllGlobs(const SearchRequest& request, EligibilityRules& rules) {
  const struct {
    const char* field;
    const std::vector<std::string>& globs;
    LetterCase letters;
    GlobSet& out;
  } lists[] = {
      {"include_glob", request.include_glob, LetterCase::kExact, rules.include},
      {"exclude_glob", request.exclude_glob, LetterCase::kExact, rules.exclude},
      {"include_iglob", request.include_iglob, LetterCase::kFold, rules.include_any_case},
      {"exclude_iglob", request.exclude_iglob, LetterCase::kFold, rules.exclude_any_case},
      {"type_glob", request.type_glob, LetterCase::kExact, rules.types},
      {"exclude_type_glob", request.exclude_type_glob, LetterCase::kExact, rules.exclude_types},
  };
  std::size_t alternatives = 0;
  for (const auto& list : lists) {
    if (Status s = ParseGlobs(list.field, list.globs, list.letters, alternatives, list.out); !s.ok()) return s;
  }
  return {};
}

// What cannot be combined with a fuzzy search, whose searcher reports one match of
// a line and nothing of the others.
Status CheckFuzzy(const SearchRequest& request) {
  if (!request.fuzzy) return {};
  if (*request.fuzzy < 1 || *request.fuzzy > 4) {
    return BadArgs("fuzzy: is " + std::to_string(*request.fuzzy) + "; must be between 1 and 4");
  }
  const char* with = !request.more_patterns.empty() ? "several patterns"
                     : request.line_regexp          ? "line_regexp"
                     : request.invert               ? "invert"
                     : request.passthru             ? "passthru"
                                                    : nullptr;
  if (with == nullptr) return {};
  return BadArgs(std::string("fuzzy: cannot be combined with ") + with);
}

Status TakeContext(const SearchRequest& request, CheckedRequest& out) {
  const std::int64_t before = request.before_context.value_or(request.context);
  const std::int64_t after = request.after_context.value_or(request.context);
  if (Status s = AtLeast("context", request.context, 0); !s.ok()) return s;
  if (Status s = AtLeast("before_context", before, 0); !s.ok()) return s;
  if (Status s = AtLeast("after_context", after, 0); !s.ok()) return s;
  out.context = Context(static_cast<std::uint64_t>(before), static_cast<std::uint64_t>(after));
  if (request.passthru) out.context = UINT64_MAX;
  return {};
}

Status TakeDepth(const SearchRequest& request, EligibilityRules& rules) {
  rules.recursive = request.recursive;
  if (!request.max_depth) return {};
  if (Status s = AtLeast("max_depth", *request.max_depth, 0); !s.ok()) return s;
  rules.max_depth = static_cast<std::uint64_t>(*request.max_depth);
  return {};
}

Status CheckNumbers(const SearchRequest& request, const SearchConfig& config, CheckedRequest& out) {
  const std::int64_t max_results = request.max_results.value_or(config.default_max_results);
  out.timeout_ms = request.timeout.value_or(config.default_timeout).count();
  const std::int64_t max_matches = request.max_matches.value_or(std::numeric_limits<std::int64_t>::max());
  if (Status s = TakeContext(request, out); !s.ok()) return s;
  if (Status s = AtLeast("max_results", max_results, 1); !s.ok()) return s;
  if (Status s = AtLeast("max_matches", max_matches, 1); !s.ok()) return s;
  if (Status s = AtLeast("timeout_ms", out.timeout_ms, 1); !s.ok()) return s;
  if (Status s = CheckFuzzy(request); !s.ok()) return s;
  out.max_matches = static_cast<std::uint64_t>(max_matches);
  out.max_results = static_cast<std::uint64_t>(max_results);
  out.content_max_bytes = static_cast<std::uint64_t>(config.content_max_bytes);
  out.max_answer_bytes = static_cast<std::uint64_t>(config.max_answer_bytes);
  return {};
}

ScanReport ReportOf(Report report) {
  switch (report) {
    case Report::kLines: return ScanReport::kLines;
    case Report::kCounts: return ScanReport::kCounts;
    case Report::kFirst:
    case Report::kNames: break;
  }
  return ScanReport::kFirst;
}

}  // namespace

Result<CheckedRequest> CheckRequest(const SearchRequest& request, const SearchConfig& config) {
  CheckedRequest out;
  out.request = request;
  out.rules.traversal = {request.hidden, request.follow, request.no_ignore};
  if (Status s = TakeDepth(request, out.rules); !s.ok()) return s.error();
  if (Status s = CheckNumbers(request, config, out); !s.ok()) return s.error();
  if (Status s = Cap("max_matches_per_file", request.max_matches_per_file, config.max_matches_per_file,
                     out.max_matches_per_file);
      !s.ok()) {
    return s.error();
  }
  if (Status s = Cap("max_files", request.max_files, config.max_files, out.max_files); !s.ok()) return s.error();
  if (Status s =
          Cap("max_file_size_bytes", request.max_file_size_bytes, config.max_file_size_bytes, out.size_limit.bytes);
      !s.ok()) {
    return s.error();
  }
  if (Status s = ParseAllGlobs(request, out.rules); !s.ok()) return s.error();
  return out;
}

PatternSpec SpecOf(const SearchRequest& request) {
  return {.pattern = request.pattern,
          .fixed_strings = request.fixed_strings,
          .word_regexp = request.word_regexp,
          .case_mode = request.case_mode,
          .more = request.more_patterns,
          .line_regexp = request.line_regexp,
          .may_be_blank = request.may_be_blank};
}

ScanLimits LimitsOf(const CheckedRequest& checked) {
  const SearchRequest& request = checked.request;
  return {.max_matches = checked.max_matches_per_file,
          .context = checked.context,
          .max_events = checked.max_results + 1,
          .report = ReportOf(request.report),
          .invert = request.invert,
          .passthru = request.passthru,
          .count_each = request.every_match && request.report == Report::kCounts,
          .as_text = request.text};
}

EventDetail DetailOf(const SearchRequest& request) {
  return {.every_match = request.every_match || request.replacement.has_value(),
          .exact_bytes = request.exact_bytes,
          .replacement = request.replacement,
          .inverted = request.invert};
}

}  // namespace forge
