#include "mcp/protocol.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "forge/version.h"

namespace forge::mcp {
namespace {

// The registry puts the names in force for those in backticks.
constexpr std::string_view kInstructions =
    "`Search` finds text in the files of this project: prefer it to running grep, rg or find. It leaves out what git "
    "ignores. The last lines of an answer say how many matches there are, what is not shown and how to see it.";

constexpr std::string_view kKeywordInstructions =
    " If you know no exact text to look for, ask `keyword_search`: it takes a question and search terms, has a "
    "language model judge what they find, and names the files that matter. For a known name or message, `Search` is "
    "faster and exact.";

// Hosts ask again after this time; the list changes only with the program.
constexpr int kListTtlMs = 3'600'000;

// Claude Code replaces longer texts by a preview; its own limit is 50,000.
constexpr int kMaxResultChars = 200'000;

std::string Instructions(const tool::Registry& registry) {
  std::string text(kInstructions);
  if (registry.Find("keyword_search")) text += kKeywordInstructions;
  return registry.Spelled(std::move(text));
}

std::string Dump(const Out& message) { return message.dump(-1, ' ', false, Out::error_handler_t::replace); }

Out IdOf(const In& id) {
  if (id.is_string()) return id.get<std::string>();
  if (id.is_number_unsigned()) return id.get<std::uint64_t>();
  return id.get<std::int64_t>();
}

Out Envelope(const In* id) {
  Out message = Out::object();
  message["jsonrpc"] = "2.0";
  if (id != nullptr) message["id"] = IdOf(*id);
  return message;
}

std::string ErrorMessage(const In* id, Out error) {
  Out message = Envelope(id);
  message["error"] = std::move(error);
  return Dump(message);
}

Out ServerInfo() { return {{"name", "forge-search"}, {"title", "forge-search"}, {"version", Version()}}; }

Out Capabilities() {
  Out capabilities = Out::object();
  capabilities["tools"] = Out::object();
  return capabilities;
}

// Hints for Claude Code: it puts the tool into the first prompt and not behind
// a search for tools; if it must search, it finds the tool by these words; and
// it shows long answers in full.
Out HostHints(const tool::Definition& definition) {
  std::string hint = std::string(definition.title) + ":";
  for (const std::string_view alias : definition.aliases) hint += " " + std::string(alias);
  return {{"anthropic/alwaysLoad", true},
          {"anthropic/searchHint", std::move(hint)},
          {"anthropic/maxResultSizeChars", kMaxResultChars}};
}

Out ToolEntry(const tool::Definition& definition, bool structured) {
  Out entry = tool::ToDocument(definition, tool::SchemaFormat::kMcp).json();
  // With a schema, clients insist on structured answers.
  if (structured && !definition.output_schema.empty()) entry["outputSchema"] = Out::parse(definition.output_schema);
  entry["title"] = definition.title;
  entry["_meta"] = HostHints(definition);
  return entry;
}

// What the model can do about the error, where the message does not say it.
std::string_view Remedy(const Error& error) {
  switch (error.kind) {
    case ErrorKind::kBadArgs:
    case ErrorKind::kCancelled:
    case ErrorKind::kUnknownTool:
    case ErrorKind::kDuplicateTool: return "";
    case ErrorKind::kSandboxViolation:
      return error.code == ErrorCode::kDisabled ? "" : "\nSearch another path; only the user can allow this one.";
    case ErrorKind::kTimeout: return "\nNarrow the search with path or include_glob, or raise timeout_ms.";
    case ErrorKind::kExecutionFailed: break;
  }
  if (error.code == ErrorCode::kNotFound) return "";
  return "\nOnly the user can repair this; `forge-search doctor` in a terminal says more.";
}

Out TextResult(std::string text, bool is_error) {
  Out block = {{"type", "text"}, {"text", std::move(text)}};
  Out result = Out::object();
  result["content"] = Out::array({std::move(block)});
  result["isError"] = is_error;
  return result;
}

}  // namespace

bool IsId(const In& id) { return id.is_string() || id.is_number_integer(); }

bool IsString(const In* value) { return value != nullptr && value->is_string(); }

const In* Find(const In& object, const char* key) {
  const auto found = object.find(key);
  return found == object.end() ? nullptr : &*found;
}

const In* FindMeta(const In& params, const char* key) {
  const In* meta = Find(params, "_meta");
  return meta != nullptr && meta->is_object() ? Find(*meta, key) : nullptr;
}

bool IsResponse(const In& message) {
  return !message.contains("method") && (message.contains("result") || message.contains("error"));
}

bool OffersRoots(const In* capabilities) {
  return capabilities != nullptr && capabilities->is_object() && capabilities->contains("roots");
}

std::string_view FaultOf(const In& message) {
  const In* version = Find(message, "jsonrpc");
  const In* id = Find(message, "id");
  if (!IsString(version) || *version != "2.0") return "jsonrpc must be \"2.0\"";
  if (!IsString(Find(message, "method"))) return "method must be a string";
  if (id != nullptr && !IsId(*id)) return "id must be a string or an integer";
  return "";
}

std::string ResultMessage(const In& id, Era era, Out result) {
  if (era == Era::kModern) {
    if (!result.contains("resultType")) result["resultType"] = "complete";
    result["_meta"][kServerInfoKey] = ServerInfo();
  }
  Out message = Envelope(&id);
  message["result"] = std::move(result);
  return Dump(message);
}

std::string ErrorMessage(const In* id, int code, std::string_view message) {
  return ErrorMessage(id, Out{{"code", code}, {"message", message}});
}

std::string UnsupportedVersionMessage(const In& id, const In& requested) {
  return ErrorMessage(&id, Out{{"code", kUnsupportedVersion},
                               {"message", "unsupported protocol version"},
                               {"data", {{"supported", Out::array({kModernVersion})}, {"requested", requested}}}});
}

std::string AcknowledgedMessage(const In& id) {
  Out params = Out::object();
  params["_meta"][kSubscriptionKey] = IdOf(id);
  params["notifications"] = Out::object();  // we never send the notifications that the client asked for
  Out message = Envelope(nullptr);
  message["method"] = "notifications/subscriptions/acknowledged";
  message["params"] = std::move(params);
  return Dump(message);
}

std::string ProgressMessage(const In& token, const Progress& progress) {
  Out params = Out::object();
  params["progressToken"] = IdOf(token);
  params["progress"] = progress.done;
  if (progress.total) params["total"] = *progress.total;
  if (!progress.what.empty()) params["message"] = std::to_string(progress.done) + " " + std::string(progress.what);
  Out message = Envelope(nullptr);
  message["method"] = "notifications/progress";
  message["params"] = std::move(params);
  return Dump(message);
}

std::string RootsRequestMessage(const In& id) {
  Out message = Envelope(&id);
  message["method"] = "roots/list";
  return Dump(message);
}

Out InitializeResult(std::string_view version, const tool::Registry& registry) {
  return {{"protocolVersion", version},
          {"capabilities", Capabilities()},
          {"serverInfo", ServerInfo()},
          {"instructions", Instructions(registry)}};
}

Out DiscoverResult(const tool::Registry& registry) {
  return {{"supportedVersions", Out::array({kModernVersion})},
          {"capabilities", Capabilities()},
          {"instructions", Instructions(registry)},
          {"ttlMs", kListTtlMs},
          {"cacheScope", "public"}};
}

Out ListToolsResult(const tool::Registry& registry, Era era, bool structured) {
  Out list = Out::array();
  for (const tool::Definition* definition : registry.Definitions()) {
    list.push_back(ToolEntry(*definition, structured));
    list.back()["name"] = registry.NameOf(*definition);
    list.back()["description"] = registry.Spelled(std::string(definition->description));
  }
  Out result = Out::object();
  result["tools"] = std::move(list);
  if (era == Era::kModern) {
    result["ttlMs"] = kListTtlMs;
    result["cacheScope"] = "public";
  }
  return result;
}

Out RootsRequiredResult() {
  Out result = Out::object();
  result["resultType"] = "input_required";
  result["inputRequests"] = {{kRootsInput, {{"method", "roots/list"}}}};
  return result;
}

Out SubscriptionEndResult(const In& id) {
  Out result = Out::object();
  result["_meta"][kSubscriptionKey] = IdOf(id);
  return result;
}

Out CallResult(const Result<tool::Answer>& answer, bool structured) {
  if (!answer) {
    const Error& error = answer.error();
    return TextResult(std::string(Name(error.kind)) + ": " + error.message + std::string(Remedy(error)), true);
  }
  std::string text = answer->text;
  for (const std::string& hint : answer->hints) text += "Hint: " + hint + "\n";
  Out result = TextResult(std::move(text), false);
  if (structured) result["structuredContent"] = answer->take_document().json();
  return result;
}

}  // namespace forge::mcp
