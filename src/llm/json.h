// Reads JSON of unknown shape: every look-up may miss, and none throws.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace forge::llm {

using Json = nlohmann::json;                 // for reading: fast even for very large objects
using OrderedJson = nlohmann::ordered_json;  // for writing

// Discarded (is_discarded()) if `text` is not JSON.
inline Json ParseLoosely(std::string_view text) { return Json::parse(text.begin(), text.end(), nullptr, false); }

// The member `key` of an object; null if there is none or `json` is something else.
inline const Json& At(const Json& json, const char* key) {
  static const Json null;
  if (!json.is_object()) return null;
  const auto found = json.find(key);
  return found == json.end() ? null : *found;
}

// The string in `json`, or "".
inline std::string Text(const Json& json) { return json.is_string() ? json.get<std::string>() : std::string(); }

inline std::optional<std::int64_t> Number(const Json& json) {
  if (!json.is_number_integer() && !json.is_number_unsigned()) return std::nullopt;
  return json.get<std::int64_t>();
}

}  // namespace forge::llm
