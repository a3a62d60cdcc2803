#include "tool/write.h"

#include <nlohmann/json.hpp>
#include <ostream>
#include <utility>

#include "base/names.h"
#include "base/utf8.h"
#include "forge/version.h"

namespace forge::tool {
namespace {

using Json = nlohmann::ordered_json;

Json WordOrNull(std::string_view word) { return word.empty() ? Json() : Json(word); }

Json Text(std::string text) { return IsValidUtf8(text) ? Json(std::move(text)) : Json(LossyUtf8(text)); }

// {"text": "..."}
Json TextObject(std::string text) {
  Json object = Json::object();
  object.emplace("text", Text(std::move(text)));
  return object;
}

// The same as dump() writes for a text.
void AppendText(std::string_view text, std::string& out) {
  if (!IsValidUtf8(text)) return AppendText(LossyUtf8(text), out);
  constexpr std::string_view kHex = "0123456789abcdef";
  constexpr std::string_view kShort = "btn?fr";  // after \b, at 8
  out += '"';
  std::size_t done = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (c >= 0x20 && c != '"' && c != '\\') continue;
    out.append(text, done, i - done);
    done = i + 1;
    out += '\\';
    if (c >= 0x20) {
      out += text[i];
    } else if (c >= 8 && c <= 13 && c != 11) {
      out += kShort[c - 8U];
    } else {
      out.append("u00");
      out += kHex[c / 16U];
      out += kHex[c % 16U];
    }
  }
  out.append(text, done);
  out += '"';
}

// Events as text, without a tree of values: with one, the answer took as long to
// write as to find.
class EventWriter {
 public:
  void Append(const Event& event, std::string& out) {
    const bool match = event.type == Event::Type::kMatch;
    out += match ? R"({"type":"match","data":{"path":{"text":)" : R"({"type":"context","data":{"path":{"text":)";
    out += PathOf(event);
    out += R"(},"line_number":)" + std::to_string(event.line_number);
    if (match) out += R"(,"column":)" + std::to_string(event.column);
    out += R"(,"lines":{"text":)";
    AppendText(event.line, out);
    out += '}';
    if (match) {
      out += R"(,"match_text":)";
      AppendText(event.match_text, out);
    }
    out += "}}";
  }

 private:
  // Most events have the path of the one before.
  const std::string& PathOf(const Event& event) {
    if (written_.empty() || path_ != event.path) {
      path_ = event.path;
      written_.clear();
      AppendText(path_, written_);
    }
    return written_;
  }

