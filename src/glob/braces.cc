#include "glob/braces.h"

#include <algorithm>
#include <numeric>

#include "glob/char_class.h"

namespace forge {
namespace {

using Strings = std::vector<std::string>;

std::string At(std::size_t index) { return " at position " + std::to_string(index + 1); }

class Expander {
 public:
  explicit Expander(std::string_view pattern) : pattern_(pattern) {}

  Result<Strings> Run() { return Sequence(0); }

 private:
  // Reads up to the end, or inside braces up to ',' or '}'.
  Result<Strings> Sequence(std::size_t depth) {
    Strings out{""};
    while (at_ < pattern_.size()) {
      const char c = pattern_[at_];
      if (depth > 0 && (c == ',' || c == '}')) break;
      if (const Status status = Piece(c, depth, out); !status) return status.error();
    }
    return out;
  }

  Status Piece(char c, std::size_t depth, Strings& out) {
    if (c == '{') return Group(depth + 1, out);
    if (c == '[') return Class(out);
    if (c != '\\') return Append(std::min(pattern_.find_first_of("{[\\,}", at_ + 1), pattern_.size()), out);
    if (at_ + 1 == pattern_.size()) return BadArgs("the backslash" + At(at_) + " has nothing to escape");
    return Append(at_ + 2, out);
  }

  Status Class(Strings& out) {
    const GlobClass result = ReadClass(pattern_, at_);
    const std::string where = "the '['" + At(at_);
    if (result.problem == GlobClass::Problem::kUnclosed) {
      return BadArgs(where + " is not closed; write \\[ for the character itself");
    }
    if (result.problem == GlobClass::Problem::kUnknownName) return BadArgs(where + " has an unknown [:name:]");
    if (result.backwards) return BadArgs(where + " has a range that ends before it begins");
    return Append(result.end, out);
  }

  // Appends the pattern up to `end` to each text.
  Status Append(std::size_t end, Strings& out) {
    const std::string_view piece = pattern_.substr(at_, end - at_);
    if (!Charge(piece.size() * out.size())) return TooLong();
    for (std::string& text : out) text.append(piece);
    at_ = end;
    return {};
  }

  bool Charge(std::size_t bytes) {
    copied_ += bytes;
    return copied_ <= kMaxExpandedBytes;
  }

  static Error TooLong() {
    return BadArgs("it is longer than " + std::to_string(kMaxExpandedBytes) + " bytes when its braces are expanded");
  }

  // The group at '{': multiplies `out` by its alternatives.
  Status Group(std::size_t depth, Strings& out) {
    const std::size_t open = at_++;
    if (depth > kMaxBraceDepth) return BadArgs("the '{'" + At(open) + " is nested too deeply");
    Strings choices;
    while (true) {
      Result<Strings> part = Sequence(depth);
      if (!part) return part.error();
      for (std::string& text : *part) choices.push_back(std::move(text));
      if (choices.size() * out.size() > kMaxAlternatives) {
        return BadArgs("the '{'" + At(open) + " leads to more than " + std::to_string(kMaxAlternatives) +
                       " alternatives");
      }
      if (at_ == pattern_.size()) {
        return BadArgs("the '{'" + At(open) + " is not closed; write \\{ for the character itself");
      }
      if (pattern_[at_++] == '}') break;
    }
    return Multiply(out, choices);
  }

  Status Multiply(Strings& out, const Strings& choices) {
    const auto total = [](const Strings& texts) {
      return std::accumulate(texts.begin(), texts.end(), std::size_t{0},
                             [](std::size_t sum, const std::string& text) { return sum + text.size(); });
    };
    if (!Charge(total(out) * choices.size() + total(choices) * out.size())) return TooLong();
    Strings product;
    product.reserve(out.size() * choices.size());
    for (const std::string& head : out) {
      for (const std::string& tail : choices) product.push_back(head + tail);
    }
    out = std::move(product);
    return {};
  }

  std::string_view pattern_;
  std::size_t at_ = 0;
  std::size_t copied_ = 0;
};

}  // namespace

Result<Strings> ExpandBraces(std::string_view pattern) { return Expander(pattern).Run(); }

}  // namespace forge
