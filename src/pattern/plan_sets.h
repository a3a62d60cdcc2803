// Plans of patterns without a text that every match contains.
//
//   [a-z]{4}[0-9]{3}        AND([0-9][0-9][0-9] [a-z][0-9][0-9] [a-z][a-z][0-9])
//   \d\d-\d                 AND([0-9\x80-\xff]-[0-9\x80-\xff] ...)
//   foobar|[0-9]{3}         OR([0-9][0-9][0-9] AND(bar foo oba oob))
//
// A match contains one of the factors, and so three bytes in a row for each three
// neighbouring atoms of it. A character outside ASCII has two to four bytes, all of
// them from 0x80 on; so an atom that may be such a character may also stand where
// its neighbours would be, and the sets have to allow for it.
//
// Rejected: sets beside grams of a literal, whose lists exclude more for less.
#pragma once

#include "pattern/factor.h"
#include "pattern/ngram_plan.h"

namespace forge {

// At most kMaxPlanGrams.
NgramPlan PlanOfFactors(const FactorSet& factors);

}  // namespace forge
