// Asks a model one question, and tries again where that may help.
//
// The client tries again after a failed or lost connection and after the
// statuses 408, 409, 429 and 5xx (an overloaded provider sends 529), unless the
// provider says that it makes no sense (x-should-retry). Between attempts it
// waits as long as the provider says (retry-after), else half a second, then
// twice as long each time. If a wait would end after the deadline or take more
// than ten seconds, it returns the error instead, and the caller decides. If a
// server did not answer in time, it does not ask that server again: that would
// double the time.
#pragma once

#include <chrono>
#include <functional>
#include <string>

#include "base/deadline.h"
#include "forge/config.h"
#include "forge/result.h"
#include "llm/http.h"
#include "llm/provider.h"

namespace forge::llm {

// Waits; false if the deadline or a cancellation came first.
using Waiter = std::function<bool(std::chrono::milliseconds, const Deadline&)>;

// Thread-safe.
class Client {
 public:
  // `http` must outlive this.
  Client(const HttpClient& http, Waiter wait) : http_(http), wait_(std::move(wait)) {}

  // An error names provider, model, status and the provider's own message, and
  // never contains the key.
  Result<Completion> Complete(const ModelConfig& model, const std::string& key, const Prompt& prompt,
                              const Deadline& deadline) const;

 private:
  const HttpClient& http_;
  const Waiter wait_;
};

}  // namespace forge::llm
