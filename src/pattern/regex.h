// PCRE2 behind a small interface: the one place that includes pcre2.h.
//
// The dialect (R2): PCRE2 syntax with UTF and UCP, so that `.`, `\w`, `\b` and
// `[^x]` work on characters. The subject may have bytes that are not UTF-8;
// they match nothing. A subject is always one line without its ending, so `^`,
// `$`, `\A` and `\z` mean the edges of the line, and no match can leave it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "forge/result.h"

namespace forge {

// Where a match lies in its line, in bytes.
struct Span {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::size_t size() const { return end - begin; }
};

enum class MatchStatus {
  kMatch,
  kNoMatch,
  kTooComplex,  // gave up at a limit: we do not know whether the line matches
};

struct MatchOutcome {
  MatchStatus status = MatchStatus::kNoMatch;
  Span span;
};

// BadArgs with the code kBadPattern. `offset` counts bytes of the compiled
// text; leave it out if the user did not write that text.
Error BadPattern(std::string message, std::optional<std::uint64_t> offset = {});

// A compiled pattern. Immutable and thread-safe; each thread brings its own
// Scratch.
class Regex {
 public:
  class Scratch {
   public:
    explicit Scratch(const Regex& regex);
    Scratch(Scratch&&) noexcept;
    ~Scratch();

   private:
    friend class Regex;
    struct State;
    std::unique_ptr<State> state_;
  };

  // The error is kBadPattern with an offset into `pattern`.
  static Result<Regex> Compile(std::string_view pattern);

  Regex(Regex&&) noexcept;
  Regex& operator=(Regex&&) noexcept;
  ~Regex();

  // The leftmost match.
  MatchOutcome Match(std::string_view line, Scratch& scratch) const;

 private:
  struct Code;
  explicit Regex(std::unique_ptr<Code> code);
  std::unique_ptr<Code> code_;
};

}  // namespace forge
