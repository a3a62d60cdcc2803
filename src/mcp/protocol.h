// What the messages of the Model Context Protocol look like.
//
// There are two eras. In the legacy era (2024-11-05 to 2025-11-25) a session
// starts with `initialize`. In the modern one (2026-07-28) there is no session:
// each request carries its version and the client's capabilities in
// `params._meta`, and each result names its type and the server.
//
//   {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{
//     "io.modelcontextprotocol/protocolVersion":"2026-07-28",
//     "io.modelcontextprotocol/clientCapabilities":{}}}}
//
// Pure functions; server.cc decides what to send and when.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "forge/progress.h"
#include "forge/result.h"
#include "tool/registry.h"
#include "tool/tool.h"

namespace forge::mcp {

using In = nlohmann::json;
using Out = nlohmann::ordered_json;  // keys stay in the order they were written

enum class Era { kLegacy, kModern };

inline constexpr std::string_view kLegacyVersions[] = {"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"};
inline constexpr std::string_view kNewestLegacy = "2025-11-25";
inline constexpr std::string_view kVersionWithBatches = "2025-03-26";
inline constexpr std::string_view kModernVersion = "2026-07-28";

inline constexpr const char* kVersionKey = "io.modelcontextprotocol/protocolVersion";
inline constexpr const char* kCapabilitiesKey = "io.modelcontextprotocol/clientCapabilities";
inline constexpr const char* kServerInfoKey = "io.modelcontextprotocol/serverInfo";
inline constexpr const char* kSubscriptionKey = "io.modelcontextprotocol/subscriptionId";
inline constexpr const char* kRootsInput = "roots";  // our name for that input

inline constexpr int kParseError = -32700;
inline constexpr int kInvalidRequest = -32600;
inline constexpr int kMethodNotFound = -32601;
inline constexpr int kInvalidParams = -32602;
inline constexpr int kInternalError = -32603;
inline constexpr int kUnsupportedVersion = -32022;

// Reading. Ids are strings or integers; 1 and "1" are two ids.
bool IsId(const In& id);
bool IsString(const In* value);                         // false for null
const In* Find(const In& object, const char* key);      // null if it is not there
const In* FindMeta(const In& params, const char* key);  // the same, in params._meta
bool IsResponse(const In& message);                     // an answer to a request of ours
bool OffersRoots(const In* capabilities);               // whether a client does
std::string_view FaultOf(const In& message);            // what is wrong with its form; "" if it is right

// Whole messages. An error without an id answers a message whose id could not
// be read.
std::string ResultMessage(const In& id, Era era, Out result);
std::string ErrorMessage(const In* id, int code, std::string_view message);
std::string UnsupportedVersionMessage(const In& id, const In& requested);
std::string AcknowledgedMessage(const In& id);  // answers subscriptions/listen
std::string ProgressMessage(const In& token, const Progress& progress);
std::string RootsRequestMessage(const In& id);  // legacy: we ask the client

// Results.
Out InitializeResult(std::string_view version, const tool::Registry& registry);
Out DiscoverResult(const tool::Registry& registry);
Out ListToolsResult(const tool::Registry& registry, Era era, bool structured);
Out RootsRequiredResult();  // modern: the client asks again, with its roots
Out SubscriptionEndResult(const In& id);

// The text of the answer, followed by its hints. With `structured`, the result
// also has the whole answer. Hosts then show that to the model instead of the
// text, which takes two thirds more tokens; so it is not the default.
Out CallResult(const Result<tool::Answer>& answer, bool structured);

}  // namespace forge::mcp
