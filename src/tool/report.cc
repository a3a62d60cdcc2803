#include "tool/report.h"

#include <bit>
#include <nlohmann/json.hpp>
#include <set>

#include "base/names.h"
#include "base/utf8.h"
#include "forge/version.h"

namespace forge::tool {
namespace {

using Json = nlohmann::ordered_json;

bool IsHidden(std::string_view path) { return path.starts_with('.') || path.find("/.") != std::string_view::npos; }

bool IsIgnoreFile(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  return name == ".gitignore" || name == ".ignore" || name == ".rgignore";
}

Json ToJson(const std::map<std::uint64_t, std::uint64_t>& counts) {
  Json json = Json::object();
  for (const auto& [key, count] : counts) json[std::to_string(key)] = count;
  return json;
}

Json ToJson(const TreeShape& tree) {
  return Json{{"files", tree.files},
              {"eligible_files", tree.eligible},
              {"folders", tree.folders},
              {"hidden_files", tree.hidden},
              {"names_not_utf8", tree.not_utf8},
              {"ignore_files", tree.ignore_files},
              {"denied", tree.denied},
              {"errors", tree.errors},
              {"longest_path_bytes", tree.longest_path},
              {"files_by_depth", ToJson(tree.by_depth)},
              {"files_by_size_up_to", ToJson(tree.by_size)},
              {"complete", tree.complete}};
}

// `problem` of a status may name files, so it is only counted.
Json ToJson(const IndexStatus& index) {
  return Json{{"state", Name(index.state)},
              {"reason", Name(index.reason)},
              {"structure", Name(index.token_structure)},
              {"storage", Name(index.storage)},
              {"storage_fallback", index.storage_fallback_reason ? Name(*index.storage_fallback_reason) : ""},
              {"has_problem", !index.problem.empty()},
              {"files", index.files},
              {"indexed_files", index.indexed_files},
              {"pending_files", index.pending_files},
              {"segments", index.segments},
              {"documents", index.documents},
              {"bytes_on_disk", index.bytes_on_disk},
              {"bytes_in_memory", index.bytes_in_memory},
              {"watching", index.watching},
              {"watches", index.watches},
              {"unreported_changes", index.unreported_changes}};
}

// Neither where it is nor how it is written in the configuration.
Json ToJson(const BackendReport& backend) {
  return Json{{"id", LossyUtf8(backend.id)}, {"usable", backend.usable}, {"capabilities", backend.capabilities}};
}

template <typename T>
Json ListOf(const std::vector<T>& values) {
  Json json = Json::array();
  for (const T& value : values) json.push_back(ToJson(value));
  return json;
}

}  // namespace

void TreeShape::Count(const std::string& path, std::uint64_t bytes) {
  ++files;
  if (IsHidden(path)) ++hidden;
  if (IsIgnoreFile(path)) ++ignore_files;
  if (ValidUtf8Prefix(path) != path.size()) ++not_utf8;
  longest_path = std::max<std::uint64_t>(longest_path, path.size());
  ++by_depth[static_cast<std::uint64_t>(std::count(path.begin(), path.end(), '/')) + 1];
  ++by_size[bytes == 0 ? 0 : std::bit_ceil(bytes)];
}

Document ToDocument(const BugReport& report) {
  Json settings = Json::object();
  for (const Setting& setting : report.settings) {
    settings[setting.key] = Json{{"value", setting.value}, {"from", setting.origin}};
  }
  return Document(Json{{"report", 1},
                       {"version", Version()},
                       {"system", LossyUtf8(report.system)},
                       {"processors", report.processors},
                       {"memory_bytes", report.memory_bytes},
                       {"open_files", report.open_files},
                       {"watches", report.watches},
                       {"settings", std::move(settings)},
                       {"backends", ListOf(report.backends)},
                       {"server", report.server},
                       {"indexes", ListOf(report.indexes)},
                       {"trees", ListOf(report.trees)}});
}

}  // namespace forge::tool
