// The dialect of one provider: where a request goes, what it contains, how to
// read a reply. All functions are pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "llm/json.h"
#include "llm/provider.h"

namespace forge::llm {

struct Dialect {
  std::string_view default_base;
  std::string_view path;
  std::vector<HttpHeader> (*headers)(const std::string& key);
  OrderedJson (*body)(const ModelConfig& model, const Prompt& prompt);
  // Fills `out`; returns the model's refusal, or "".
  std::string (*read)(const Json& reply, Completion& out);
};

extern const Dialect kOpenAiChat;
extern const Dialect kOpenAiResponses;
extern const Dialect kAnthropic;

// "Authorization: Bearer KEY"; no header without a key.
std::vector<HttpHeader> BearerHeaders(const std::string& key);

// The text of the parts of `list` whose type is `type`.
std::string JoinParts(const Json& list, std::string_view type);

}  // namespace forge::llm
