#include "tool/index_json.h"

#include <nlohmann/json.hpp>

#include "base/names.h"

namespace forge::tool {
namespace {

using Json = nlohmann::ordered_json;

Json WordOrNull(std::string_view word) { return word.empty() ? Json() : Json(word); }

// Since 1970.
std::int64_t MillisecondsOrZero(const std::optional<WallTime>& time) {
  return time ? time->time_since_epoch().count() : 0;
}

Json Words(const std::vector<IndexReason>& reasons) {
  Json list = Json::array();
  for (const IndexReason reason : reasons) list.push_back(Name(reason));
  return list;
}

Json ToJson(const IndexStatus& s) {
  Json json{{"root", s.root}, {"state", Name(s.state)}};
  json["reason"] = WordOrNull(Name(s.reason));
  json["causes"] = Words(s.causes);
  json["token_structure"] = Name(s.token_structure);
  json["storage"] = Name(s.storage);
  json["storage_fallback_reason"] = WordOrNull(NameOr(s.storage_fallback_reason, ""));
  json["folder"] = s.folder;
  json["problem"] = s.problem.empty() ? Json() : Json(s.problem);
  json["files"] = s.files;
  json["indexed_files"] = s.indexed_files;
  json["pending_files"] = s.pending_files;
  json["segments"] = s.segments;
  json["documents"] = s.documents;
  json["bytes_on_disk"] = s.bytes_on_disk;
  json["bytes_in_memory"] = s.bytes_in_memory;
  json["text_bytes"] = s.text_bytes;
  json["coverage_epoch"] = s.coverage_epoch;
  json["watching"] = s.watching;
  json["unreported_changes"] = s.unreported_changes;
  json["phase"] = WordOrNull(Name(s.phase));
  json["files_total"] = s.files_total;
  json["files_done"] = s.files_done;
  json["bytes_total"] = s.bytes_total;
  json["bytes_done"] = s.bytes_done;
  json["elapsed_ms"] = s.elapsed.count();
  json["updated_ms"] = MillisecondsOrZero(s.updated);
  return json;
}

Json ToJson(const StoredIndexInfo& s) {
  Json json{{"hash", s.hash},
            {"root", s.root},
            {"token_structure", NameOr(s.token_structure, "")},
            {"state", Name(s.state)},
            {"hidden", s.hidden},
            {"no_ignore", s.no_ignore},
            {"version", s.version},
            {"files", s.files},
            {"bytes", s.bytes},
            {"accessed_ms", MillisecondsOrZero(s.accessed)}};
  json["problem"] = s.problem.empty() ? Json() : Json(s.problem);
  return json;
}

Json ToJson(const IndexVerification& v) {
  return {{"files", v.files}, {"changed", v.changed}, {"not_indexed", v.not_indexed}, {"problems", v.problems}};
}

template <typename T>
Document List(const char* name, const std::vector<T>& items) {
  Json list = Json::array();
  for (const T& item : items) list.push_back(ToJson(item));
  return Document(Json{{name, std::move(list)}});
}

}  // namespace

Document ToDocument(const std::vector<IndexStatus>& statuses) { return List("indexes", statuses); }

Document ToDocument(const std::vector<StoredIndexInfo>& stored) { return List("stored", stored); }

Document ToDocument(const std::vector<IndexVerification>& verifications) {
  return List("verifications", verifications);
}

Document ToDocument(const IndexExplanation& explanation) {
  Json steps = Json::array();
  for (const auto& step : explanation.steps) steps.push_back({{"part", step.part}, {"files", step.files}});
  Json json{{"plan", explanation.plan},
            {"files", explanation.files},
            {"steps", std::move(steps)},
            {"candidates", explanation.candidates}};
  json["bypass"] = WordOrNull(NameOr(explanation.bypass, ""));
  return Document(std::move(json));
}

}  // namespace forge::tool
