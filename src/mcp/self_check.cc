#include "mcp/self_check.h"

#include <map>
#include <mutex>
#include <nlohmann/json.hpp>

#include "mcp/protocol.h"
#include "mcp/server.h"

namespace forge::mcp {
namespace {

constexpr std::chrono::seconds kLongest{10};

std::string Request(int id, const char* method, In params) {
  return In{{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", std::move(params)}}.dump();
}

In ModernMeta() { return {{kVersionKey, kModernVersion}, {kCapabilitiesKey, In::object()}}; }

// The result of an answer; null if there is none.
In ResultOf(const std::map<int, In>& answers, int id) {
  const auto found = answers.find(id);
  return found == answers.end() ? In() : found->second.value("result", In());
}

}  // namespace

std::string SelfCheck(const tool::Registry& registry, const std::string& tool, const std::string& arguments) {
  std::mutex mutex;
  std::map<int, In> answers;
  Server server(registry, {}, [&](std::string_view line) {
    const std::lock_guard lock(mutex);
    In message = In::parse(line, nullptr, false);
    if (message.is_object() && message.contains("id")) answers.emplace(message["id"], std::move(message));
    return true;
  });
  server.HandleLine(Request(1, "server/discover", {{"_meta", ModernMeta()}}));
  server.HandleLine(Request(2, "initialize", {{"protocolVersion", kNewestLegacy}, {"capabilities", In::object()}}));
  server.HandleLine(Request(3, "tools/list", In::object()));
  server.HandleLine(Request(4, "tools/call", {{"name", tool}, {"arguments", In::parse(arguments, nullptr, false)}}));
  server.Drain(kLongest);
  server.Stop();
  if (!ResultOf(answers, 1).is_object()) return "server/discover was not answered";
  if (!ResultOf(answers, 2).is_object()) return "initialize was not answered";
  if (!ResultOf(answers, 3).is_object()) return "tools/list was not answered";
  const In called = ResultOf(answers, 4);
  if (!called.is_object()) return "a call of " + tool + " was not answered";
  if (!called.value("isError", true)) return "";
  return "a call of " + tool + " failed: " + called.at("/content/0/text"_json_pointer).get<std::string>();
}

}  // namespace forge::mcp
