// Reads JSON of unknown shape: every look-up may miss, and none throws.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace forge::llm {

using Json = nlohmann::json;                 // for reading: fast even for very large objects
using OrderedJson = nlohmann::ordered_json;  // for writing

inline constexpr int kMaxDepth = 64;  // far more than a provider's replies have

// Whether brackets are nested deeper than kMaxDepth. The library needs a hundred
// bytes for each level when it parses, and a frame of the stack when it writes.
inline bool IsTooDeep(std::string_view text) {
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"') quoted = !quoted;
    if (quoted && c == '\\') ++i;
    if (quoted) continue;
    if (c == '[' || c == '{') ++depth;
    if (c == ']' || c == '}') --depth;
    if (depth > kMaxDepth) return true;
  }
  return false;
}

// Discarded (is_discarded()) if `text` is not JSON, or nested too deeply.
inline Json ParseLoosely(std::string_view text) {
  if (IsTooDeep(text)) return Json(Json::value_t::discarded);
  return Json::parse(text.begin(), text.end(), nullptr, false);
}

// The member `key` of an object; null if there is none or `json` is something else.
inline const Json& At(const Json& json, const char* key) {
  static const Json null;
  if (!json.is_object()) return null;
  const auto found = json.find(key);
  return found == json.end() ? null : *found;
}

// The string in `json`, or "".
inline std::string Text(const Json& json) { return json.is_string() ? json.get<std::string>() : std::string(); }

// A number of things: not negative, and not absurd.
inline std::optional<std::int64_t> Number(const Json& json) {
  constexpr std::uint64_t kMost = 1'000'000'000'000;
  if (!json.is_number_unsigned() || json.get<std::uint64_t>() > kMost) return std::nullopt;
  return json.get<std::int64_t>();
}

inline std::optional<double> Dollars(const Json& json) {
  const double amount = json.is_number() ? json.get<double>() : -1;
  return amount >= 0 && amount < 1e6 ? std::optional(amount) : std::nullopt;
}

}  // namespace forge::llm
