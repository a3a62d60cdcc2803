// The dialects that providers of models speak, as pure functions.
//
//   openai            POST {base}/chat/completions   what every compatible server knows
//   openai-responses  POST {base}/responses
//   anthropic         POST {base}/v1/messages
//
// Only the text of a reply counts. We leave out what a model writes while it
// thinks, whether the provider marks it or the model does (<think>...</think>).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/secrets.h"
#include "forge/config.h"
#include "forge/result.h"
#include "llm/http.h"

namespace forge::llm {

struct Prompt {
  std::string system;
  std::string user;
};

// What the answer cost, as the provider reports it; absent if it does not.
struct Usage {
  std::optional<std::int64_t> input_tokens;
  std::optional<std::int64_t> output_tokens;
  std::optional<double> cost;  // in US dollars
};

struct Completion {
  std::string text;
  bool cut = false;  // the model ran into max_output_tokens
  Usage usage;
};

// `key` may be empty.
HttpRequest BuildRequest(const ModelConfig& model, const std::string& key, const Prompt& prompt);

// The answer in the body of a reply with status 200. An error says what is
// wrong with it: not JSON, refused, empty. The text of an answer is as the model
// wrote it, so it may hold a secret; an error holds none.
Result<Completion> ReadCompletion(const ModelConfig& model, const std::string& body, const Secrets& secrets);

// The provider's own words in the body of any other reply, at most a few
// hundred bytes and without secrets; "" if there are none.
std::string ReadErrorMessage(const std::string& body, const Secrets& secrets);

// Text of a provider for a message of ours: one line, printable, without
// secrets, and only then clipped.
std::string Shown(std::string_view text, const Secrets& secrets, std::size_t most = 500);

}  // namespace forge::llm