  std::string path_;
  std::string written_;
};

Json ToJson(const Event& event) {
  const bool match = event.type == Event::Type::kMatch;
  Json data = Json::object();
  data.emplace("path", TextObject(event.path.str()));
  data.emplace("line_number", event.line_number);
  if (match) data.emplace("column", event.column);
  data.emplace("lines", TextObject(event.line.str()));
  if (match) data.emplace("match_text", Text(event.match_text.str()));
  Json json = Json::object();
  json.emplace("type", match ? "match" : "context");
  json.emplace("data", std::move(data));
  return json;
}

Json ToJson(const std::vector<FileError>& errors) {
  Json list = Json::array();
  for (const FileError& error : errors) {
    Json entry = Json::object();
    entry.emplace("path", Text(error.path));
    entry.emplace("error", Text(error.error));
    list.push_back(std::move(entry));
  }
  return list;
}

// The specified fields are always there, null if they do not apply; the
// additional ones only where they do (F25).
Json ToJson(const SearchStats& stats) {
  Json json = Json::object();
  const auto always = [&](const char* name, const auto& value) { json.emplace(name, value); };
  const auto word_or_null = [&](const char* name, std::string_view word) { json.emplace(name, WordOrNull(word)); };
  const auto if_there = [&](const char* name, const auto& value) {
    if (value) json.emplace(name, *value);
  };
  const auto word_if_there = [&](const char* name, const auto& value) {
    if (value) json.emplace(name, Name(*value));
  };
  always("stats_version", stats.stats_version);
  always("index_safety_state", Name(stats.index_safety_state));
  word_or_null("index_uncertain_reason", Name(stats.index_uncertain_reason));
  always("index_exclusion_used", stats.index_exclusion_used);
  always("storage_mode", NameOr(stats.storage_mode, "none"));
  word_or_null("storage_fallback_reason", NameOr(stats.storage_fallback_reason, ""));
  always("fallback_used", stats.fallback_used);
  word_or_null("fallback_reason", NameOr(stats.fallback_reason, ""));
  always("fuzzy_levels_tried", stats.fuzzy_levels_tried);
  always("elapsed_ms", stats.elapsed.count());
  always("candidates_total", stats.candidates_total);
  always("candidates_excluded", stats.candidates_excluded);
  always("candidates_scanned", stats.candidates_scanned);
  word_if_there("index_bypass_reason", stats.index_bypass_reason);
  word_if_there("maintenance_action", stats.maintenance_action);
  word_if_there("fallback_skip_reason", stats.fallback_skip_reason);
  if_there("fallback_passes_skipped", stats.fallback_passes_skipped);
  word_if_there("build_phase", stats.build_phase);
  if_there("build_files_total", stats.build_files_total);
  if_there("build_files_done", stats.build_files_done);
  if (stats.build_elapsed) json.emplace("build_elapsed_ms", stats.build_elapsed->count());
  always("files_too_large", stats.files_too_large);
  always("files_binary", stats.files_binary);
  always("files_capped", stats.files_capped);
  always("paths_denied", stats.paths_denied);
  return json;
}

// FR-LS-05: the fields of a response, in two parts.
Json FieldsBeforeMatches(const SearchResponse& response) {
  Json json = Json::object();
  json.emplace("pattern", Text(response.pattern));
  json.emplace("path", Text(response.path));
  json.emplace("count", response.matches.size());
  return json;
}

Json FieldsAfterMatches(const SearchResponse& response) {
  Json json = Json::object();
  json.emplace("truncated", response.truncated);
  json.emplace("timed_out", response.timed_out);
  json.emplace("files_scanned", response.files_scanned);
  json.emplace("errors", ToJson(response.errors));
  if (response.exit_code) json.emplace("exit_code", *response.exit_code);
  if (response.stderr_text) json.emplace("stderr", Text(*response.stderr_text));
  json.emplace("content", Text(response.content));
  if (response.stats) json.emplace("stats", ToJson(*response.stats));
  return json;
}

Json ToJson(const std::vector<std::string>& list) {
  Json json = Json::array();
  for (const std::string& text : list) json.push_back(Text(text));
  return json;
}

Json UsageOf(const KeywordSearchResponse& response) {
  Json usage = Json::object();
  if (response.input_tokens) usage.emplace("input_tokens", *response.input_tokens);
  if (response.output_tokens) usage.emplace("output_tokens", *response.output_tokens);
  if (response.cost_usd) usage.emplace("cost_usd", *response.cost_usd);
  return usage;
}

// A list of objects with two texts each.
template <typename Item>
Json Pairs(const std::vector<Item>& items, const char* first, std::string Item::*first_member, const char* second,
           std::string Item::*second_member) {
  Json json = Json::array();
  for (const Item& item : items)
    json.push_back({{first, Text(item.*first_member)}, {second, Text(item.*second_member)}});
  return json;
}

Json ToJson(const Value& value) {
  return std::visit([](const auto& v) { return Json(v); }, value);
}

std::string_view TypeName(Type type) {
  switch (type) {
    case Type::kBoolean: return "boolean";
    case Type::kInteger: return "integer";
    case Type::kString: return "string";
    case Type::kStringList: return "array";
  }
  return "";
}

Json ToJson(const Field& field) {
  Json json = Json::object();
  json.emplace("type", TypeName(field.type));
  if (field.type == Type::kString && field.min > 0) json.emplace("minLength", field.min);
  if (!field.choices.empty()) json.emplace("enum", field.choices);
  if (field.type == Type::kStringList) json.emplace("items", Json{{"type", "string"}});
  if (field.type == Type::kInteger) {
    json.emplace("minimum", field.min);
    if (field.max != std::numeric_limits<std::int64_t>::max()) json.emplace("maximum", field.max);
  }
  if (field.default_value) json.emplace("default", ToJson(*field.default_value));
  json.emplace("description", field.description);
  return json;
}

Json InputSchema(const Definition& definition) {
  Json properties = Json::object();
  Json required = Json::array();
  for (const Field& field : definition.fields) {
    properties.emplace(std::string(field.name), ToJson(field));
    if (field.required) required.push_back(field.name);
  }
  Json schema = Json::object();
  schema.emplace("type", "object");
  schema.emplace("additionalProperties", false);
  schema.emplace("properties", std::move(properties));
  schema.emplace("required", std::move(required));
  return schema;
}

// Hints for an MCP client that decides whether to ask its user.
Json Annotations(const Definition& definition) {
  return {{"title", definition.title},
          {"readOnlyHint", true},
          {"destructiveHint", false},
          {"idempotentHint", true},
          {"openWorldHint", definition.uses_network}};
}

Json ToJson(const Definition& definition, SchemaFormat format) {
  Json json = Json::object();
  if (format == SchemaFormat::kOpenAi) json.emplace("type", "function");
  Json inner = Json::object();
  inner.emplace("name", definition.name);
  inner.emplace("description", definition.description);
  switch (format) {
    case SchemaFormat::kMcp:
      inner.emplace("inputSchema", InputSchema(definition));
      inner.emplace("annotations", Annotations(definition));
      return inner;
    case SchemaFormat::kAnthropic: inner.emplace("input_schema", InputSchema(definition)); return inner;
    case SchemaFormat::kOpenAi: inner.emplace("parameters", InputSchema(definition)); break;
  }
  json.emplace("function", std::move(inner));
  return json;
}

}  // namespace

