// OpenAI's responses interface. `store` is off, because we send source code.

#include "llm/dialect.h"

namespace forge::llm {
namespace {

OrderedJson Body(const ModelConfig& model, const Prompt& prompt) {
  OrderedJson body = {{"model", model.model},
                      {"instructions", prompt.system},
                      {"input", prompt.user},
                      {"max_output_tokens", model.max_output_tokens},
                      {"store", false}};
  if (!model.reasoning_effort.empty()) body["reasoning"] = {{"effort", model.reasoning_effort}};
  return body;
}

std::string Read(const Json& reply, Completion& out) {
  std::string refusal;
  const Json& output = At(reply, "output");
  if (output.is_array()) {
    for (const Json& item : output) {
      if (At(item, "type") != "message") continue;  // reasoning, and types of the future
      out.text += JoinParts(At(item, "content"), "output_text");
      const Json& content = At(item, "content");
      if (!content.is_array()) continue;
      for (const Json& part : content) refusal += Text(At(part, "refusal"));
    }
  }
  const std::string reason = Text(At(At(reply, "incomplete_details"), "reason"));
  out.cut = reason == "max_output_tokens";
  const Json& usage = At(reply, "usage");
  out.usage.input_tokens = Number(At(usage, "input_tokens"));
  out.usage.output_tokens = Number(At(usage, "output_tokens"));
  if (refusal.empty() && reason == "content_filter") return "stopped by the provider's content filter";
  return refusal;
}

}  // namespace

const Dialect kOpenAiResponses = {"https://api.openai.com/v1", "/responses", BearerHeaders, Body, Read};

}  // namespace forge::llm
