#include "live/query.h"

#include <utility>

#include "base/strings.h"

namespace forge::live {

Query Query::Of(const SearchRequest& request) {
  std::string globs;
  const auto add = [&](const std::string& glob) { globs += (globs.empty() ? "" : " ") + glob; };
  for (const std::string& glob : request.include_glob) add(glob);
  for (const std::string& glob : request.exclude_glob) add("!" + glob);
  return {.pattern = LineEditor(request.pattern),
          .globs = LineEditor(globs),
          .case_mode = request.case_mode,
          .word = request.word_regexp,
          .literal = request.fixed_strings,
          .fuzzy = request.fuzzy.value_or(0)};
}

SearchRequest Query::Over(SearchRequest base) const {
  base.pattern = pattern.text();
  base.case_mode = case_mode;
  base.word_regexp = word;
  base.fixed_strings = literal;
  base.fuzzy = fuzzy == 0 ? std::nullopt : std::optional(fuzzy);
  base.include_glob.clear();
  base.exclude_glob.clear();
  const std::string text = globs.text();
  for (const std::string_view glob : Split(text, ' ')) {
    if (glob.empty() || glob == "!") continue;
    const bool excludes = glob.starts_with('!');
    (excludes ? base.exclude_glob : base.include_glob).emplace_back(glob.substr(excludes ? 1 : 0));
  }
  return base;
}

void Query::ChangeCase() {
  switch (case_mode) {
    case CaseMode::kSmart: case_mode = CaseMode::kSensitive; break;
    case CaseMode::kSensitive: case_mode = CaseMode::kInsensitive; break;
    case CaseMode::kInsensitive: case_mode = CaseMode::kSmart; break;
  }
}

void Query::ChangeFuzzy() {
  constexpr std::int64_t kMost = 2;  // more finds nearly everything
  fuzzy = fuzzy >= kMost ? 0 : fuzzy + 1;
}

}  // namespace forge::live
