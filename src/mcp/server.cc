#include "mcp/server.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "mcp/line_splitter.h"
#include "mcp/protocol.h"
#include "mcp/tool_call.h"
#include "tool/parse.h"

namespace forge::mcp {
namespace {

constexpr std::size_t kMaxBatch = 1000;
constexpr std::size_t kMaxSubscriptions = 64;
constexpr std::string_view kRootsId = "forge-roots-";

struct Request {
  In id;
  std::string method;
  In params;  // an object
};

// The member `key`, of whatever type, moved out; {} if it is missing or null.
In TakeMember(In& object, const char* key) {
  const auto found = object.find(key);
  return found == object.end() || found->is_null() ? In::object() : std::move(*found);
}

// Some models write the arguments as a JSON text. Anything else stays as it is.
In ObjectIn(In text) {
  auto parsed = tool::ParseJson(text.get_ref<const std::string&>());
  return parsed && parsed->is_object() ? *std::move(parsed) : std::move(text);
}

// The key of a running call: 1 and "1" differ by their quotes.
std::string KeyOf(const In& id) { return id.dump(); }

}  // namespace

class Server::Impl {
 public:
  Impl(const tool::Registry& registry, ServerOptions options, Sink sink)
      : registry_(registry),
        structured_(options.structured),
        roots_(options.roots != nullptr && options.roots->wanted() ? options.roots : nullptr),
        outlet_(std::move(sink)),
        calls_(options.limits) {}

  void HandleLine(std::string_view line) {
    auto parsed = tool::ParseJson(line);
    if (!parsed) return outlet_.Write(ErrorMessage(nullptr, kParseError, parsed.error().message));
    if (parsed->is_array()) return HandleBatch(*parsed);
    HandleMessage(*parsed, Reply(outlet_));
  }

  Outlet& outlet() { return outlet_; }
  Calls& calls() { return calls_; }

  // The protocol's way to say that a subscription ended normally.
  void EndSubscriptions() {
    for (const auto& [key, id] : subscriptions_) {
      outlet_.Write(ResultMessage(id, Era::kModern, SubscriptionEndResult(id)));
    }
    subscriptions_.clear();
  }

 private:
  void HandleBatch(In& messages) {
    std::string_view fault;
    if (legacy_version_ != kVersionWithBatches) {
      fault = "batches exist in protocol version 2025-03-26 only";
    } else if (messages.empty()) {
      fault = "the batch is empty";
    } else if (messages.size() > kMaxBatch) {
      fault = "the batch has more than 1000 messages";
    }
    if (!fault.empty()) return outlet_.Write(ErrorMessage(nullptr, kInvalidRequest, fault));
    const auto batch = std::make_shared<Batch>(outlet_);
    for (In& message : messages) HandleMessage(message, Reply(outlet_, batch));
  }

  void HandleMessage(In& message, Reply reply) {
    if (!message.is_object()) {
      return std::move(reply).Send(ErrorMessage(nullptr, kInvalidRequest, "a message must be a JSON object"));
    }
    if (IsResponse(message)) return HandleResponse(message);
    const In* id = Find(message, "id");
    if (const std::string_view fault = FaultOf(message); !fault.empty()) {
      const In* known = id != nullptr && IsId(*id) ? id : nullptr;
      return std::move(reply).Send(ErrorMessage(known, kInvalidRequest, fault));
    }
    In params = TakeMember(message, "params");
    if (id == nullptr) return HandleNotification(message["method"], params);
    if (!params.is_object()) {
      return std::move(reply).Send(ErrorMessage(id, kInvalidParams, "params must be an object"));
    }
    HandleRequest({*id, message["method"], std::move(params)}, std::move(reply));
  }

  // We ask only for the roots. An answer to an older question is out of date:
  // the answer to a newer one will come.
  void HandleResponse(const In& message) {
    const In* id = Find(message, "id");
    if (roots_ == nullptr || roots_asked_ == 0 || id == nullptr || *id != RootsId()) return;
    const In* result = Find(message, "result");
    roots_->Answered(result == nullptr ? std::vector<std::string>() : FoldersOf(*result));
  }

  std::string RootsId() const { return std::string(kRootsId) + std::to_string(roots_asked_); }

  void AskForRoots() {
    if (roots_ == nullptr || !client_has_roots_) return;
    ++roots_asked_;
    roots_->Asked();
    outlet_.Write(RootsRequestMessage(RootsId()));
  }

