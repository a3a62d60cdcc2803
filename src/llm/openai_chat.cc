// Chat completions: OpenAI's older interface, and what Ollama, llama.cpp, vLLM,
// Fireworks and most others offer.

#include "llm/dialect.h"
#include "llm/url.h"

namespace forge::llm {
namespace {

// OpenAI's reasoning models refuse max_tokens and temperature; many compatible
// servers know nothing else.
bool IsReasoning(const ModelConfig& model) {
  return !model.reasoning_effort.empty() || HostOf(model.base_url) == "api.openai.com" || model.base_url.empty();
}

OrderedJson Body(const ModelConfig& model, const Prompt& prompt) {
  OrderedJson body = {{"model", model.model},
                      {"messages", OrderedJson::array({{{"role", "system"}, {"content", prompt.system}},
                                                       {{"role", "user"}, {"content", prompt.user}}})},
                      {"stream", false}};
  if (IsReasoning(model)) {
    body["max_completion_tokens"] = model.max_output_tokens;
  } else {
    body["max_tokens"] = model.max_output_tokens;
    body["temperature"] = 0;
  }
  if (!model.reasoning_effort.empty()) body["reasoning_effort"] = model.reasoning_effort;
  return body;
}

std::string Read(const Json& reply, Completion& out) {
  const Json& choices = At(reply, "choices");
  const Json& choice = choices.is_array() && !choices.empty() ? choices.front() : choices;
  const Json& message = At(choice, "message");
  const Json& content = At(message, "content");
  out.text = content.is_array() ? JoinParts(content, "text") : Text(content);
  out.cut = At(choice, "finish_reason") == "length";
  const Json& usage = At(reply, "usage");
  out.usage.input_tokens = Number(At(usage, "prompt_tokens"));
  out.usage.output_tokens = Number(At(usage, "completion_tokens"));
  out.usage.cost = Dollars(At(usage, "cost"));
  if (std::string refusal = Text(At(message, "refusal")); !refusal.empty()) return refusal;
  return At(choice, "finish_reason") == "content_filter" ? "stopped by the provider's content filter" : "";
}

}  // namespace

const Dialect kOpenAiChat = {"https://api.openai.com/v1", "/chat/completions", BearerHeaders, Body, Read};

}  // namespace forge::llm
