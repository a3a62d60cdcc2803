// The structure of a pattern, as far as factors and plans need it.
#pragma once

#include <cstdint>
#include <vector>

#include "pattern/factor.h"
#include "pattern/lexer.h"

namespace forge {

struct Node {
  enum class Kind {
    kEmpty,  // consumes nothing: anchors, look-around
    kAtom,   // one character
    kConcat,
    kAlternate,
    kRepeat,    // one child, `min` to `max` times
    kAnything,  // any text, also none
  };
  Kind kind = Kind::kEmpty;
  Atom atom;
  std::vector<Node> children;
  std::uint32_t min = 0;
  std::uint32_t max = 0;
};

// Every text that the pattern matches is matched by the tree.
Node BuildTree(const TokenStream& stream);

}  // namespace forge
