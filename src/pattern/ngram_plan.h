// A formula over short byte strings that every matching line implies (R5).
//
//   kmalloc_array                AND(_ar all arr c_a kma lloc ...)
//   (foo|bar)\d                  OR(AND(foo) AND(bar))
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
#pragma once

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
};

// Whether the plan holds for a text (without its final line feed).
bool Holds(const NgramPlan& plan, std::string_view text);

// What occurs wherever the literal does, in either case.
NgramPlan PlanForLiteral(std::string_view literal);

// At most `level` edits leave one of `level` + 1 pieces of the text unchanged.
NgramPlan PlanForFuzzy(std::string_view text, int level);

// AND(ab OR(abc bcd)); bytes that are not printable as \x00. For tests and people.
std::string ToString(const NgramPlan& plan);

}  // namespace forge
