#include "glob/braces.h"

#include "glob/char_class.h"

namespace forge {
namespace {

using Strings = std::vector<std::string>;

std::string At(std::size_t index) { return " at position " + std::to_string(index + 1); }

void AppendToAll(Strings& all, std::string_view piece) {
  for (std::string& text : all) text.append(piece);
}

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
    std::size_t size = 1;
    if (c == '\\') {
      if (at_ + 1 == pattern_.size()) return BadArgs("the backslash" + At(at_) + " has nothing to escape");
      size = 2;
    } else if (c == '[') {
      const ClassResult result = MatchClass(pattern_, at_, 0);
      if (result.problem == ClassResult::Problem::kUnclosed) {
        return BadArgs("the '['" + At(at_) + " is not closed; write \\[ for the character itself");
      }
      if (result.problem == ClassResult::Problem::kUnknownName) {
        return BadArgs("the '['" + At(at_) + " has an unknown [:name:]");
      }
      size = result.end - at_;
    }
    AppendToAll(out, pattern_.substr(at_, size));
    at_ += size;
    return {};
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
    Multiply(out, choices);
    return {};
  }

  static void Multiply(Strings& out, const Strings& choices) {
    Strings product;
    product.reserve(out.size() * choices.size());
    for (const std::string& head : out) {
      for (const std::string& tail : choices) product.push_back(head + tail);
    }
    out = std::move(product);
  }

  std::string_view pattern_;
  std::size_t at_ = 0;
};

}  // namespace

Result<Strings> ExpandBraces(std::string_view pattern) { return Expander(pattern).Run(); }

}  // namespace forge