  // The protocol demands that we ignore unknown ones.
  void HandleNotification(const std::string& method, const In& params) {
    if (method == "notifications/initialized" && roots_asked_ == 0) return AskForRoots();
    if (method == "notifications/roots/list_changed" && roots_asked_ > 0) return AskForRoots();
    if (method != "notifications/cancelled" || !params.is_object()) return;
    const In* id = Find(params, "requestId");
    if (id == nullptr || !IsId(*id)) return;
    subscriptions_.erase(KeyOf(*id));
    calls_.Cancel(KeyOf(*id));
  }

  void HandleRequest(Request request, Reply reply) {
    if (FindMeta(request.params, kVersionKey) != nullptr) return HandleModern(std::move(request), std::move(reply));
    if (request.method == "initialize") return Initialize(request, std::move(reply));
    if (legacy_version_.empty()) {
      return Fail(request, std::move(reply), kInvalidParams,
                  std::string("params._meta lacks \"") + kVersionKey + "\", and there was no initialize");
    }
    if (request.method == "ping") return Succeed(request, Era::kLegacy, std::move(reply), Out::object());
    HandleCommon(std::move(request), Era::kLegacy, std::move(reply));
  }

  void HandleModern(Request request, Reply reply) {
    const In& version = *FindMeta(request.params, kVersionKey);
    if (!version.is_string()) {
      return Fail(request, std::move(reply), kInvalidParams, std::string(kVersionKey) + " must be a string");
    }
    if (version != kModernVersion) return std::move(reply).Send(UnsupportedVersionMessage(request.id, version));
    const In* capabilities = FindMeta(request.params, kCapabilitiesKey);
    if (capabilities == nullptr || !capabilities->is_object()) {
      return Fail(request, std::move(reply), kInvalidParams,
                  std::string("params._meta must have \"") + kCapabilitiesKey + "\", an object");
    }
    if (roots_ != nullptr && !OffersRoots(capabilities)) roots_->NoneToSend();
    if (request.method == "server/discover") {
      return Succeed(request, Era::kModern, std::move(reply), DiscoverResult(registry_));
    }
    if (request.method == "subscriptions/listen") return Listen(request, std::move(reply));
    HandleCommon(std::move(request), Era::kModern, std::move(reply));
  }

  void HandleCommon(Request request, Era era, Reply reply) {
    if (request.method == "tools/list") return ListTools(request, era, std::move(reply));
    if (request.method == "tools/call") return CallTool(std::move(request), era, std::move(reply));
    Fail(request, std::move(reply), kMethodNotFound, "there is no method " + In(request.method).dump());
  }

  void Initialize(const Request& request, Reply reply) {
    if (reply.in_batch()) {
      return Fail(request, std::move(reply), kInvalidRequest, "initialize must not be part of a batch");
    }
    const In* version = Find(request.params, "protocolVersion");
    if (!IsString(version)) return Fail(request, std::move(reply), kInvalidParams, "protocolVersion must be a string");
    const auto* known = std::find(std::begin(kLegacyVersions), std::end(kLegacyVersions), *version);
    legacy_version_ = known != std::end(kLegacyVersions) ? *known : kNewestLegacy;
    client_has_roots_ = OffersRoots(Find(request.params, "capabilities"));
    if (roots_ != nullptr && !client_has_roots_) roots_->NoneToSend();
    Succeed(request, Era::kLegacy, std::move(reply), InitializeResult(legacy_version_, registry_));
  }

  void ListTools(const Request& request, Era era, Reply reply) {
    const In* cursor = Find(request.params, "cursor");
    if (cursor != nullptr && !cursor->is_null()) {
      return Fail(request, std::move(reply), kInvalidParams, "unknown cursor: the list has one page");
    }
    Succeed(request, era, std::move(reply), ListToolsResult(registry_, era, structured_));
  }

  // We will send nothing, and say so. The protocol demands that the
  // subscription stays open until it is cancelled or the server ends.
  void Listen(const Request& request, Reply reply) {
    const In* wanted = Find(request.params, "notifications");
    if (wanted == nullptr || !wanted->is_object()) {
      return Fail(request, std::move(reply), kInvalidParams, "notifications must be an object");
    }
    const std::string key = KeyOf(request.id);
    if (subscriptions_.contains(key)) return Fail(request, std::move(reply), kInvalidRequest, "the id is in use");
    if (subscriptions_.size() == kMaxSubscriptions) {
      return Fail(request, std::move(reply), kInternalError, "too many subscriptions are open");
    }
    subscriptions_.emplace(key, request.id);
    outlet_.Write(AcknowledgedMessage(request.id));
  }

