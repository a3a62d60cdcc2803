#include "pattern/regex.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

namespace forge {
namespace {

// Enough for any real pattern on a line of source code. A pattern that explodes
// reaches this limit in about ten milliseconds.
constexpr std::uint32_t kMatchLimit = 1'000'000;
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

// Whether the end of the line cuts a character in two.
bool EndsWithinCharacter(std::string_view line) {
  for (std::size_t back = 1; back <= 3 && back <= line.size(); ++back) {
    const auto byte = static_cast<unsigned char>(line[line.size() - back]);
    if (byte < 0x80) return false;
    if (byte >= 0xC0) return back < (byte >= 0xF0 ? 4U : byte >= 0xE0 ? 3U : 2U);
  }
  return false;
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

struct Regex::Code {
  CodePtr code;
};

struct Regex::Scratch::State {
  MatchData data;
  MatchContext context;
  JitStack jit_stack;
  std::string line;
};

Regex::Scratch::Scratch(const Regex& regex) : state_(std::make_unique<State>()) {
  state_->data.reset(pcre2_match_data_create_from_pattern(regex.code_->code.get(), nullptr));
  state_->context.reset(pcre2_match_context_create(nullptr));
  state_->jit_stack.reset(pcre2_jit_stack_create(kJitStackStart, kJitStackMax, nullptr));
  pcre2_set_match_limit(state_->context.get(), kMatchLimit);
  pcre2_set_heap_limit(state_->context.get(), kHeapLimitKiB);
  pcre2_jit_stack_assign(state_->context.get(), nullptr, state_->jit_stack.get());
}
Regex::Scratch::Scratch(Scratch&&) noexcept = default;
Regex::Scratch::~Scratch() = default;

Regex::Regex(std::unique_ptr<Code> code) : code_(std::move(code)) {}
Regex::Regex(Regex&&) noexcept = default;
Regex& Regex::operator=(Regex&&) noexcept = default;
Regex::~Regex() = default;

Result<Regex> Regex::Compile(std::string_view pattern) {
  const CompileContext context(pcre2_compile_context_create(nullptr));
  pcre2_set_newline(context.get(), PCRE2_NEWLINE_LF);
  // \C would cut characters in two.
  constexpr std::uint32_t kOptions = PCRE2_UTF | PCRE2_UCP | PCRE2_MATCH_INVALID_UTF | PCRE2_NEVER_BACKSLASH_C;
  int error = 0;
  PCRE2_SIZE offset = 0;
  auto code = std::make_unique<Code>();
  code->code.reset(pcre2_compile(Bytes(pattern), pattern.size(), kOptions, &error, &offset, context.get()));
  if (!code->code) return BadPattern(Message(error) + " at offset " + std::to_string(offset), offset);
  // Without JIT (a rare machine, or a pattern that it does not take) matching
  // is slower, but gives the same answers.
  pcre2_jit_compile(code->code.get(), PCRE2_JIT_COMPLETE);
  return Regex(std::move(code));
}

MatchOutcome Regex::Match(std::string_view line, Scratch& scratch) const {
  Scratch::State& s = *scratch.state_;
  // The JIT code of PCRE2 10.42 completes such a character with the bytes after
  // the line in memory, so the answer would depend on what we read before.
  if (EndsWithinCharacter(line)) {
    s.line.assign(line).append(4, '\n');
    line = std::string_view(s.line).substr(0, line.size());
  }
  const int rc = pcre2_match(code_->code.get(), Bytes(line), line.size(), 0, 0, s.data.get(), s.context.get());
  if (rc >= 0) {
    const PCRE2_SIZE* ovector = pcre2_get_ovector_pointer(s.data.get());
    // \K in a look-ahead may put the end before the start. An end after the
    // line would be an error of the library: (?i)[^k] on bad UTF-8, see
    // rewrite.cc.
    const std::size_t begin = std::min(ovector[0], line.size());
    return {MatchStatus::kMatch, {begin, std::clamp(ovector[1], begin, line.size())}};
  }
  // After any other failure (a limit, an endless recursion, no memory) the line
  // is undecided. The caller must not treat it as a line without a match.
  return {rc == PCRE2_ERROR_NOMATCH ? MatchStatus::kNoMatch : MatchStatus::kTooComplex, {}};
}

}  // namespace forge
