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
// Three sets of bytes are the union of the lists of all grams in them. The
// dictionary says how many postings these have. Where they are too many for each
// document, the sets say nothing. Linux sources, 127,000 documents in 5 segments;
// 2 ns a posting, and 2.4 us to scan a document in memory:
//
//                      postings a document   documents     ms
//   [0-9][a-z][a-z]                    3.8        65 %    1.3
//   [0-9][0-9][a-z]                    5.1        58 %    1.5
//   x[0-9a-f][0-9a-f]                  8.1        71 %    1.8
//   [a-z][a-z][0-9]                    9.8        83 %    4.0
//   [a-z][0-9][0-9]                   10.5        85 %    2.9
//   [0-9][0-9][0-9]                   16.9        86 %    3.8
//   [0-9a-f][0-9a-f][0-9a-f]          38.7        98 %    9.4
//   [a-z][a-z][a-z]                    353        99.8 % 49.5
//
// The first two of them leave 52 % for [a-z]{4}[0-9]{3}[a-z]{2}; all others beside
// them 48 %, for another 11 ms. A search for all matches would gain a little
// by higher limits; one for the first 50 takes some milliseconds in all, and would
// lose.
//
// Pure except for reading; any number of threads may use it.
#pragma once

#include <cstdint>
#include <span>

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
  std::uint32_t set_postings = 6;     // before sets with more postings than that for each document
  std::uint32_t all_postings = 10;    // before all sets together have more than that
};

struct Evaluated {
  DocSet docs;
  bool read_lists = false;  // else the dictionary alone says it, which costs next to nothing
};

Result<Evaluated> EvaluatePlan(const NgramPlan& plan, const Dictionary& dictionary, const CheckedPostings& postings,
                               std::uint32_t docs, AndLimits limits = {});

// Adds the documents of some trigrams to `set`. The ranges are in order.
Status AddDocuments(const Dictionary& dictionary, const CheckedPostings& postings,
                    std::span<const Dictionary::Range> ranges, DocSet& set);

}  // namespace forge::index