  void CallTool(Request request, Era era, Reply reply) {
    const In* name = Find(request.params, "name");
    if (!IsString(name)) return Fail(request, std::move(reply), kInvalidParams, "name must be a string");
    In arguments = TakeMember(request.params, "arguments");
    if (arguments.is_string()) arguments = ObjectIn(std::move(arguments));
    if (!arguments.is_object()) {
      return Fail(request, std::move(reply), kInvalidParams, "arguments must be an object");
    }
    const auto found = registry_.Find(name->get_ref<const std::string&>());
    if (found && era == Era::kModern && NeedsRoots(request)) {
      return Succeed(request, era, std::move(reply), RootsRequiredResult());
    }
    if (found) return Start(request, era, std::move(reply), **found, std::move(arguments));
    if (found.error().kind == ErrorKind::kUnknownTool) {
      return Fail(request, std::move(reply), kInvalidParams, found.error().message);
    }
    Succeed(request, era, std::move(reply), CallResult(found.error(), structured_));
  }

  // There is no session, so the client sends its roots with each call, after we
  // have asked for them.
  bool NeedsRoots(const Request& request) {
    if (roots_ == nullptr || !OffersRoots(FindMeta(request.params, kCapabilitiesKey))) return false;
    const In* inputs = Find(request.params, "inputResponses");
    if (inputs == nullptr || !inputs->is_object()) return true;
    const In* roots = Find(*inputs, kRootsInput);
    roots_->Answered(roots == nullptr ? std::vector<std::string>() : FoldersOf(*roots));
    return false;
  }

  void Start(const Request& request, Era era, Reply reply, tool::Tool& tool, In arguments) {
    const In* token = FindMeta(request.params, "progressToken");
    if (token != nullptr && !IsId(*token)) token = nullptr;
    const auto shared = std::make_shared<Reply>(std::move(reply));  // it answers here if the call cannot start
    ToolCall call = MakeToolCall(tool, std::move(arguments), {request.id, era, token, structured_}, outlet_, shared);
    switch (calls_.Start(KeyOf(request.id), call.bytes, std::move(call.work))) {
      case Calls::Started::kYes: return;
      case Calls::Started::kKeyInUse:
        return Fail(request, std::move(*shared), kInvalidRequest, "a call with this id is running");
      case Calls::Started::kTooMany:
        return Fail(request, std::move(*shared), kInternalError, "too many calls are waiting; try again later");
    }
  }

  static void Succeed(const Request& request, Era era, Reply reply, Out result) {
    std::move(reply).Send(ResultMessage(request.id, era, std::move(result)));
  }

  static void Fail(const Request& request, Reply reply, int code, std::string_view message) {
    std::move(reply).Send(ErrorMessage(&request.id, code, message));
  }

  const tool::Registry& registry_;
  const bool structured_;
  ClientRoots* const roots_;                 // null: they are not wanted
  std::string legacy_version_;               // "" before initialize
  bool client_has_roots_ = false;            // the legacy client
  int roots_asked_ = 0;                      // how often
  std::map<std::string, In> subscriptions_;  // by key: ids
  Outlet outlet_;
  Calls calls_;  // last: its threads use the others
};

Server::Server(const tool::Registry& registry, ServerOptions options, Sink sink)
    : impl_(std::make_unique<Impl>(registry, options, std::move(sink))) {}

Server::~Server() = default;

void Server::HandleLine(std::string_view line) { impl_->HandleLine(line); }

void Server::HandleTooLongLine() {
  impl_->outlet().Write(
      ErrorMessage(nullptr, kInvalidRequest, "a line is longer than " + std::to_string(kMaxLineBytes >> 20) + " MiB"));
}

bool Server::closed() const { return impl_->outlet().closed(); }

bool Server::Drain(std::chrono::milliseconds longest) {
  const bool done = impl_->calls().Drain(longest);
  if (done) impl_->EndSubscriptions();
  return done;
}

void Server::Stop() { impl_->calls().Stop(); }

}  // namespace forge::mcp
