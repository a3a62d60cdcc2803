// Anthropic's messages.

#include "llm/dialect.h"

namespace forge::llm {
namespace {

std::vector<HttpHeader> Headers(const std::string& key) {
  std::vector<HttpHeader> headers = {{"anthropic-version", "2023-06-01"}};
  if (!key.empty()) headers.push_back({"x-api-key", key, true});
  return headers;
}

OrderedJson Body(const ModelConfig& model, const Prompt& prompt) {
  OrderedJson body = {{"model", model.model},
                      {"max_tokens", model.max_output_tokens},
                      {"system", prompt.system},
                      {"messages", OrderedJson::array({{{"role", "user"}, {"content", prompt.user}}})}};
  if (!model.reasoning_effort.empty()) body["output_config"] = {{"effort", model.reasoning_effort}};
  return body;
}

std::string Read(const Json& reply, Completion& out) {
  out.text = JoinParts(At(reply, "content"), "text");
  out.cut = At(reply, "stop_reason") == "max_tokens";
  const Json& usage = At(reply, "usage");
  out.usage.input_tokens = Number(At(usage, "input_tokens"));
  out.usage.output_tokens = Number(At(usage, "output_tokens"));
  if (At(reply, "stop_reason") != "refusal") return "";
  return out.text.empty() ? "no reason given" : out.text;
}

}  // namespace

const Dialect kAnthropic = {"https://api.anthropic.com", "/v1/messages", Headers, Body, Read};

}  // namespace forge::llm
