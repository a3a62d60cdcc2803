// Combines plans and keeps them small.
//
// AllOf returns a plan that its arguments together imply; AnyOf returns one
// that each of them implies. Leaving out a part of an AND is always sound.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "pattern/ngram_plan.h"

namespace forge {

NgramPlan NoPlan();  // ALL

// Flat, sorted, each part once. Leaves out parts that others imply, where that
// is cheap to see: sets beside a gram that is in them, or beside narrower sets.
// Also leaves out grams of two bytes beside grams of three: they exclude little,
// and an index answers them by the union of many lists.
NgramPlan AllOf(std::vector<NgramPlan> parts);

// The same for OR. Takes out what all parts have in common: OR(AND(a b) AND(a
// c)) becomes AND(a OR(b c)).
NgramPlan AnyOf(std::vector<NgramPlan> parts);

// The plan that holds where one of the texts occurs. ALL if one is too short to
// tell anything, NONE if there is none. ASCII letters must be in lower case.
NgramPlan AnyText(const std::vector<std::string>& texts);

// The plan that holds where three bytes in a row are in the sets: a gram if each
// has one byte. ALL if such bytes are nearly everywhere. Sets are as in NgramPlan.
NgramPlan PlanOfSets(const std::array<ByteSet, 3>& sets);

// At most `limit` grams, the most selective ones.
NgramPlan Shrink(NgramPlan plan, std::size_t limit);

std::size_t CountGrams(const NgramPlan& plan);

std::string LowerAscii(std::string_view text);

}  // namespace forge
