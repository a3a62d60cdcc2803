#include "pattern/regex.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <mutex>
#include <utility>

#include "base/utf8.h"
#include "pattern/format.h"
#include "pattern/rewrite.h"

namespace forge {
namespace {

// The limit counts steps from one start offset, and a step may read the whole
// line. So from all offsets together: less than ten milliseconds.
std::uint32_t QuickLimit(std::size_t bytes) {
  constexpr std::size_t kReads = 8'000'000;
  return static_cast<std::uint32_t>(16 + kReads / (bytes * bytes + 16));
}

// What one line may cost, in bytes read; a callout counts as eight of them. 100
// million take a tenth of a second, or half of one where each byte is slow (\w).
constexpr std::uint64_t kLineBudget = 100'000'000;
constexpr std::uint64_t kBudgetPerByte = 100;
constexpr std::uint64_t kCalloutCost = 8;
constexpr std::uint64_t kCostBetweenLooks = 100'000;

// A long line is searched in parts: by start offset, because matches may extend
// beyond. What PCRE2 learns in one part is lost in the next; so they are few.
constexpr std::size_t kFewParts = 4;
constexpr std::size_t kLargestPart = 4 * 1024 * 1024;

constexpr std::uint32_t kHeapLimitKiB = 16 * 1024;  // for machines without JIT
constexpr std::size_t kJitStackStart = 32 * 1024;
constexpr std::size_t kJitStackMax = 16 * 1024 * 1024;

template <auto Free>
struct Deleter {
  template <typename T>
  void operator()(T* p) const {
    Free(p);
  }
};
using CompileContext = std::unique_ptr<pcre2_compile_context, Deleter<pcre2_compile_context_free>>;
using CodePtr = std::unique_ptr<pcre2_code, Deleter<pcre2_code_free>>;
using MatchData = std::unique_ptr<pcre2_match_data, Deleter<pcre2_match_data_free>>;
using MatchContext = std::unique_ptr<pcre2_match_context, Deleter<pcre2_match_context_free>>;
using JitStack = std::unique_ptr<pcre2_jit_stack, Deleter<pcre2_jit_stack_free>>;

std::string Message(int code) {
  std::array<PCRE2_UCHAR, 256> text{};
  pcre2_get_error_message(code, text.data(), text.size());
  return reinterpret_cast<const char*>(text.data());
}

// Whether the line ends in bytes that are no character.
bool EndsInBadBytes(std::string_view line) {
  std::size_t begin = line.size();
  while (begin > 0 && line.size() - begin < 4 && static_cast<unsigned char>(line[begin - 1]) >= 0x80) {
    if (static_cast<unsigned char>(line[--begin]) >= 0xC0) break;
  }
  return !IsValidUtf8(line.substr(begin));
}

PCRE2_SPTR Bytes(std::string_view s) { return reinterpret_cast<PCRE2_SPTR>(s.data()); }

}  // namespace

Error BadPattern(std::string message, std::optional<std::uint64_t> offset) {
  return {.kind = ErrorKind::kBadArgs,
          .message = std::move(message),
          .code = ErrorCode::kBadPattern,
          .field = "pattern",
          .offset = offset};
}

namespace {

CodePtr CompileCode(std::string_view pattern, std::uint32_t more, int& error, PCRE2_SIZE& offset) {
  const CompileContext context(pcre2_compile_context_create(nullptr));
  pcre2_set_newline(context.get(), PCRE2_NEWLINE_LF);
  // \C would cut characters in two.
  constexpr std::uint32_t kOptions = PCRE2_UTF | PCRE2_UCP | PCRE2_MATCH_INVALID_UTF | PCRE2_NEVER_BACKSLASH_C;
  return CodePtr(pcre2_compile(Bytes(pattern), pattern.size(), kOptions | more, &error, &offset, context.get()));
}

std::size_t Distance(std::size_t a, std::size_t b) { return a > b ? a - b : b - a; }

// Counts the work of one line, at each callout, and looks at the clock.
class Watch {
 public:
  explicit Watch(Deadline deadline) : deadline_(std::move(deadline)) {}

  void Start(std::size_t bytes) {
    left_ = kLineBudget + bytes * kBudgetPerByte;
    start_ = place_ = 0;
    until_look_ = between_looks_ = 1;
    since_look_ = 0;
    last_look_ = Clock::now();
  }

  // False: the match is to be given up.
  bool GoOn(const pcre2_callout_block& block) {
    std::uint64_t cost = kCalloutCost;
    cost += Distance(block.current_position, block.start_match == start_ ? place_ : block.start_match);
    if (block.callout_number == kBeforeReference) cost += LongestCapture(block);
    start_ = block.start_match;
    place_ = block.current_position;
    if (cost > left_) return false;
    left_ -= cost;
    since_look_ += cost;
    return (--until_look_ > 0 && since_look_ < kCostBetweenLooks) || Look();
  }

