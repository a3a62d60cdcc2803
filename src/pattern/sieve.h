// Finds a rare text of a pattern, where what stands around it may be a match.
//
// A chain is what a match looks like from its first character to its last, one link
// after the other. A sieve looks for the rarest text in it, and from there tests the
// neighbours:
//
//   [A-Z]{3,}_[0-9]+_MASK     looks for _MASK; walks left over all digits, wants a _
//                             there, and three letters before it
//   static\s+int\s+\w+_probe  looks for _probe; walks left to the s of static
//
// A walk takes all characters that a link may have. That is right only where no
// neighbour could have taken some of them, so it ends where sets overlap. A sieve may
// find too much, and never misses a match.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pattern/factor.h"
#include "pattern/literal.h"

namespace forge {

// `min` to `max` characters, each one of `atom`.
struct Link {
  Atom atom;
  std::uint32_t min = 1;
  std::uint32_t max = 1;
};

using Chain = std::vector<Link>;

struct Node;  // pattern/tree.h
// Alternatives and what is not known become a link of any number of any characters.
Chain ChainOf(const Node& tree);
Chain ChainOf(const Factor& factor);

// Immutable, so thread-safe.
class Sieve {
 public:
  // Absent if no text in the chain is rare enough.
  static std::optional<Sieve> For(const Chain& chain);

  // For a text by itself.
  explicit Sieve(LiteralFinder literal) : literal_(std::move(literal)) {}

  // Where the text occurs at or after `from`, with neighbours that fit; or npos.
  std::size_t Find(std::string_view text, std::size_t from) const;

  // How many bytes it looks at, from the first byte of the text it finds.
  std::size_t reach() const { return literal_.size() + (after_.empty() ? 0 : kReach); }
  std::size_t literal_size() const { return literal_.size(); }
  double bits() const { return literal_.bits(); }
  const std::string& description() const { return description_; }

 private:
  // We look no further than this to either side, so that a text that occurs again and
  // again within one long word takes linear time.
  static constexpr std::size_t kReach = 256;

  struct Step {
    CharSet set;
    std::uint32_t min;
    std::uint32_t max;
  };
  using Steps = std::vector<Step>;
  static Steps StepsOf(const Chain& links, bool fold);
  template <typename ByteAt>
  static bool Walk(const Steps& steps, std::size_t size, const ByteAt& byte_at);
  bool FitsAround(std::string_view text, std::size_t at) const;

  LiteralFinder literal_;
  Steps before_;  // nearest first
  Steps after_;
  std::string description_;
};

}  // namespace forge
