#include "forge/keyword.h"

#include "base/unicode.h"

namespace forge {

Status Validate(const KeywordSearchRequest& request) {
  if (IsBlank(request.query)) return BadArgs("query: is blank; must say what you want to find or learn");
  if (request.search_terms.empty()) return BadArgs("search_terms: is empty; must hold at least one term");
  for (std::size_t i = 0; i < request.search_terms.size(); ++i) {
    if (!IsBlank(request.search_terms[i])) continue;
    return BadArgs("search_terms[" + std::to_string(i) + "]: is blank; must hold more than white space");
  }
  return {};
}

}  // namespace forge