  bool Look() {
    const auto now = Clock::now();
    const auto passed = now - last_look_;
    last_look_ = now;
    if (passed < kBetweenLooks / 2) {
      between_looks_ = std::min(between_looks_ * 2, kMaxBetweenLooks);
    } else if (passed > kBetweenLooks) {
      between_looks_ = std::max(between_looks_ / 4, 1U);
    }
    until_look_ = between_looks_;
    since_look_ = 0;
    return !deadline_.over();
  }

  static int OnCallout(pcre2_callout_block* block, void* watch) {
    return static_cast<Watch*>(watch)->GoOn(*block) ? 0 : PCRE2_ERROR_CALLOUT;
  }

 private:
  // What a back-reference is about to be compared with has at most this size.
  static std::size_t LongestCapture(const pcre2_callout_block& block) {
    std::size_t longest = 0;
    for (std::uint32_t i = 1; i < block.capture_top; ++i) {
      const PCRE2_SIZE* const ends = block.offset_vector + 2 * i;
      if (ends[0] != PCRE2_UNSET && ends[1] > ends[0]) longest = std::max<std::size_t>(longest, ends[1] - ends[0]);
    }
    return longest;
  }

  static constexpr auto kBetweenLooks = std::chrono::microseconds(500);
  static constexpr unsigned kMaxBetweenLooks = 1024;

  const Deadline deadline_;
  std::uint64_t left_ = 0;
  std::size_t start_ = 0;
  std::size_t place_ = 0;
  std::uint64_t since_look_ = 0;
  // In callouts. Between two of them there may be nothing, or a walk through the
  // whole line that left no trace; so their number follows the time they take.
  unsigned until_look_ = 1;
  unsigned between_looks_ = 1;
  Clock::time_point last_look_;
};

}  // namespace

struct Regex::Code {
  CodePtr quick;
  bool compiled_to_machine_code = false;
  std::string pattern;
  std::string watched_pattern;  // empty: callouts everywhere, and one call for a line
  std::once_flag once;
  CodePtr watched;  // made when the first line needs it

  const pcre2_code* Watched() {
    std::call_once(once, [this] {
      const bool everywhere = watched_pattern.empty();
      int error = 0;
      PCRE2_SIZE offset = 0;
      watched = CompileCode(everywhere ? pattern : watched_pattern,
                            everywhere ? PCRE2_AUTO_CALLOUT : PCRE2_USE_OFFSET_LIMIT, error, offset);
      if (watched) pcre2_jit_compile(watched.get(), PCRE2_JIT_COMPLETE);
    });
    return watched.get();
  }
};

struct Regex::Scratch::State {
  State(const Deadline& deadline, const MatchTuning& tuning_) : watch(deadline), tuning(tuning_) {}

