#include "llm/provider.h"

#include "base/strings.h"
#include "base/unicode.h"
#include "base/utf8.h"
#include "llm/dialect.h"

namespace forge::llm {
namespace {

// Texts are longer than this only if someone tries to keep us busy.
constexpr std::size_t kMostRead = 64 * 1024;

const Dialect& DialectOf(const ModelConfig& model) {
  switch (model.provider) {
    case Provider::kOpenAi: return kOpenAiChat;
    case Provider::kOpenAiResponses: return kOpenAiResponses;
    case Provider::kAnthropic: return kAnthropic;
  }
  return kOpenAiChat;
}

// "a  b\n c" as "a b c": a message of one line.
std::string OneLine(const std::string& text) {
  std::string out;
  for (const char c : text) {
    const bool space = c == ' ' || c == '\n' || c == '\t';
    if (!space) out += c;
    if (space && !out.empty() && out.back() != ' ') out += ' ';
  }
  return out;
}

// Removes the part that the model wrote for itself.
std::string WithoutThinking(std::string text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string::npos || text.compare(begin, 7, "<think>") != 0) return text;
  const std::size_t end = text.find("</think>");
  return end == std::string::npos ? "" : text.substr(end + 8);
}

Error EmptyAnswer(const Completion& completion, const ModelConfig& model) {
  if (!completion.cut) return ExecutionFailed("the answer is empty");
  return ExecutionFailed("the answer is empty: all of max_output_tokens (" + std::to_string(model.max_output_tokens) +
                         ") went into thinking; raise it for this model");
}

}  // namespace

std::vector<HttpHeader> BearerHeaders(const std::string& key) {
  if (key.empty()) return {};
  return {{"Authorization", "Bearer " + key, true}};
}

std::string Shown(std::string_view text, const Secrets& secrets, std::size_t most) {
  std::string out = secrets.Hide(OneLine(Sanitize(LossyUtf8(text.substr(0, kMostRead)))));
  const bool clipped = out.size() > most || text.size() > kMostRead;
  out.resize(ValidUtf8Prefix(std::string_view(out).substr(0, most)));
  return clipped ? out + "..." : out;
}

std::string JoinParts(const Json& list, std::string_view type) {
  std::string out;
  if (!list.is_array()) return out;
  for (const Json& part : list) {
    if (Text(At(part, "type")) == type) out += Text(At(part, "text"));
  }
  return out;
}

HttpRequest BuildRequest(const ModelConfig& model, const std::string& key, const Prompt& prompt) {
  const Dialect& dialect = DialectOf(model);
  std::string base = model.base_url.empty() ? std::string(dialect.default_base) : model.base_url;
  while (base.ends_with('/')) base.pop_back();
  HttpRequest request;
  request.url = base + std::string(dialect.path);
  request.headers = dialect.headers(key);
  request.headers.push_back({"Content-Type", "application/json"});
  request.body = dialect.body(model, prompt).dump(-1, ' ', false, Json::error_handler_t::replace);
  return request;
}

Result<Completion> ReadCompletion(const ModelConfig& model, const std::string& body, const Secrets& secrets) {
  if (IsTooDeep(body)) return ExecutionFailed("the reply is nested too deeply: " + Shown(body, secrets));
  const Json reply = ParseLoosely(body);
  if (!reply.is_object()) return ExecutionFailed("the reply is not JSON: " + Shown(body, secrets));
  if (const std::string error = ReadErrorMessage(body, secrets); !error.empty()) return ExecutionFailed(error);
  Completion completion;
  const std::string refusal = DialectOf(model).read(reply, completion);
  if (!refusal.empty()) return ExecutionFailed("the model refused: " + Shown(refusal, secrets));
  completion.text = WithoutThinking(std::move(completion.text));
  if (IsBlank(completion.text)) return EmptyAnswer(completion, model);
  return completion;
}

// {"error":{"message":".."}} of OpenAI and Anthropic, {"error":".."} of Ollama,
// {"message":".."} and {"detail":".."} of others.
std::string ReadErrorMessage(const std::string& body, const Secrets& secrets) {
  const Json json = ParseLoosely(body);
  const Json& error = At(json, "error");
  for (const std::string& text :
       {Text(At(error, "message")), Text(error), Text(At(json, "message")), Text(At(json, "detail"))}) {
    if (!text.empty()) return Shown(text, secrets);
  }
  if (error.is_object()) return Shown(error.dump(-1, ' ', false, Json::error_handler_t::replace), secrets);
  // It may be a page of a proxy; its text is better than nothing.
  if (json.is_discarded() && !IsBlank(LossyUtf8(body))) return Shown(body, secrets);
  return "";
}

}  // namespace forge::llm
