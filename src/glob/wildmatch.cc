// The matcher behind both dialects.
//
// It keeps two places to go back to: the last `*`, which may take one byte more
// of its component, and the last `**`, which may take one component more. It
// need not remember earlier stars: if the rest fits at a later place, the later
// star can reach that place too. So the work is bounded by (components x
// pattern x text); trying every combination would be exponential.
#include <optional>

#include "glob/char_class.h"
#include "glob/glob.h"

namespace forge {
namespace {

// A `**` that stands for whole components.
struct DoubleStar {
  std::size_t next = 0;  // place in the pattern after the stars and a plain slash
  bool takes_slash = false;
};

class Matcher {
 public:
  Matcher(std::string_view pattern, std::string_view text) : pattern_(pattern), text_(text) {}

  bool Run() {
    while (true) {
      switch (Step()) {
        case Outcome::kMatch: return true;
        case Outcome::kNever: return false;
        case Outcome::kGo: break;
        case Outcome::kFail:
          if (!GoBack()) return false;
      }
    }
  }

 private:
  enum class Outcome { kGo, kFail, kMatch, kNever };

  bool AtTextEnd() const { return t_ == text_.size(); }

  Outcome Step() {
    if (p_ == pattern_.size()) return AtTextEnd() ? Outcome::kMatch : Outcome::kFail;
    if (pattern_[p_] == '*') return Star();
    if (AtTextEnd()) return Outcome::kFail;
    switch (pattern_[p_]) {
      case '?': return text_[t_] != '/' ? Advance(p_ + 1) : Outcome::kFail;
      case '[': return Class();
      case '\\':
        if (p_ + 1 == pattern_.size()) return Outcome::kNever;
        return Literal(p_ + 1);
      default: return Literal(p_);
    }
  }

  Outcome Advance(std::size_t next) {
    p_ = next;
    ++t_;
    return Outcome::kGo;
  }

  Outcome Literal(std::size_t at) { return pattern_[at] == text_[t_] ? Advance(at + 1) : Outcome::kFail; }

  Outcome Class() {
    const ClassResult result = MatchClass(pattern_, p_, static_cast<unsigned char>(text_[t_]));
    if (result.problem != ClassResult::Problem::kNone) return Outcome::kNever;
    return result.matches && text_[t_] != '/' ? Advance(result.end) : Outcome::kFail;
  }

  Outcome Star() {
    std::size_t end = p_;
    while (end < pattern_.size() && pattern_[end] == '*') ++end;
    if (const auto deep = AsDoubleStar(end)) {
      if (deep->next == pattern_.size() && !deep->takes_slash) return Outcome::kMatch;
      deep_ = *deep;
      deep_text_ = t_;
      shallow_next_.reset();
      p_ = deep->next;
      return Outcome::kGo;
    }
    shallow_next_ = end;
    shallow_text_ = t_;
    p_ = end;
    return Outcome::kGo;
  }

  std::optional<DoubleStar> AsDoubleStar(std::size_t end) const {
    if (end - p_ < 2 || (p_ > 0 && pattern_[p_ - 1] != '/')) return std::nullopt;
    if (end == pattern_.size()) return DoubleStar{end, false};
    if (pattern_[end] == '/') return DoubleStar{end + 1, true};
    if (pattern_.substr(end, 2) == "\\/") return DoubleStar{end, false};
    return std::nullopt;
  }

  bool GoBack() {
    if (shallow_next_ && shallow_text_ < text_.size() && text_[shallow_text_] != '/') {
      t_ = ++shallow_text_;
      p_ = *shallow_next_;
      return true;
    }
    shallow_next_.reset();
    if (!deep_) return false;
    // "**/" takes everything through the next slash; "**\/" goes byte by byte.
    const std::size_t from = deep_->takes_slash ? text_.find('/', deep_text_) : deep_text_;
    if (from == std::string_view::npos || from >= text_.size()) return false;
    t_ = deep_text_ = from + 1;
    p_ = deep_->next;
    return true;
  }

  std::string_view pattern_;
  std::string_view text_;
  std::size_t p_ = 0;
  std::size_t t_ = 0;
  std::optional<std::size_t> shallow_next_;
  std::size_t shallow_text_ = 0;
  std::optional<DoubleStar> deep_;
  std::size_t deep_text_ = 0;
};

}  // namespace

bool WildMatch(std::string_view pattern, std::string_view text) { return Matcher(pattern, text).Run(); }

}  // namespace forge
