#include "llm/client.h"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string_view>

#include "base/secrets.h"
#include "base/strings.h"

namespace forge::llm {
namespace {

using std::chrono::milliseconds;
using Kind = HttpFailure::Kind;

constexpr milliseconds kFirstWait{500};
constexpr milliseconds kLongestWait{10'000};

// How one attempt ended.
struct Attempt {
  std::optional<Completion> completion;
  Error error;
  bool again = false;                             // another attempt may help
  std::optional<milliseconds> wanted_pause = {};  // the pause that the provider asks for
};

std::string HeaderOf(const HttpReply& reply, const char* name) {
  const auto found = reply.headers.find(name);
  return found == reply.headers.end() ? "" : found->second;
}

// A number of `unit`s; a date counts as absent.
std::optional<milliseconds> PauseIn(const std::string& text, double unit) {
  if (text.empty() || text.find_first_not_of("0123456789.") != std::string::npos) return std::nullopt;
  // Not std::from_chars: for numbers with a point, not every C++ library has it yet.
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  if (end != text.c_str() + text.size() || number > 1e9) return std::nullopt;
  return milliseconds(static_cast<std::int64_t>(number * unit));
}

std::optional<milliseconds> WantedPause(const HttpReply& reply) {
  if (auto pause = PauseIn(HeaderOf(reply, "retry-after-ms"), 1)) return pause;
  return PauseIn(HeaderOf(reply, "retry-after"), 1000);
}

bool WorthAnotherAttempt(const HttpReply& reply) {
  const std::string advice = HeaderOf(reply, "x-should-retry");
  if (advice == "true" || advice == "false") return advice == "true";
  return reply.status == 408 || reply.status == 409 || reply.status == 429 || reply.status >= 500;
}

std::string Advice(int status) {
  if (status == 401 || status == 403) return "; check the key of this model";
  if (status == 404) return "; check its base_url and model";
  if (status >= 300 && status < 400) return "; redirects are not followed; write the final address into base_url";
  return "";
}

std::string Explain(const HttpReply& reply, const Secrets& secrets) {
  std::string text = "HTTP " + std::to_string(reply.status);
  if (const std::string said = ReadErrorMessage(reply.body, secrets); !said.empty()) text += ": " + said;
  std::string id = HeaderOf(reply, "request-id");
  if (id.empty()) id = HeaderOf(reply, "x-request-id");
  if (!id.empty()) text += " (request " + Shown(id, secrets, 100) + ")";
  return text + Advice(reply.status);
}

Attempt FromReply(const ModelConfig& model, const HttpReply& reply, const Secrets& secrets) {
  if (reply.status != 200) {
    return {std::nullopt, ExecutionFailed(Explain(reply, secrets)), WorthAnotherAttempt(reply), WantedPause(reply)};
  }
  auto completion = ReadCompletion(model, reply.body, secrets);
  if (!completion) return {std::nullopt, completion.error(), false};
  return {std::move(*completion), {}, false};
}

Attempt FromFailure(const HttpFailure& failure) {
  switch (failure.kind) {
    case Kind::kCancelled: return {std::nullopt, Cancelled(), false};
    case Kind::kTimeout: return {std::nullopt, {ErrorKind::kTimeout, failure.message}, false};
    case Kind::kConnect:
    case Kind::kCut: return {std::nullopt, ExecutionFailed(failure.message), true};
    case Kind::kTls:
    case Kind::kTooLarge:
    case Kind::kUnavailable: break;
  }
  return {std::nullopt, ExecutionFailed(failure.message), false};
}

// "anthropic, model claude-sonnet-4-5 (claude-sonnet-4.5): HTTP 529: Overloaded"
Error Named(const ModelConfig& model, const Secrets& secrets, Error error, std::int64_t attempts) {
  if (error.kind == ErrorKind::kCancelled) return error;
  error.message = std::string(Name(model.provider)) + ", model " + model.model + " (" + model.name +
                  "): " + secrets.Hide(error.message) +
                  (attempts > 1 ? ", after " + Count(static_cast<std::uint64_t>(attempts), "attempt") : "");
  return error;
}

std::string Seconds(milliseconds time) {
  return Count(static_cast<std::uint64_t>(time.count() + 999) / 1000, "second");
}

milliseconds PauseAfter(const Attempt& attempt, std::int64_t attempts) {
  if (attempt.wanted_pause) return *attempt.wanted_pause;
  return std::min(kFirstWait * (std::int64_t{1} << std::min<std::int64_t>(attempts - 1, 4)), kLongestWait);
}

}  // namespace

Result<Completion> Client::Complete(const ModelConfig& model, const std::string& key, const Prompt& prompt,
                                    const Deadline& deadline) const {
  const HttpRequest request = BuildRequest(model, key, prompt);
  const Secrets secrets(key);
  for (std::int64_t attempts = 1;; ++attempts) {
    const Deadline this_one(std::min(deadline.at(), Deadline::After(model.timeout).at()), deadline.cancel());
    const HttpOutcome outcome = http_.Post(request, this_one);
    const auto* reply = std::get_if<HttpReply>(&outcome);
    Attempt attempt =
        reply != nullptr ? FromReply(model, *reply, secrets) : FromFailure(std::get<HttpFailure>(outcome));
    if (attempt.completion) return *std::move(attempt.completion);
    if (deadline.cancelled()) return Cancelled();
    const milliseconds pause = PauseAfter(attempt, attempts);
    const bool in_time = deadline.at() == Clock::time_point::max() || Clock::now() + pause < deadline.at();
    if (!attempt.again || attempts > model.max_retries) return Named(model, secrets, attempt.error, attempts);
    if (pause > kLongestWait || !in_time) {
      if (attempt.wanted_pause) attempt.error.message += "; it asks to wait for " + Seconds(pause);
      return Named(model, secrets, attempt.error, attempts);
    }
    if (!wait_(pause, deadline))
      return deadline.cancelled() ? Cancelled() : Named(model, secrets, attempt.error, attempts);
  }
}

}  // namespace forge::llm
