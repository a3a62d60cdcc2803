// One question to a model, with the patience that networks ask for.
//
// Another attempt is made after a failed or lost connection and after the
// statuses 408, 409, 429 and 5xx (529 of an overloaded provider among them),
// unless the provider says that it makes no sense (x-should-retry). Between
// attempts it waits for as long as the provider says (retry-after), else half a
// second, doubling. A wait that would end after the deadline, or is longer than
// ten seconds, is not begun: whoever asked can decide better. A server that does
// not answer in time is not asked again, as that would double the time.
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

  // An error says provider, model, status and the provider's own message, and
  // never the key.
  Result<Completion> Complete(const ModelConfig& model, const std::string& key, const Prompt& prompt,
                              const Deadline& deadline) const;

 private:
  const HttpClient& http_;
  const Waiter wait_;
};

}  // namespace forge::llm
