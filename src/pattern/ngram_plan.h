// A formula over short byte strings that every matching line implies (R5).
//
//   kmalloc                      AND(all kma llo loc mal)
//   (foo|bar)\d                  OR(bar foo)
//   x*                           ALL
//
// Grams are three bytes, or two where a text has no more, with ASCII letters in
// lower case; they are looked for in the lower-cased bytes of a line without
// its line feed. So one index answers every case mode, and no question of
// Unicode arises: if the bytes of a text occur in a line, each of its grams does.
//
// A plan may only be too generous. It is monotone (no negation): what holds for
// a line holds for every text that contains the line, such as a block of lines.
// That is the whole proof of an exclusion: a block where the plan does not hold
// has no line where it does, and so no match.
//
// Values; thread-safe to read. Patterns are planned in plan_regex.h.
#pragma once

#include <compare>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace forge {

struct NgramPlan {
  enum class Kind {
    kAll,   // may match anywhere: nothing is known
    kNone,  // cannot match at all
    kGram,  // `gram` occurs
    kAnd,
    kOr,
  };
  Kind kind = Kind::kAll;
  std::string gram;              // kGram: two or three bytes
  std::vector<NgramPlan> parts;  // kAnd, kOr: at least two, sorted, each once

  friend bool operator==(const NgramPlan&, const NgramPlan&) = default;
  friend std::strong_ordering operator<=>(const NgramPlan& a, const NgramPlan& b);
};

// Plans have at most so many grams: an index reads a list for each, and more of
// them leave out hardly anything more.
inline constexpr std::size_t kMaxPlanGrams = 200;

// Whether the plan holds for a text (without its final line feed).
bool Holds(const NgramPlan& plan, std::string_view text);

// What occurs wherever the literal does, in either case.
NgramPlan PlanForLiteral(std::string_view literal);

// At most `level` edits leave one of `level` + 1 pieces of the text unchanged:
// an edit inserts, drops or replaces one character, and so spoils at most one
// piece (match/fuzzy.h). Whether matches must be words does not matter. `text` is
// plain text, not a regular expression.
NgramPlan PlanForFuzzy(std::string_view text, int level);

// AND(ab OR(abc bcd)); blanks and bytes that are not printable as \x00. For tests
// and people.
std::string ToString(const NgramPlan& plan);

}  // namespace forge
