#include "mcp/self_check.h"

#include <map>
#include <nlohmann/json.hpp>

#include "base/mutex.h"
#include "mcp/protocol.h"
#include "mcp/server.h"

namespace forge::mcp {
namespace {

constexpr std::chrono::seconds kLongest{10};

std::string Request(int id, const char* method, In params) {
  return In{{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", std::move(params)}}.dump();
}

In ModernMeta() { return {{kVersionKey, kModernVersion}, {kCapabilitiesKey, In::object()}}; }

// What the server wrote, by id. Thread-safe.
class Answers {
 public:
  void Add(std::string_view line) {
    In message = In::parse(line, nullptr, false);
    if (!message.is_object() || !message.contains("id")) return;
    const Lock lock(mutex_);
    by_id_.emplace(message["id"], std::move(message));
  }

  // Null if there is none.
  In ResultOf(int id) {
    const Lock lock(mutex_);
    const auto found = by_id_.find(id);
    return found == by_id_.end() ? In() : found->second.value("result", In());
  }

 private:
  Mutex mutex_;
  std::map<int, In> by_id_ GUARDED_BY(mutex_);
};

}  // namespace

std::string SelfCheck(const tool::Registry& registry, const std::string& tool, const std::string& arguments) {
  Answers answers;
  Server server(registry, {}, [&](std::string_view line) {
    answers.Add(line);
    return true;
  });
  server.HandleLine(Request(1, "server/discover", {{"_meta", ModernMeta()}}));
  server.HandleLine(Request(2, "initialize", {{"protocolVersion", kNewestLegacy}, {"capabilities", In::object()}}));
  server.HandleLine(Request(3, "tools/list", In::object()));
  server.HandleLine(Request(4, "tools/call", {{"name", tool}, {"arguments", In::parse(arguments, nullptr, false)}}));
  server.Drain(kLongest);
  server.Stop();
  if (!answers.ResultOf(1).is_object()) return "server/discover was not answered";
  if (!answers.ResultOf(2).is_object()) return "initialize was not answered";
  if (!answers.ResultOf(3).is_object()) return "tools/list was not answered";
  const In called = answers.ResultOf(4);
  if (!called.is_object()) return "a call of " + tool + " was not answered";
  if (!called.value("isError", true)) return "";
  return "a call of " + tool + " failed: " + called.at("/content/0/text"_json_pointer).get<std::string>();
}

}  // namespace forge::mcp
