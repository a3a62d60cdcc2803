#include "glob/wildmatch.h"

#include "base/ascii.h"

namespace forge {
namespace {

std::uint64_t LetterBit(char byte) { return std::uint64_t{1} << (static_cast<unsigned char>(byte) % 64); }

}  // namespace

std::uint64_t LetterMask(std::string_view text) {
  std::uint64_t mask = 0;
  for (const char c : text) mask |= LetterBit(c);
  return mask;
}

class WildMatcher::Compiler {
 public:
  Compiler(std::string_view pattern, bool fold) : pattern_(pattern), fold_(fold) {}

  std::optional<WildMatcher> Run() {
    while (at_ < pattern_.size()) {
      if (!Next()) return std::nullopt;
    }
    return std::move(out_);
  }

 private:
  bool Next() {
    switch (const char c = pattern_[at_]) {
      case '*': Stars(); return true;
      case '?': ++at_; return Add({.kind = Kind::kAny});
      case '[': return Class();
      case '\\':
        if (++at_ == pattern_.size()) return false;
        // As in git, an escaped letter does not ignore case.
        return Byte(pattern_[at_++]);
      default: ++at_; return Byte(fold_ ? LowerAscii(c) : c);
    }
  }

  // A step that takes one byte.
  bool Add(Step step) {
    out_.steps_.push_back(step);
    ++out_.least_bytes_;
    return true;
  }

  bool Byte(char c) {
    if (c == '/') {
      out_.name_letters_ = 0;
    } else {
      out_.name_letters_ |= LetterBit(c);
    }
    return Add({.kind = Kind::kByte, .byte = static_cast<unsigned char>(c)});
  }

  bool Class() {
    const GlobClass result = ReadClass(pattern_, at_, fold_);
    if (result.problem != GlobClass::Problem::kNone) return false;
    at_ = result.end;
    out_.sets_.push_back(result.bytes);
    return Add({.kind = Kind::kSet, .set = static_cast<std::uint32_t>(out_.sets_.size() - 1)});
  }

  void Stars() {
    const std::size_t begin = at_;
    while (at_ < pattern_.size() && pattern_[at_] == '*') ++at_;
    const Kind kind = KindOfStars(begin);
    if (kind == Kind::kDeepSlash) ++at_;
    if (kind != Kind::kStar) out_.name_letters_ = 0;
    out_.steps_.push_back({.kind = kind});
  }

  // Of the stars from `begin` to at_.
  Kind KindOfStars(std::size_t begin) const {
    if (at_ - begin < 2 || (begin > 0 && pattern_[begin - 1] != '/')) return Kind::kStar;
    if (at_ == pattern_.size()) return Kind::kDeepRest;
    if (pattern_[at_] == '/') return Kind::kDeepSlash;
    return pattern_.substr(at_, 2) == "\\/" ? Kind::kDeepBytes : Kind::kStar;
  }

  std::string_view pattern_;
  const bool fold_;
  std::size_t at_ = 0;
  WildMatcher out_;
};

class WildMatcher::Run {
 public:
  Run(const WildMatcher& matcher, std::string_view text)
      : steps_(matcher.steps_.data()), end_(matcher.steps_.size()), sets_(matcher.sets_.data()), text_(text) {}

  bool Matches() {
    while (true) {
      if (p_ == end_) {
        if (t_ == text_.size()) return true;
        if (!GoBack()) return false;
        continue;
      }
      const Step& step = steps_[p_];
      if (step.kind == Kind::kDeepRest) return true;
      if (step.kind >= Kind::kStar) {
        Remember(step.kind);
      } else if (t_ < text_.size() && Takes(step, text_[t_])) {
        ++p_;
        ++t_;
      } else if (!GoBack()) {
        return false;
      }
    }
  }

 private:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  bool Takes(const Step& step, char c) const {
    const auto byte = static_cast<unsigned char>(c);
    if (step.kind == Kind::kByte) return byte == step.byte;
    return step.kind == Kind::kAny ? c != '/' : sets_[step.set].Has(byte);
  }

  void Remember(Kind kind) {
    ++p_;
    if (kind == Kind::kStar) {
      star_ = p_;
      star_text_ = t_;
      return;
    }
    deep_ = p_;
    deep_takes_slash_ = kind == Kind::kDeepSlash;
    deep_text_ = t_;
    star_ = kNone;
  }

  bool GoBack() {
    if (star_ != kNone && star_text_ < text_.size() && text_[star_text_] != '/') {
      t_ = ++star_text_;
      p_ = star_;
      return true;
    }
    star_ = kNone;
    if (deep_ == kNone) return false;
    // "**/" takes everything through the next slash; "**\/" goes byte by byte.
    const std::size_t from = deep_takes_slash_ ? text_.find('/', deep_text_) : deep_text_;
    if (from == std::string_view::npos || from >= text_.size()) return false;
    t_ = deep_text_ = from + 1;
    p_ = deep_;
    return true;
  }

  const Step* steps_;
  std::size_t end_;
  const ByteSet* sets_;
  std::string_view text_;
  std::size_t p_ = 0;
  std::size_t t_ = 0;
  // Where to go on after the last star, and the text that it has taken so far.
  std::size_t star_ = kNone;
  std::size_t star_text_ = 0;
  std::size_t deep_ = kNone;
  std::size_t deep_text_ = 0;
  bool deep_takes_slash_ = false;
};

std::optional<WildMatcher> WildMatcher::Compile(std::string_view pattern, bool fold) {
  return Compiler(pattern, fold).Run();
}

bool WildMatcher::Matches(std::string_view text) const {
  if (text.size() < least_bytes_) return false;
  return Run(*this, text).Matches();
}

}  // namespace forge
