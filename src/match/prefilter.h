// Finds where in a text a match could be, by the cheapest sound test.
//
//   one literal           SIMD
//   a few literals        SIMD, once for each
//   sets of characters    SIMD where it helps; else Shift-And, or Hyperscan where it is
//                         installed
//   nothing known         every line
//
// A prefilter may only find too much. It finds places; the caller then matches
// the line around each place.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/deadline.h"
#include "match/set_finder.h"
#include "match/set_probe.h"
#include "pattern/factor.h"
#include "pattern/pattern.h"
#include "pattern/sieve.h"

namespace forge {

class Prefilter {
 public:
  // How to look for sets of characters; all find the same.
  enum class SetSearch {
    kBest,
    kShiftAnd,   // and Hyperscan only after much text
    kHyperscan,  // where it is installed
  };
  // Every match of the pattern contains a place that this finds.
  static Prefilter For(const Pattern& pattern, SetSearch how = SetSearch::kBest);

  // For lines that contain one of these byte strings.
  static Prefilter ForLiterals(const std::vector<std::string>& literals, bool fold);

  enum class Kind { kEveryLine, kExactLiteral, kLiterals, kSets };
  Kind kind() const { return kind_; }
  std::size_t literal_size() const { return literals_.empty() ? 0 : literals_[0].literal_size(); }  // kExactLiteral

  // "literal \"foo\"", "sets [0-9]_MASK", ...: for tests and for people.
  const std::string& description() const { return description_; }

  // For more literals than this, Shift-And, which looks for all at once, is as
  // fast as looking for each of them.
  static constexpr std::size_t kMaxLiterals = 8;

  // Remembers where each literal occurs next, so that it looks for none twice.
  class Cursor {
   public:
    // Looks at the deadline in texts of many megabytes.
    Cursor(const Prefilter& filter, std::string_view text, const Deadline& deadline);

    // An offset at or after `from` that a match could contain, or npos. For
    // kExactLiteral, the start of the match. `from` is the beginning of a line and
    // never goes back. npos at the deadline.
    std::size_t Next(std::size_t from);
    // Whether the deadline has ended the search.
    bool interrupted() const { return interrupted_ || (sets_ && sets_->interrupted()); }

   private:
    std::size_t FindLiteral(std::size_t literal, std::size_t from);
    template <typename Finder>
    std::size_t FindInBlocks(std::size_t from, std::size_t size, const Finder& finder);

    const Prefilter& filter_;
    std::string_view text_;
    const Deadline& deadline_;
    bool interrupted_ = false;
    std::array<std::size_t, kMaxLiterals> next_;  // there is one for each file, so no memory of its own
    std::optional<SetFinder::Cursor> sets_;       // kSets, without a probe
  };

 private:
  bool TakeLiterals(const FactorSet& factors);

  Kind kind_ = Kind::kEveryLine;
  std::vector<Sieve> literals_;
  std::shared_ptr<const SetProbe> probe_;  // kSets: one of these two
  std::shared_ptr<SetFinder> sets_;
  std::string description_ = "every line";
};

}  // namespace forge