  MatchData data;
  MatchContext quick;
  MatchContext watched;
  JitStack jit_stack;
  Watch watch;
  MatchTuning tuning;
  std::string line;
};

Regex::Scratch::Scratch(const Regex& regex, const Deadline& deadline, const MatchTuning& tuning)
    : state_(std::make_unique<State>(deadline, tuning)) {
  state_->data.reset(pcre2_match_data_create_from_pattern(regex.code_->quick.get(), nullptr));
  state_->jit_stack.reset(pcre2_jit_stack_create(kJitStackStart, kJitStackMax, nullptr));
  for (MatchContext* context : {&state_->quick, &state_->watched}) {
    context->reset(pcre2_match_context_create(nullptr));
    pcre2_set_heap_limit(context->get(), kHeapLimitKiB);
    pcre2_jit_stack_assign(context->get(), nullptr, state_->jit_stack.get());
  }
  pcre2_set_match_limit(state_->watched.get(), std::numeric_limits<std::uint32_t>::max());
  pcre2_set_callout(state_->watched.get(), &Watch::OnCallout, &state_->watch);
}
Regex::Scratch::Scratch(Scratch&&) noexcept = default;
Regex::Scratch::~Scratch() = default;

Regex::Regex(std::unique_ptr<Code> code) : code_(std::move(code)) {}
Regex::Regex(Regex&&) noexcept = default;
Regex& Regex::operator=(Regex&&) noexcept = default;
Regex::~Regex() = default;

Result<Regex> Regex::Compile(std::string_view pattern, std::string watched) {
  int error = 0;
  PCRE2_SIZE offset = 0;
  auto code = std::make_unique<Code>();
  code->quick = CompileCode(pattern, 0, error, offset);
  if (!code->quick) return BadPattern(Message(error) + " at offset " + std::to_string(offset), offset);
  // Without JIT (a rare machine, or a pattern that it does not take) matching
  // is slower, but gives the same answers.
  code->compiled_to_machine_code = pcre2_jit_compile(code->quick.get(), PCRE2_JIT_COMPLETE) == 0;
  code->pattern = pattern;
  code->watched_pattern = std::move(watched);
  return Regex(std::move(code));
}

namespace {

// `begin` of the next part, where no character is cut in two.
std::size_t EndOfPart(std::string_view line, std::size_t begin, std::size_t at_least) {
  const std::size_t size = std::clamp(line.size() / kFewParts, at_least, kLargestPart);
  if (line.size() - begin <= size) return line.size();
  std::size_t end = begin + size;
  while (end < line.size() && (static_cast<unsigned char>(line[end]) & 0xC0U) == 0x80) ++end;
  return end;
}

MatchOutcome ToOutcome(int rc, pcre2_match_data* data, std::string_view line) {
  if (rc >= 0) {
    const PCRE2_SIZE* ovector = pcre2_get_ovector_pointer(data);
    // \K in a look-ahead may put the end before the start. An end after the
    // line would be an error of the library: (?i)[^k] on bad UTF-8 in 10.42.
    const std::size_t begin = std::min(ovector[0], line.size());
    return {MatchStatus::kMatch, {begin, std::clamp(ovector[1], begin, line.size())}};
  }
  // After any other failure (a limit, an endless recursion, no memory) the line
  // is undecided. The caller must not treat it as a line without a match.
  return {rc == PCRE2_ERROR_NOMATCH ? MatchStatus::kNoMatch : MatchStatus::kTooComplex, {}};
}

}  // namespace

MatchOutcome Regex::Match(std::string_view line, Scratch& scratch, std::size_t from) const {
  Scratch::State& s = *scratch.state_;
  // Then the JIT code of PCRE2 10.42 looks at the bytes after the line in memory, for
  // \b and to complete a character: the answer would depend on what we read before.
  if (EndsInBadBytes(line)) {
    s.line.assign(line).append(4, '\n');
    line = std::string_view(s.line).substr(0, line.size());
  }
  if (!code_->compiled_to_machine_code || line.size() > s.tuning.quick_bytes) return MatchWatched(line, scratch, from);
  pcre2_set_match_limit(s.quick.get(), QuickLimit(line.size()));
  const int rc = pcre2_match(code_->quick.get(), Bytes(line), line.size(), from, 0, s.data.get(), s.quick.get());
  return rc == PCRE2_ERROR_MATCHLIMIT ? MatchWatched(line, scratch, from) : ToOutcome(rc, s.data.get(), line);
}

std::string Regex::Expand(std::string_view format, std::string_view line, const Scratch& scratch) const {
  pcre2_match_data* const data = scratch.state_->data.get();
  const PCRE2_SIZE* const ends = pcre2_get_ovector_pointer(data);
  const std::uint32_t groups = pcre2_get_ovector_count(data);
  const auto group = [&](std::uint64_t number) -> std::string_view {
    if (number >= groups || ends[2 * number] == PCRE2_UNSET || ends[2 * number + 1] > line.size()) return {};
    if (ends[2 * number] > ends[2 * number + 1]) return {};
    return line.substr(ends[2 * number], ends[2 * number + 1] - ends[2 * number]);
  };
  return ExpandFormat(format, [&](std::string_view name) -> std::string_view {
    if (const auto number = AsNumber(name)) return group(*number);
    const std::string text(name);
    const int number = pcre2_substring_number_from_name(code_->quick.get(), Bytes(text));
    return number > 0 ? group(static_cast<std::uint64_t>(number)) : std::string_view();
  });
}

MatchOutcome Regex::MatchWatched(std::string_view line, Scratch& scratch, std::size_t from) const {
  Scratch::State& s = *scratch.state_;
  const pcre2_code* const code = code_->Watched();
  if (code == nullptr) return {MatchStatus::kTooComplex, {}};  // too large with callouts
  s.watch.Start(line.size());
  const bool one_call = code_->watched_pattern.empty();
  for (std::size_t begin = from;;) {
    const std::size_t end = one_call ? line.size() : EndOfPart(line, begin, s.tuning.part_bytes);
    const bool last = end == line.size();
    if (!one_call) pcre2_set_offset_limit(s.watched.get(), last ? PCRE2_UNSET : end - 1);
    const int rc = pcre2_match(code, Bytes(line), line.size(), begin, 0, s.data.get(), s.watched.get());
    if (last || rc != PCRE2_ERROR_NOMATCH) return ToOutcome(rc, s.data.get(), line);
    if (!s.watch.Look()) return {MatchStatus::kTooComplex, {}};
    begin = end;
  }
}

}  // namespace forge
