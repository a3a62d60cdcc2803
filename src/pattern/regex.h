// PCRE2 behind a small interface: the one place that includes pcre2.h.
//
// The dialect (R2): PCRE2 syntax with UTF and UCP, so that `.`, `\w`, `\b` and
// `[^x]` work on characters. The subject may have bytes that are not UTF-8;
// they match nothing. A subject is always one line without its ending, so `^`,
// `$`, `\A` and `\z` mean the edges of the line, and no match can leave it.
//
// No call of the library runs for long (R12). A short line is matched at once,
// with a match limit that depends on its length. Where that limit is met, and on
// a long line, the pattern is matched with callouts: PCRE2 calls us from within
// a match, we count the work that was done, look at the deadline from time to
// time, and can end the match. Work is counted in steps, not in time, so it
// depends on pattern and line alone whether a line is given up.
//
// We rejected a search in windows of start offsets with a clock between them:
// one start offset may take seconds, a budget in time makes answers depend on
// the machine, and PCRE2 forgets between two calls what it learned in the first
// (foo.*bar on 2 MB without bar: 5 ms in one call, 250 s in windows of 1 ms).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/deadline.h"
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
  kTooComplex,  // gave up at a limit or the deadline: we do not know whether the line matches
};

struct MatchOutcome {
  MatchStatus status = MatchStatus::kNoMatch;
  Span span;
};

// BadArgs with the code kBadPattern. `offset` counts bytes of the compiled
// text; leave it out if the user did not write that text.
Error BadPattern(std::string message, std::optional<std::uint64_t> offset = {});

// Other values are for tests: they change no answer.
struct MatchTuning {
  std::size_t quick_bytes = 512;        // lines up to this size are first tried without callouts
  std::size_t part_bytes = 256 * 1024;  // longer lines are searched in parts
};

// A compiled pattern. Immutable and thread-safe; each thread brings its own
// Scratch.
class Regex {
 public:
  class Scratch {
   public:
    // A match that is under way at the deadline is given up.
    explicit Scratch(const Regex& regex, const Deadline& deadline = {}, const MatchTuning& tuning = {});
    Scratch(Scratch&&) noexcept;
    ~Scratch();

   private:
    friend class Regex;
    struct State;
    std::unique_ptr<State> state_;
  };

  // The error is kBadPattern with an offset into `pattern`. `watched` is the same
  // pattern with callouts (rewrite.h); if it is empty, every item gets one.
  static Result<Regex> Compile(std::string_view pattern, std::string watched = {});

  Regex(Regex&&) noexcept;
  Regex& operator=(Regex&&) noexcept;
  ~Regex();

  // The leftmost match that begins at or after `from`, which is where a
  // character begins.
  MatchOutcome Match(std::string_view line, Scratch& scratch, std::size_t from = 0) const;

  // `format` with the groups of the last match in it; see ExpandFormat.
  std::string Expand(std::string_view format, std::string_view line, const Scratch& scratch) const;

 private:
  struct Code;
  explicit Regex(std::unique_ptr<Code> code);
  MatchOutcome MatchWatched(std::string_view line, Scratch& scratch, std::size_t from) const;
  std::unique_ptr<Code> code_;
};

}  // namespace forge
