// The plan of a regular expression, by Cox's algebra ("Regular Expression
// Matching with a Trigram Index"), on UTF-8 bytes with ASCII letters in lower
// case.
//
//   foo+bar             AND(bar foo oba)        begins with foo, ends in obar
//   [0-9]_MASK          AND(_ma ask mas OR(0_m 1_m 2_m ...))
//   \w+_lock\(          AND(_lo ck( loc ock)    too many \w to list
//
// From the leaves up, we compute for each part of the pattern the texts that it
// matches, if they are few. Otherwise we keep what its matches begin and end
// with, and what else holds for them. Neighbours are joined where the sets
// allow it.
//
// A part that consumes nothing (^ $ \b \K, look-around) may stand between
// joined texts: a match is a run of adjacent bytes of a line, and such a part
// adds none. The plan does not use the condition of a look-around, nor the text
// that a back-reference or a call repeats: that counts as any text (see
// BuildTree).
//
// We rejected the model of RE2's prefilter: it has no sets of beginnings and
// ends, so it loses the grams across a class or a repetition.
#pragma once

#include "pattern/ngram_plan.h"
#include "pattern/tree.h"

namespace forge {

NgramPlan PlanOf(const Node& tree);

}  // namespace forge
