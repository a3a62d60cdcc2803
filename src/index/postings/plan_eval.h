// The documents for which a plan may hold.
//
// First every gram is looked up in the dictionary, which reads no list: a plan
// that needs an absent gram ends here. Then an AND reads the lists of its
// rarest grams. It stops when no document is left, when the last lists removed
// none (then the rest mostly matches), and before common grams, whose lists
// would cost more than they save. (The limits are estimates, not measured
// optima.) So an AND may return more documents than those for which all of it
// holds, never fewer.
//
// Pure except for reading; any number of threads may use it.
#pragma once

#include <cstdint>

#include "forge/result.h"
#include "index/postings/checked_postings.h"
#include "index/postings/dictionary.h"
#include "index/segment/doc_set.h"
#include "pattern/ngram_plan.h"

namespace forge::index {

// When an AND stops.
struct AndLimits {
  std::uint32_t few_docs = 2;         // with fewer left; a list takes 2 us, a file 25
  std::uint32_t idle_lists = 3;       // after so many lists that removed nothing
  std::uint32_t common_percent = 80;  // before grams in more than that of the documents
};

Result<DocSet> EvaluatePlan(const NgramPlan& plan, const Dictionary& dictionary, const CheckedPostings& postings,
                            std::uint32_t docs, AndLimits limits = {});

// Adds the documents of some trigrams to `set`.
Status AddDocuments(const Dictionary& dictionary, const CheckedPostings& postings, Dictionary::Range range,
                    DocSet& set);

}  // namespace forge::index
