// A formula over short byte strings that every matching line implies (R5).
//
//   kmalloc                      AND(all kma llo loc mal)
//   (foo|bar)\d                  OR(bar foo)
//   [a-z]+[0-9]{3}               [0-9][0-9][0-9]
//   x*                           ALL
//
// Grams are three bytes, or two where a text has no more, with ASCII letters in
// lower case. We look for them in the lower-cased bytes of a line without its
// line feed. So one index answers every case mode, and Unicode does not matter:
// if the bytes of a text occur in a line, so does each of its grams.
//
// A pattern of classes has no such text. For it a plan may ask for three bytes
// in a row of which each is in a set. An index answers that by the union of the
// lists of thousands of grams, so a plan has such sets only where it would be
// ALL without them.
//
// A plan may only be too generous. It is monotone (no negation): what holds for
// a line holds for every text that contains the line, such as a block of lines.
// That is the whole proof of an exclusion: a block where the plan does not hold
// has no line where it does, and so no match.
//
// Values; thread-safe to read. Patterns are planned in plan_regex.h and
// plan_sets.h.
#pragma once

#include <compare>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/byte_set.h"
#include "base/deadline.h"

namespace forge {

struct NgramPlan {
  enum class Kind {
    kAll,   // may match anywhere: nothing is known
    kNone,  // cannot match at all
    kGram,  // `gram` occurs
    kSets,  // three bytes in a row are in `sets`
    kAnd,
    kOr,
  };
  Kind kind = Kind::kAll;
  std::string gram;                // kGram: two or three bytes
  std::vector<NgramPlan> parts;    // kAnd, kOr: at least two, sorted, each once
  std::vector<ByteSet> sets = {};  // kSets: three; not empty, no upper case, no line feed

  friend bool operator==(const NgramPlan&, const NgramPlan&) = default;
  friend std::strong_ordering operator<=>(const NgramPlan& a, const NgramPlan& b);
};

// The most grams of a plan. An index reads a list for each gram, and more of
// them exclude hardly any more files. Sets count as several, because an index
// looks through its dictionary for them.
inline constexpr std::size_t kMaxPlanGrams = 200;
inline constexpr std::size_t kGramsForSets = 8;

// Whether the plan holds for a text (without its final line feed).
// True at the deadline.
bool Holds(const NgramPlan& plan, std::string_view text, const Deadline& deadline = {});

// Whether the plan has a part of the kind kSets.
bool HasSets(const NgramPlan& plan);

// A plan that holds wherever the literal occurs, in either case.
NgramPlan PlanForLiteral(std::string_view literal);

// An edit inserts, drops or replaces one character, and so changes at most one
// piece of the text (match/fuzzy.h). With one edit, all of four pieces but one
// are there; with more, one of `level` + 1 pieces is.
//
//   kmallc_array, 1      OR(AND(kma _ar arr rra ray) AND(all kma llc mal ray) ...)
//
// It does not matter whether matches must be words.
// `text` is plain text, not a regular expression.
NgramPlan PlanForFuzzy(std::string_view text, int level);

// For tests and people: AND(ab x[0-9][a-f] OR(abc bcd)). Prints blanks and bytes
// that are not printable as \x00.
std::string ToString(const NgramPlan& plan);

}  // namespace forge
