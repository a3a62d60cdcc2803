#include "tests/equivalence/request_json.h"

#include <optional>
#include <vector>

#include "base/utf8.h"
#include "tests/testing/json_view.h"

namespace forge::testing {
namespace {

std::string List(const std::vector<std::string>& texts) {
  std::string out = "[";
  for (const std::string& text : texts) out += (out.size() > 1 ? "," : "") + Quoted(LossyUtf8(text));
  return out + "]";
}

}  // namespace

std::string RequestJson(const SearchRequest& r) {
  static const char* const kCases[] = {"smart", "sensitive", "insensitive"};
  std::string out = "{\"pattern\":" + Quoted(LossyUtf8(r.pattern)) + ",\"case\":\"" +
                    kCases[static_cast<int>(r.case_mode)] + "\",\"context\":" + std::to_string(r.context) +
                    ",\"timeout_ms\":600000";
  const auto flag = [&](const char* name, bool value) {
    out += std::string(",\"") + name + "\":" + (value ? "true" : "false");
  };
  const auto number = [&](const char* name, const std::optional<std::int64_t>& value) {
    if (value) out += std::string(",\"") + name + "\":" + std::to_string(*value);
  };
  flag("fixed_strings", r.fixed_strings);
  flag("word_regexp", r.word_regexp);
  flag("recursive", r.recursive);
  flag("hidden", r.hidden);
  flag("follow", r.follow);
  flag("no_ignore", r.no_ignore);
  if (!r.path.empty()) out += ",\"path\":" + Quoted(LossyUtf8(r.path));
  if (!r.include_glob.empty()) out += ",\"include_glob\":" + List(r.include_glob);
  if (!r.exclude_glob.empty()) out += ",\"exclude_glob\":" + List(r.exclude_glob);
  number("max_results", r.max_results);
  number("max_matches_per_file", r.max_matches_per_file);
  number("max_files", r.max_files);
  number("max_file_size_bytes", r.max_file_size_bytes);
  number("fuzzy", r.fuzzy);
  return out + "}";
}

}  // namespace forge::testing
