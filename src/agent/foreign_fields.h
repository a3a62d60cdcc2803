// The words of other tools, as fields of ours.
//
// Agents know many search tools and mix up their fields: `query` for `pattern`,
// `-i`, `head_limit`, `output_mode`, `glob: "*.cc,*.h"`. Where such a field has
// one reading, we take it, because a refusal costs the model a round. Where it
// has none, one sentence names the field that does it.
//
//   {"query": "x", "-i": true, "head_limit": 5}
//     ->  {"pattern": "x", "case": "insensitive", "max_results": 5}
//
// Names count without their case, `_` and leading `--`: maxResults is
// max_results. Two names for one field must agree; if they do not, that is an
// error that names both. Which words there are is one table, in the source.
//
// Pure. Checks no types: tool/parse.h does that afterwards, leniently.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "forge/result.h"

namespace forge::agent {

// `arguments` is an object; so is the result, whose names are our fields, or
// names that nobody knows.
Result<nlohmann::json> TranslateFields(nlohmann::json&& arguments);

}  // namespace forge::agent