Document::Document(Json&& json) : json_(std::make_shared<const Json>(std::move(json))) {}

Document::Document(SearchResponse&& response)
    : response_(std::make_shared<const SearchResponse>(std::move(response))) {}

Json Document::json() const {
  if (json_) return *json_;
  Json matches = Json::array();
  for (const Event& event : response_->matches) matches.push_back(ToJson(event));
  Json json = FieldsBeforeMatches(*response_);
  json.emplace("matches", std::move(matches));
  json.update(FieldsAfterMatches(*response_));
  return json;
}

void Document::Write(std::ostream& out) const {
  if (json_) {
    out << *json_;
    return;
  }
  const std::string before = FieldsBeforeMatches(*response_).dump();
  const std::string after = FieldsAfterMatches(*response_).dump();
  out << std::string_view(before).substr(0, before.size() - 1) << ",\"matches\":[";
  constexpr std::size_t kFlush = 64 * 1024;
  EventWriter writer;
  std::string text;
  for (const Event& event : response_->matches) {
    if (&event != response_->matches.data()) text += ',';
    writer.Append(event, text);
    if (text.size() < kFlush) continue;
    out << text;
    text.clear();
  }
  out << text << "]," << std::string_view(after).substr(1);
}

void WritePretty(const Document& document, std::ostream& out) { out << document.json().dump(2) << '\n'; }

Document ToDocument(SearchResponse response) { return Document(std::move(response)); }

Document ToDocument(const KeywordSearchResponse& response) {
  Json json = Json::object();
  json.emplace("query", Text(response.query));
  json.emplace("root", Text(response.root));
  json.emplace("files", Pairs(response.files, "path", &RelevantFile::path, "reason", &RelevantFile::reason));
  json.emplace("files_without_hits",
               Pairs(response.files_without_hits, "path", &RelevantFile::path, "reason", &RelevantFile::reason));
  if (!response.model_text.empty()) json.emplace("model_text", Text(response.model_text));
  json.emplace("terms_used", ToJson(response.terms_used));
  json.emplace("terms_skipped",
               Pairs(response.terms_skipped, "term", &SkippedTerm::term, "reason", &SkippedTerm::reason));
  json.emplace("errors", Pairs(response.errors, "path", &FileError::path, "error", &FileError::error));
  if (!response.model.empty()) json.emplace("model", Text(response.model));
  if (Json usage = UsageOf(response); !usage.empty()) json.emplace("usage", std::move(usage));
  json.emplace("elapsed_ms", response.elapsed.count());
  json.emplace("content", Text(response.content));
  return Document(std::move(json));
}

Document ToDocument(const Error& error) {
  Json inner = Json::object();
  inner.emplace("kind", Name(error.kind));
  if (error.kind == ErrorKind::kSandboxViolation) inner.emplace("reason", ReasonName(error.code));
  inner.emplace("message", Text(error.message));
  Json json = Json::object();
  json.emplace("error", std::move(inner));
  return Document(std::move(json));
}

Document ToDocument(const Definition& definition, SchemaFormat format) { return Document(ToJson(definition, format)); }

Document ToDocument(const std::vector<const Definition*>& definitions, SchemaFormat format) {
  Json list = Json::array();
  for (const Definition* definition : definitions) list.push_back(ToJson(*definition, format));
  return Document(std::move(list));
}

Document ToDocument(const std::vector<Finding>& findings) {
  Json list = Json::array();
  for (const Finding& finding : findings) {
    Json entry = {{"area", finding.area}, {"level", Name(finding.level)}, {"message", Text(finding.message)}};
    if (!finding.hint.empty()) entry.emplace("hint", Text(finding.hint));
    list.push_back(std::move(entry));
  }
  return Document(Json{{"version", Version()}, {"status", Name(Worst(findings))}, {"findings", std::move(list)}});
}

}  // namespace forge::tool
