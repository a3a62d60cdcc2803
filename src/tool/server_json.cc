#include "tool/server_json.h"

#include <nlohmann/json.hpp>

#include "base/utf8.h"
#include "tool/index_json.h"

namespace forge::tool {
namespace {

using Json = nlohmann::ordered_json;

Json ToJson(const remote::TreeReport& tree) {
  Json roots = Json::array();
  for (const std::string& root : tree.roots) roots.push_back(LossyUtf8(root));
  Json json{{"roots", std::move(roots)}, {"working_dir", LossyUtf8(tree.working_dir)}, {"clients", tree.clients}};
  json.update(ToDocument(tree.indexes).json());
  return json;
}

}  // namespace

Document ToDocument(const remote::ServerReport& report) {
  Json trees = Json::array();
  for (const remote::TreeReport& tree : report.trees) trees.push_back(ToJson(tree));
  return Document(Json{{"process", report.process},
                       {"running_ms", report.running.count()},
                       {"clients", report.clients - 1},
                       {"calls", report.calls},
                       {"memory_bytes", report.memory_bytes},
                       {"trees", std::move(trees)}});
}

}  // namespace forge::tool
