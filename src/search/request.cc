#include "search/request.h"

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

Status ParseGlobs(const char* field, const std::vector<std::string>& patterns, std::size_t& alternatives,
                  GlobSet& out) {
  std::vector<Glob> globs;
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    auto glob = Glob::Parse(patterns[i]);
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
  out = GlobSet(globs);
  return {};
}

Status CheckNumbers(const SearchRequest& request, const SearchConfig& config, CheckedRequest& out) {
  const std::int64_t max_results = request.max_results.value_or(config.default_max_results);
  out.timeout_ms = request.timeout.value_or(config.default_timeout).count();
  if (Status s = AtLeast("context", request.context, 0); !s.ok()) return s;
  if (Status s = AtLeast("max_results", max_results, 1); !s.ok()) return s;
  if (Status s = AtLeast("timeout_ms", out.timeout_ms, 1); !s.ok()) return s;
  if (request.fuzzy && (*request.fuzzy < 1 || *request.fuzzy > 4)) {
    return BadArgs("fuzzy: is " + std::to_string(*request.fuzzy) + "; must be between 1 and 4");
  }
  out.context = static_cast<std::uint64_t>(request.context);
  out.max_results = static_cast<std::uint64_t>(max_results);
  out.content_max_bytes = static_cast<std::uint64_t>(config.content_max_bytes);
  out.max_answer_bytes = static_cast<std::uint64_t>(config.max_answer_bytes);
  return {};
}

}  // namespace

Result<CheckedRequest> CheckRequest(const SearchRequest& request, const SearchConfig& config) {
  CheckedRequest out;
  out.request = request;
  out.rules.traversal = {request.hidden, request.follow, request.no_ignore};
  out.rules.recursive = request.recursive;
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
  std::size_t alternatives = 0;
  if (Status s = ParseGlobs("include_glob", request.include_glob, alternatives, out.rules.include); !s.ok()) {
    return s.error();
  }
  if (Status s = ParseGlobs("exclude_glob", request.exclude_glob, alternatives, out.rules.exclude); !s.ok()) {
    return s.error();
  }
  return out;
}

}  // namespace forge
